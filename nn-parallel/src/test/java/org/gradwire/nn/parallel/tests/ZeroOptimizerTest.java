package org.gradwire.nn.parallel.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.parallel.ZeroOptimizer;
import org.gradwire.optim.Adam;
import org.gradwire.optim.SGD;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.StepLR;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Optimizers whose state is sharded, compared with one that is not. */
@Timeout(120)
@GradwireWorkers(3)
class ZeroOptimizerTest {
    private static final int STEPS = 6;

    private static Adam adam(List<Tensor> share) {
        return new Adam(share, 0.05);
    }

    private static ZeroOptimizer zero(ProcessGroup group, Sequential model) {
        return ZeroOptimizer.of(group, model.parameters(), ZeroOptimizerTest::adam);
    }

    private static void train(
            ProcessGroup group, Sequential model, ZeroOptimizer optimizer, int from, int to) {
        try (var parallel = DistributedDataParallel.of(group, model)) {
            for (int s = from; s < to; s++) {
                int step = s;
                optimizer.zeroGrad();
                parallel.forward(m -> Samples.loss(m, group.rank(), step)).backward();
                optimizer.step();
            }
        }
    }

    /** {@return the same training with an optimizer for all parameters} */
    private static Adam alone(Sequential model, int steps) {
        Adam optimizer = adam(model.parameters());
        for (int step = 0; step < steps; step++) {
            List<List<Tensor>> gradients =
                    List.of(
                            Samples.gradients(model, 0, step),
                            Samples.gradients(model, 1, step),
                            Samples.gradients(model, 2, step));
            List<Tensor> average = Samples.average(gradients);
            for (int i = 0; i < average.size(); i++) {
                var _ = model.parameters().get(i).grad(average.get(i));
            }
            optimizer.step();
        }
        return optimizer;
    }

    @Test
    void trainingIsThatOfOneOptimizerToTheBit(List<Rpc> workers) {
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            ZeroOptimizer optimizer = zero(group, model);
                            train(group, model, optimizer, 0, STEPS);
                            return Samples.copies(model.parameters());
                        });
        Sequential model = Samples.perceptron(7);
        var _ = alone(model, STEPS);
        found.forEach(
                member -> assertTrue(Samples.equal(Samples.copies(model.parameters()), member)));
    }

    @Test
    void eachParameterBelongsToOneMember(List<Rpc> workers) {
        List<List<int[]>> shapes =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            ZeroOptimizer optimizer = zero(group, model);
                            assertTrue(
                                    optimizer
                                            .toString()
                                            .startsWith(
                                                    "ZeroOptimizer(%d of 4 parameters, Adam"
                                                            .formatted(optimizer.share().size())));
                            return optimizer.share().stream().map(Tensor::shape).toList();
                        });
        // Weights of 7x5 and 3x7, biases of 7 and 3: the two biases go to the third.
        assertEquals(List.of(1, 1, 2), shapes.stream().map(List::size).toList());
        assertEquals(5, shapes.get(0).getFirst()[1]);
        assertEquals(7, shapes.get(1).getFirst()[1]);
    }

    @Test
    void theCollectedStateIsThatOfOneOptimizer(List<Rpc> workers) {
        List<Map<String, Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            ZeroOptimizer optimizer = zero(group, model);
                            train(group, model, optimizer, 0, STEPS);
                            return optimizer.stateDict(1).orElseGet(Map::of);
                        });
        assertEquals(Map.of(), found.get(0));
        assertEquals(Map.of(), found.get(2));
        Map<String, Tensor> expected = alone(Samples.perceptron(7), STEPS).stateDict();
        assertEquals(expected.keySet(), found.get(1).keySet());
        for (var state : found.get(1).entrySet()) {
            Tensor tensor = expected.get(state.getKey());
            assertNotNull(tensor);
            assertTrue(tensor.equal(state.getValue()), state::getKey);
        }
    }

    @Test
    void trainingResumesToTheBitOnOtherMembers(List<Rpc> workers) {
        Sequential half = Samples.perceptron(7);
        Map<String, Tensor> saved = alone(half, STEPS / 2).stateDict();
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(8);
                            model.loadStateDict(half.stateDict());
                            ZeroOptimizer optimizer = zero(group, model);
                            optimizer.loadStateDict(saved);
                            train(group, model, optimizer, STEPS / 2, STEPS);
                            return Samples.copies(model.parameters());
                        });
        Sequential whole = Samples.perceptron(7);
        var _ = alone(whole, STEPS);
        found.forEach(
                member -> assertTrue(Samples.equal(Samples.copies(whole.parameters()), member)));
    }

    @Test
    void aStateOfOtherParametersIsRefusedOnAllMembers(List<Rpc> workers) {
        Map<String, Tensor> fewer =
                adam(Samples.perceptron(7).parameters().subList(0, 3)).stateDict();
        Map<String, Tensor> wider = alone(Samples.perceptron(7), 1).stateDict();
        wider.replaceAll((name, tensor) -> name.endsWith("exp_avg") ? Tensor.ones(9, 9) : tensor);
        Members.run(
                workers,
                (_, group) -> {
                    ZeroOptimizer optimizer = zero(group, Samples.perceptron(7));
                    for (Map<String, Tensor> state : List.of(fewer, wider)) {
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> optimizer.checkStateDict(state));
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> optimizer.loadStateDict(state));
                    }
                    optimizer.checkStateDict(alone(Samples.perceptron(7), 1).stateDict());
                    return true;
                });
    }

    @Test
    void schedulersSetTheRatesOfAllMembers(List<Rpc> workers) {
        Set<Double> rates =
                new HashSet<>(
                        Members.run(
                                workers,
                                (_, group) -> {
                                    Sequential model = Samples.perceptron(7);
                                    var optimizer =
                                            ZeroOptimizer.of(
                                                    group,
                                                    model.parameters(),
                                                    share -> new SGD(share, 0.4));
                                    var scheduler = new LRScheduler(optimizer, new StepLR(1, 0.5));
                                    scheduler.step();
                                    return optimizer.learningRates().lrs().getFirst();
                                }));
        assertEquals(Set.of(0.2), rates);
    }

    @Test
    void parametersMustBeEnoughAndAlike(List<Rpc> workers) {
        Members.run(
                workers,
                (_, group) -> {
                    List<Tensor> two = List.of(Tensor.ones(1).requiresGrad(true), Tensor.ones(1));
                    assertEquals(
                            "2 parameters cannot be shared by the 3 members of trainers; use an optimizer that is not sharded",
                            assertThrows(
                                            IllegalArgumentException.class,
                                            () ->
                                                    ZeroOptimizer.of(
                                                            group, two, ZeroOptimizerTest::adam))
                                    .getMessage());
                    List<Tensor> own = Samples.perceptron(7).parameters();
                    List<Tensor> given = group.rank() == 0 ? own.reversed() : own;
                    return assertThrows(
                            IllegalArgumentException.class,
                            () -> ZeroOptimizer.of(group, given, ZeroOptimizerTest::adam));
                });
    }
}
