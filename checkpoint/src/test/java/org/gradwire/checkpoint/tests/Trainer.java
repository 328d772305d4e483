package org.gradwire.checkpoint.tests;

import org.gradwire.checkpoint.Stateful;
import org.gradwire.checkpoint.StatefulRandom;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.data.DataLoader;
import org.gradwire.data.Sampler;
import org.gradwire.data.TensorDataset;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.parallel.ZeroOptimizer;
import org.gradwire.optim.Adam;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.StepLR;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A member that trains with everything that has a state; a step is an epoch of a small dataset. */
final class Trainer {
    private static final int SAMPLES = 12;

    private final ProcessGroup group;
    final Sequential model;
    final ZeroOptimizer optimizer;
    final LRScheduler scheduler;
    final DataLoader<List<Tensor>> loader;
    final StatefulRandom random;

    Trainer(ProcessGroup group, long seed, int width) {
        this.group = group;
        model =
                new Sequential(
                        new Linear(4, width, seed), new Tanh(), new Linear(width, 2, seed + 1));
        optimizer = ZeroOptimizer.of(group, model.parameters(), share -> new Adam(share, 0.05));
        scheduler = new LRScheduler(optimizer, new StepLR(2, 0.5));
        loader =
                DataLoader.of(new TensorDataset(Tensor.randn(new SplittableRandom(1), SAMPLES, 4)))
                        .batchSize(2)
                        .sampler(
                                Sampler.distributed(
                                        Sampler.shuffled(5), group.rank(), group.size()))
                        .build();
        random = new StatefulRandom(group.rank());
    }

    Map<String, Stateful> states() {
        return Map.of(
                "model",
                Stateful.of(model),
                "optimizer",
                Stateful.of(optimizer),
                "scheduler",
                Stateful.of(scheduler),
                "loader",
                Stateful.of(loader),
                "random-" + group.rank(),
                random);
    }

    /** Train for an epoch. */
    void step() {
        try (var parallel = DistributedDataParallel.of(group, model)) {
            for (List<Tensor> batch : loader) {
                Tensor noise = Tensor.randn(random, 2, 4);
                optimizer.zeroGrad();
                parallel.forward(m -> m.forward(batch.getFirst().add(noise)))
                        .pow(2)
                        .mean()
                        .backward();
                optimizer.step();
            }
        }
        scheduler.step();
    }

    /** {@return copies of all tensors of all states, by their names in a checkpoint} */
    Map<String, Tensor> tensors() {
        return tensors(states());
    }

    static Map<String, Tensor> tensors(Map<String, Stateful> states) {
        Map<String, Tensor> all = new TreeMap<>();
        states.forEach((name, state) ->
                state.stateDict()
                        .forEach((key, tensor) -> all.put(name + "/" + key, tensor.clone())));
        return all;
    }

    /** {@return whether names and bits are equal} */
    static boolean equal(Map<String, Tensor> one, Map<String, Tensor> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream()
                        .allMatch(entry -> {
                            Tensor tensor = other.get(entry.getKey());
                            return tensor != null && entry.getValue().equal(tensor);
                        });
    }
}
