package org.gradwire.examples.ddp;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.data.DataLoader;
import org.gradwire.data.Sampler;
import org.gradwire.examples.checks.Training;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.parallel.ZeroOptimizer;
import org.gradwire.optim.Adam;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * {@code ./gradwire run ddp}: all workers train replicas of a network on shares of the samples,
 * with an optimizer whose state is sharded. Then the first worker runs the same training alone, and
 * compares.
 */
public final class Ddp {
    static final int EPOCHS = 20;
    static final int BATCH = 16; // of a trainer
    private static final int HIDDEN = 64;
    private static final long SEED = 7;

    private Ddp() {}

    public static void main(String[] args) {
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            equal = run(rpc);
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /** {@return whether this worker's comparisons were equal} */
    static boolean run(Rpc rpc) {
        List<String> names = rpc.workers().stream().map(WorkerInfo::name).toList();
        try (var group = ProcessGroup.of(rpc, "trainers", names)) {
            Sequential model = network();
            Training training = train(group, model);
            return group.rank() != 0 || training.printAgainst(OneProcess.train(group.size()));
        }
    }

    private static Training train(ProcessGroup group, Sequential model) {
        List<Double> losses = new ArrayList<>();
        var optimizer = ZeroOptimizer.of(group, model.parameters(), Ddp::adam);
        try (var parallel = DistributedDataParallel.of(group, model)) {
            DataLoader<List<Tensor>> loader = loader(group.rank(), group.size());
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                for (List<Tensor> batch : loader) {
                    optimizer.zeroGrad();
                    Tensor loss =
                            parallel.forward(m -> m.forward(batch.getFirst()))
                                    .crossEntropy(batch.getLast());
                    loss.backward();
                    optimizer.step();
                    losses.add(group.allReduce(loss.detach(), ReduceOp.MEAN).item());
                }
            }
        }
        report(group, model, optimizer);
        return new Training(losses, new LinkedHashMap<>(model.namedParameters()));
    }

    private static void report(ProcessGroup group, Sequential model, ZeroOptimizer optimizer) {
        long share = elements(optimizer.share());
        Tensor least = group.allReduce(Tensor.of(share), ReduceOp.MIN);
        Tensor most = group.allReduce(Tensor.of(share), ReduceOp.MAX);
        if (group.rank() == 0) {
            System.out.printf(
                    "%d trainers average %d gradients in each step; each has the optimizer's state of %d to %d parameters%n",
                    group.size(),
                    elements(model.parameters()),
                    least.itemAsLong(),
                    most.itemAsLong());
        }
    }

    private static long elements(List<Tensor> tensors) {
        return tensors.stream().mapToLong(Tensor::numel).sum();
    }

    static Sequential network() {
        return new Sequential(
                new Linear(Spirals.FEATURES, HIDDEN, SEED),
                new ReLU(),
                new Linear(HIDDEN, HIDDEN, SEED + 1),
                new ReLU(),
                new Linear(HIDDEN, Spirals.CLASSES, SEED + 2));
    }

    static Adam adam(List<Tensor> parameters) {
        return new Adam(parameters, 0.01);
    }

    /** {@return the batches of a trainer: shares of the same order of all samples} */
    static DataLoader<List<Tensor>> loader(int rank, int trainers) {
        return DataLoader.of(Spirals.dataset())
                .batchSize(BATCH)
                .sampler(Sampler.distributed(Sampler.shuffled(SEED), rank, trainers))
                .prefetch(2)
                .build();
    }
}
