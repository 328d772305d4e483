package org.gradwire.runtime.tests.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.Adam;
import org.gradwire.optim.LearningRates;
import org.gradwire.optim.SGD;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.LinearLR;
import org.gradwire.optim.lr.OneCycleLR;
import org.gradwire.optim.lr.ReduceLROnPlateau;
import org.gradwire.optim.lr.Schedule;
import org.gradwire.optim.lr.SequentialLR;
import org.gradwire.optim.lr.StepLR;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.tests.InprocGroup;
import org.gradwire.runtime.tests.functions.OwnDescent;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Learning rates and states of optimizers on several workers. */
@Timeout(60)
class DistributedOptimizerStateTest {
    private static final SGD.Options MOMENTUM = SGD.options(0.1).momentum(0.9);

    private static DistributedOptimizer sgd(Rpc rpc, TwoLayers model) {
        return DistributedOptimizer.create(rpc, SGD::new, model.parameters(), MOMENTUM);
    }

    private static void assertSame(List<Tensor> expected, List<Tensor> actual) {
        for (int i = 0; i < expected.size(); i++) {
            assertTrue(expected.get(i).equal(actual.get(i)), "parameter " + i);
        }
    }

    @Test
    void schedulesChangeTheRatesOnTheOwners() throws Exception {
        List<Schedule> parts = List.of(new LinearLR(0.25, 1, 2), new StepLR(2, 0.5));
        for (Schedule schedule :
                List.of(new SequentialLR(parts, List.of(2)), OneCycleLR.of(0.2, 6))) {
            List<Tensor> here = TwoLayers.initial();
            var local = new SGD(here, MOMENTUM);
            var localScheduler = new LRScheduler(local, schedule);
            for (int step = 0; step < 6; step++) {
                local.zeroGrad();
                TwoLayers.loss(here).backward();
                local.step();
                localScheduler.step();
            }
            InprocGroup.runFirst(
                    3,
                    rpc -> {
                        try (var model = TwoLayers.on(rpc, "worker1", "worker2");
                                var optimizer = sgd(rpc, model)) {
                            var scheduler = new LRScheduler(optimizer, schedule);
                            for (int step = 0; step < 6; step++) {
                                model.train(optimizer);
                                scheduler.step();
                            }
                            assertEquals(localScheduler.lastLrs(), scheduler.lastLrs());
                            assertEquals(local.learningRates(), optimizer.learningRates());
                            List<Tensor> values = model.values();
                            for (int i = 0; i < values.size(); i++) {
                                assertTrue(here.get(i).allclose(values.get(i)), "parameter " + i);
                            }
                        }
                    });
        }
    }

