package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.checkpoint.Rows;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.checkpoint.StatefulRandom;
import org.gradwire.data.DataLoader;
import org.gradwire.data.TensorDataset;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.Adam;
import org.gradwire.optim.GradScaler;
import org.gradwire.optim.LBFGS;
import org.gradwire.optim.Optimizer;
import org.gradwire.optim.SGD;
import org.gradwire.optim.lr.ExponentialLR;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.ReduceLROnPlateau;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** The states that checkpoints contain. */
class StatefulTest {

    private static Linear linear() {
        return new Linear(3, 2, 1L);
    }

    private static void step(Linear linear, Optimizer<?> optimizer) {
        linear.forward(Tensor.ones(4, 3)).pow(2).mean().backward();
        optimizer.step();
        optimizer.zeroGrad();
    }

    /** Load a state into another one that differs, after its check. */
    private static void assertLoads(Stateful from, Stateful to) {
        Map<String, Tensor> saved = Trainer.tensors(Map.of("s", from));
        assertFalse(Trainer.equal(saved, Trainer.tensors(Map.of("s", to))));
        to.check(from.stateDict());
        to.loadStateDict(from.stateDict());
        assertTrue(Trainer.equal(saved, Trainer.tensors(Map.of("s", to))));
    }

    private static String refusal(Stateful state, Map<String, Tensor> other) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> state.check(other))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -7, Long.MAX_VALUE})
    void randomNumbersAreThoseOfASplittableRandom(long seed) {
        var expected = new SplittableRandom(seed);
        var random = new StatefulRandom(seed);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(expected.nextLong(), random.nextLong());
            assertEquals(expected.nextInt(), random.nextInt());
            assertEquals(expected.nextDouble(), random.nextDouble());
            assertEquals(expected.nextInt(17), random.nextInt(17));
            assertEquals(expected.nextBoolean(), random.nextBoolean());
            assertEquals(expected.nextGaussian(), random.nextGaussian());
        }
        var other = new StatefulRandom(seed + 1);
        assertLoads(random, other);
        assertEquals(random.nextLong(), other.nextLong());
    }

    @Test
    void modulesAndOptimizers() {
        Linear linear = linear();
        var adam = new Adam(linear.parameters(), 0.1);
        step(linear, adam);
        Linear other = linear();
        assertLoads(Stateful.of(linear), Stateful.of(other));
        assertLoads(Stateful.of(adam), Stateful.of(new Adam(other.parameters(), 0.2)));
        assertEquals(
                "'weight' is float32[2, 3], expected float32[5, 3]",
                refusal(Stateful.of(new Linear(3, 5, 1L)), linear.stateDict()));
        assertEquals(
                "'bias' is unexpected, there is no such tensor",
                refusal(
                        Stateful.of(new Linear(new Linear.Configuration(3, 2, false), 1L)),
                        linear.stateDict()));
    }

    @Test
    void anOptimizerRefusesTheStateOfAnother() {
        Linear linear = linear();
        var adam = new Adam(linear.parameters(), 0.1);
        step(linear, adam);
        Map<String, Tensor> saved = adam.stateDict();
        assertRefused(
                "has shape [2, 3] in the saved state, the parameter has [5, 3]",
                Stateful.of(new Adam(new Linear(3, 5, 1L).parameters(), 0.1)),
                saved);
        assertRefused(
                "group 0 has 2 parameters in the state, 1 in the optimizer",
                Stateful.of(new Adam(linear.parameters().subList(0, 1), 0.1)),
                saved);
        assertRefused(
                "the saved state has no option 'momentum'",
                Stateful.of(new SGD(linear.parameters(), 0.1)),
                saved);
        assertRefused(
                "the state is not that of an LBFGS over these parameters",
                Stateful.of(new LBFGS(linear.parameters())),
                saved);
        Map<String, Tensor> longer = new HashMap<>(saved);
        longer.put("state.2.step", Tensor.scalar(1));
        assertRefused(
                "the saved state has a parameter 2, the optimizer only 2 parameters",
                Stateful.of(adam),
                longer);
        Map<String, Tensor> counts = new HashMap<>(saved);
        counts.put("state.0.step", Tensor.of(1L, 2L));
        assertRefused(
                "'step' of parameter 0 has shape [2] in the saved state, expected one number",
                Stateful.of(adam),
                counts);
    }

    /** Assert that a check refuses a state, and leaves that of the object as it was. */
    private static void assertRefused(String text, Stateful state, Map<String, Tensor> other) {
        Map<String, Tensor> before = new HashMap<>();
        state.stateDict().forEach((name, tensor) -> before.put(name, tensor.copy()));
        String refusal = refusal(state, other);
        assertTrue(refusal.contains(text), refusal);
        assertEquals(before.keySet(), state.stateDict().keySet());
        state.stateDict()
                .forEach((name, tensor) ->
                        assertTrue(tensor.equal(Objects.requireNonNull(before.get(name))), name));
    }

    @Test
    void schedulersScalersAndLoaders() {
        Linear linear = linear();
        var optimizer = new SGD(linear.parameters(), 0.1);
        var scheduler = new LRScheduler(optimizer, new ExponentialLR(0.5));
        scheduler.step();
        assertLoads(
                Stateful.of(scheduler),
                Stateful.of(new LRScheduler(optimizer, new ExponentialLR(0.5))));
        var plateau = new ReduceLROnPlateau(optimizer);
        plateau.step(3);
        assertLoads(Stateful.of(plateau), Stateful.of(new ReduceLROnPlateau(optimizer)));
        var scaler = new GradScaler(GradScaler.options().scale(8));
        assertLoads(Stateful.of(scaler), Stateful.of(new GradScaler()));
        var loader = DataLoader.of(new TensorDataset(Tensor.ones(4, 1))).build();
        loader.epoch(3);
        try (var _ = loader.iterator()) {
            assertEquals(4, loader.epoch());
        }
        var other = DataLoader.of(new TensorDataset(Tensor.ones(4, 1))).build();
        assertLoads(Stateful.of(loader), Stateful.of(other));
        assertEquals(4, other.epoch());
    }

    @Test
    void anOptimizerWithHistory() {
        Linear linear = linear();
        var optimizer = new LBFGS(linear.parameters());
        var _ =
                optimizer.step(() -> {
                    linear.zeroGrad();
                    Tensor loss = linear.forward(Tensor.ones(4, 3)).pow(2).mean();
                    loss.backward();
                    return loss;
                });
        assertLoads(Stateful.of(optimizer), Stateful.of(new LBFGS(linear().parameters())));
    }

    @Test
    @GradwireWorkers(2)
    void modulesAndOptimizersOfOtherWorkers(Rpc rpc) {
        try (var one = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2, 1L);
                var two = RemoteModule.create(rpc, "worker1", Linear::new, 3, 2, 2L);
                var first = optimizer(rpc, one);
                var second = optimizer(rpc, two)) {
            try (var context = DistAutograd.context(rpc)) {
                context.backward(one.forward(Linear::forward, Tensor.ones(4, 3)).pow(2).mean());
                first.step(context);
            }
            assertLoads(Stateful.of(one), Stateful.of(two));
            assertLoads(Stateful.of(first), Stateful.of(second));
            assertEquals("'weight' is missing", refusal(Stateful.of(one), first.stateDict()));
            Map<String, Tensor> saved = first.stateDict();
            saved.put("state.0.momentum_buffer", Tensor.ones(7, 7));
            assertRefused(
                    "has shape [7, 7] in the saved state, the parameter has [2, 3]",
                    Stateful.of(second),
                    saved);
        }
    }

    private static DistributedOptimizer optimizer(Rpc rpc, RemoteModule<Linear> module) {
        List<RRef<Tensor>> parameters = module.remoteParameters();
        var optimizer =
                DistributedOptimizer.create(
                        rpc, SGD::new, parameters, SGD.options(0.1).momentum(0.9));
        parameters.forEach(RRef::close);
        return optimizer;
    }

    @Test
    void rowsAreDividedEvenly() {
        assertEquals(new Rows(0, 4, 10), Rows.of(0, 3, 10));
        assertEquals(new Rows(4, 3, 10), Rows.of(1, 3, 10));
        assertEquals(new Rows(7, 3, 10), Rows.of(2, 3, 10));
        assertEquals(new Rows(2, 0, 2), Rows.of(4, 5, 2));
        assertThrows(IllegalArgumentException.class, () -> new Rows(1, 10, 10));
        assertThrows(IllegalArgumentException.class, () -> Rows.of(3, 3, 10));
        Stateful sharded =
                Stateful.sharded(Stateful.of(linear()), Map.of("weight", Rows.of(0, 1, 2)));
        assertEquals(Map.of("weight", new Rows(0, 2, 2)), sharded.rows());
        assertEquals(linear().stateDict().keySet(), sharded.stateDict().keySet());
    }
}
