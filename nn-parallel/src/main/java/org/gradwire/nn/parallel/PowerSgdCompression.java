package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Sends each gradient of two or more dimensions as two factors of low rank, found by a step of
 * power iteration; the error is added to the gradient of the next pass. Smaller gradients are
 * averaged as they are. After Vogels et al., <i>PowerSGD: Practical Low-Rank Gradient Compression
 * for Distributed Optimization</i>, 2019.
 *
 * <p>A gradient of shape (n, m, ...) counts as a matrix of n rows. An instance belongs to one
 * {@link DistributedDataParallel}.
 */
public final class PowerSgdCompression implements CommunicationHook {
    private final int rank;
    private final int firstPasses;
    private final SplittableRandom random;
    private final Map<List<Tensor>, Factors> factors = new HashMap<>(); // by parameters
    private final Map<List<Tensor>, Integer> passes = new HashMap<>();

    /**
     * The state of a bucket.
     *
     * @param errors of the last pass, by the shape of {@link GradientBucket#gradients}
     * @param right factors of the last pass, by parameter; empty for one that is not compressed
     */
    private record Factors(Tensor errors, List<Tensor> right) {}

    /**
     * Create the hook, with the same arguments on all members.
     *
     * @param rank of the factors, 1 or more
     * @param firstPasses number of passes before the first one with compression
     * @param seed of the first factors
     * @throws IllegalArgumentException if the rank is less than 1 or the number negative
     */
    public PowerSgdCompression(int rank, int firstPasses, long seed) {
        if (rank < 1 || firstPasses < 0) {
            throw new IllegalArgumentException(
                    "the rank must be 1 or more, and the number of first passes 0 or more, but they are %d and %d"
                            .formatted(rank, firstPasses));
        }
        this.rank = rank;
        this.firstPasses = firstPasses;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public Tensor average(ProcessGroup group, GradientBucket bucket) {
        if (passes.merge(bucket.parameters(), 1, Integer::sum) <= firstPasses) {
            return group.allReduce(bucket.gradients(), ReduceOp.MEAN);
        }
        Factors state =
                factors.computeIfAbsent(
                        bucket.parameters(), _ -> TensorScope.outside(() -> initial(bucket)));
        Tensor gradients = bucket.gradients().add(state.errors);
        Tensor result = compressed(group, bucket, gradients, state.right);
        state.errors.copy_(gradients.sub(result));
        return result;
    }

    private Factors initial(GradientBucket bucket) {
        List<Tensor> right = new ArrayList<>();
        for (Tensor parameter : bucket.parameters()) {
            right.add(isCompressed(parameter) ? initialRight(parameter) : Tensor.zeros(0));
        }
        return new Factors(Tensor.zerosLike(bucket.gradients()), right);
    }

    private Tensor initialRight(Tensor parameter) {
        int columns = parameter.numel() / parameter.size(0);
        return Tensor.randn(random, parameter.dtype(), columns, rank).to(parameter.device());
    }

    /** {@return whether the factors are smaller than the gradient} */
    private boolean isCompressed(Tensor parameter) {
        if (parameter.dim() < 2 || parameter.numel() == 0) {
            return false;
        }
        long rows = parameter.size(0);
        long columns = parameter.numel() / rows;
        return (rows + columns) * rank < rows * columns;
    }

    private Tensor compressed(
            ProcessGroup group, GradientBucket bucket, Tensor gradients, List<Tensor> right) {
        Tensor result = gradients.clone();
        List<Tensor> sources = bucket.split(gradients);
        List<Tensor> targets = bucket.split(result);
        List<Tensor> whole = new ArrayList<>();
        List<Tensor> left = new ArrayList<>();
        List<Integer> matrices = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            if (right.get(i).numel() == 0) {
                whole.add(targets.get(i));
            } else {
                matrices.add(i);
                left.add(matrix(sources.get(i)).matmul(right.get(i)));
            }
        }
        List<Tensor> firstRound = new ArrayList<>(whole);
        firstRound.addAll(left);
        average(group, firstRound);
        left.forEach(PowerSgdCompression::orthonormalize);
        for (int j = 0; j < left.size(); j++) {
            int i = matrices.get(j);
            right.get(i).copy_(matrix(sources.get(i)).t().matmul(left.get(j)));
        }
        average(group, matrices.stream().map(right::get).toList());
        for (int j = 0; j < left.size(); j++) {
            int i = matrices.get(j);
            Tensor product = left.get(j).matmul(right.get(i).t());
            targets.get(i).copy_(product.view(targets.get(i).shape()));
        }
        return result;
    }

    private static Tensor matrix(Tensor gradient) {
        return gradient.reshape(gradient.size(0), -1);
    }

    private static void average(ProcessGroup group, List<Tensor> tensors) {
        if (!tensors.isEmpty()) {
            var _ = group.allReduce_(tensors, ReduceOp.MEAN);
        }
    }

    /** Make the columns of a matrix orthonormal, by Gram and Schmidt; a column of zeros stays. */
    private static void orthonormalize(Tensor matrix) {
        for (int column = 0; column < matrix.size(1); column++) {
            Tensor vector = matrix.narrow(1, column, 1);
            if (column > 0) {
                Tensor before = matrix.narrow(1, 0, column);
                vector.sub_(before.matmul(before.t().matmul(vector)));
            }
            double norm = vector.pow(2).sum().sqrt().item();
            if (norm > 0) {
                vector.div_(norm);
            }
        }
    }
}