    @Test
    void plateauReducesTheRatesOnTheOwners() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var model = TwoLayers.on(rpc, "worker0", "worker1");
                            var optimizer = sgd(rpc, model)) {
                        var scheduler =
                                new ReduceLROnPlateau(
                                        optimizer, ReduceLROnPlateau.options().patience(1));
                        for (double loss : new double[] {1, 1, 1}) {
                            scheduler.step(loss);
                        }
                        assertEquals(0.1 * 0.1, option(optimizer.stateDict(), "lr"));
                    }
                });
    }

    private static double option(Map<String, Tensor> state, String name) {
        return requireNonNull(state.get("param_groups.0." + name), name).item();
    }

    @Test
    void trainingContinuesBitwiseEqualOnOtherWorkers(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("optimizer.safetensors");
        InprocGroup.runFirst(
                3,
                rpc -> {
                    Adam.Options options = Adam.options(0.05).amsgrad(true);
                    try (var model = TwoLayers.on(rpc, "worker1", "worker2");
                            var optimizer =
                                    DistributedOptimizer.create(
                                            rpc, Adam::new, interleaved(model), options)) {
                        model.train(optimizer);
                        model.train(optimizer);
                        SafeTensors.save(file, optimizer.stateDict());
                        List<Tensor> weights = model.values();
                        model.train(optimizer);
                        try (var moved = TwoLayers.on(rpc, "worker0", "worker0", weights);
                                var resumed =
                                        DistributedOptimizer.create(
                                                rpc, Adam::new, interleaved(moved), 0.5)) {
                            resumed.loadStateDict(SafeTensors.load(file));
                            assertEquals(optimizer.learningRates(), resumed.learningRates());
                            moved.train(resumed);
                            assertSame(model.values(), moved.values());
                        }
                    }
                });
    }

    /** {@return the parameters in an order that alternates between owners} */
    private static List<RRef<Tensor>> interleaved(TwoLayers model) {
        List<RRef<Tensor>> p = model.parameters();
        return List.of(p.get(2), p.get(1), p.get(3), p.get(0));
    }

    @Test
    void stateNumbersParametersInTheGivenOrder() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var model = TwoLayers.on(rpc, "worker0", "worker1");
                            var optimizer =
                                    DistributedOptimizer.create(
                                            rpc,
                                            OwnDescent::vectorsFirst,
                                            model.parameters(),
                                            0.1)) {
                        model.train(optimizer);
                        Map<String, Tensor> state = optimizer.stateDict();
                        int[][] shapes = {{3, 4}, {4}, {4, 2}, {2}};
                        for (int i = 0; i < shapes.length; i++) {
                            Tensor buffer = state.get("state.%d.momentum_buffer".formatted(i));
                            assertArrayEquals(shapes[i], requireNonNull(buffer).shape());
                        }
                        assertArrayEquals(new long[] {1, 3}, parameters(state, 0));
                        assertArrayEquals(new long[] {0, 2}, parameters(state, 1));
                        List<Tensor> weights = model.values();
                        model.train(optimizer);
                        try (var moved = TwoLayers.on(rpc, "worker1", "worker1", weights);
                                var resumed =
                                        DistributedOptimizer.create(
                                                rpc,
                                                OwnDescent::vectorsFirst,
                                                moved.parameters(),
                                                0.7)) {
                            resumed.loadStateDict(state);
                            moved.train(resumed);
                            assertSame(model.values(), moved.values());
                        }
                    }
                });
    }

    private static long[] parameters(Map<String, Tensor> state, int group) {
        return requireNonNull(state.get("param_groups.%d.params".formatted(group))).toLongArray();
    }

    @Test
    void groupsThatDifferBetweenOwnersHaveNoCommonRatesOrState() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var model = TwoLayers.on(rpc, "worker0", "worker1");
                            var optimizer =
                                    DistributedOptimizer.create(
                                            rpc,
                                            OwnDescent::decaysByOwner,
                                            model.parameters(),
                                            0.1)) {
                        model.train(optimizer);
                        assertEquals(
                                "the optimizer has LearningRates[lrs=[0.1], momenta=[0.0]] on worker0 and LearningRates[lrs=[0.2], momenta=[0.0]] on worker1; a schedule needs the same groups of parameters on all owners",
                                assertThrows(IllegalStateException.class, optimizer::learningRates)
                                        .getMessage());
                        String message =
                                assertThrows(IllegalStateException.class, optimizer::stateDict)
                                        .getMessage();
                        assertTrue(
                                String.valueOf(message)
                                        .startsWith("the options on worker0 and worker1 differ: "),
                                message);
                    }
                });
    }

    @Test
    void unchangedRatesAreNotSent() throws Exception {
        InprocGroup.runFirst(
                2,
                rpc -> {
                    try (var model = TwoLayers.on(rpc, "worker1", "worker1")) {
                        DistributedOptimizer optimizer = sgd(rpc, model);
                        LearningRates learningRates = optimizer.learningRates();
                        optimizer.close(); // worker1 is closed, so that a call of it would fail
                        optimizer.learningRates(learningRates);
                        assertEquals(learningRates, optimizer.learningRates());
                    }
                });
    }
}
