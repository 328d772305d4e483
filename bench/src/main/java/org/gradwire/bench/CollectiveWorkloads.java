package org.gradwire.bench;

import org.gradwire.bench.local.Perceptron;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The operations of a member of a process group, after a check of their results. */
final class CollectiveWorkloads {
    private static final int ROOT = 1; // rank 0, which measures, receives

    private final ProcessGroup group;

    CollectiveWorkloads(ProcessGroup group) {
        this.group = group;
    }

    /**
     * Run an operation once, as all members do, and check its results.
     *
     * @return the operation
     * @throws AssertionError if a result is wrong
     */
    Workload.Call checked(Metric metric) {
        int length = (int) (metric.work() / Float.BYTES);
        Tensor own = filled(group.rank(), length);
        return switch (metric) {
            case ALL_REDUCE_4_B,
                    ALL_REDUCE_64_KIB,
                    ALL_REDUCE_1_MIB,
                    ALL_REDUCE_16_MIB,
                    ALL_REDUCE_256_MIB ->
                    checked(
                            () -> List.of(group.allReduce(own, ReduceOp.SUM)),
                            List.of(sum(length)));
            case BROADCAST_64_KIB, BROADCAST_1_MIB -> broadcast(own);
            case ALL_GATHER_64_KIB, ALL_GATHER_1_MIB ->
                    checked(() -> group.allGather(own), filled(length));
            case ALL_TO_ALL_64_KIB, ALL_TO_ALL_1_MIB -> allToAll(length / group.size());
            case BARRIER -> group::barrier;
            case DDP_STEP -> trainingStep();
            default -> throw new IllegalArgumentException(metric.label());
        };
    }

    private Workload.Call allToAll(int length) {
        Tensor own = filled(group.rank(), length);
        List<Tensor> all = Collections.nCopies(group.size(), own);
        return checked(() -> group.allToAll(all), filled(length));
    }

    private Workload.Call trainingStep() {
        var perceptron = new Perceptron(new Random(group.rank()));
        var parallel = DistributedDataParallel.of(group, perceptron.net());
        Workload.Call step =
                () -> {
                    try (var _ = TensorScope.open()) {
                        perceptron.step(data -> parallel.forward(net -> net.forward(data)));
                    }
                };
        for (int i = 0; i < 3; i++) {
            perceptron.step(data -> parallel.forward(net -> net.forward(data)));
        }
        Tensor weight = perceptron.net().parameters().getFirst().detach();
        check(group.allGather(weight), Collections.nCopies(group.size(), weight));
        return step;
    }

    /** Broadcast; the result of the root is its own tensor, which no scope may release. */
    private Workload.Call broadcast(Tensor own) {
        if (group.rank() == ROOT) {
            return checked(
                    () -> {
                        var _ = group.broadcast(own, ROOT);
                        return List.of();
                    },
                    List.of());
        }
        return checked(
                () -> List.of(group.broadcast(own, ROOT)), List.of(filled(ROOT, own.numel())));
    }

    private Workload.Call checked(Supplier<List<Tensor>> operation, List<Tensor> expected) {
        try (var scope = TensorScope.open()) {
            List<Tensor> results = operation.get();
            results.forEach(scope::add);
            check(results, expected);
        }
        return () -> {
            try (var scope = TensorScope.open()) {
                operation.get().forEach(scope::add);
            }
        };
    }

    private void check(List<Tensor> results, List<Tensor> expected) {
        boolean right = results.size() == expected.size();
        for (int i = 0; right && i < expected.size(); i++) {
            right = results.get(i).equal(expected.get(i));
        }
        if (!right) {
            throw new AssertionError(
                    "rank %d has %s instead of %s".formatted(group.rank(), results, expected));
        }
    }

    /** {@return the tensors of all members} */
    private List<Tensor> filled(int length) {
        return IntStream.range(0, group.size()).mapToObj(rank -> filled(rank, length)).toList();
    }

    /** {@return the tensor of a member: its rank and one, everywhere} */
    private static Tensor filled(int rank, int length) {
        return Tensor.full(rank + 1.0f, length);
    }

    private Tensor sum(int length) {
        int size = group.size();
        return Tensor.full(size * (size + 1) / 2.0f, length);
    }
}
