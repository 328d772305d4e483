package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Parameters whose gradients are averaged together: several, or one with sparse gradients. */
final class Bucket {
    private final List<Integer> members;
    private final List<Tensor> parameters;
    private final @Nullable GradientBucket dense;
    private final List<Tensor> views;
    private Tensor sparse;

    /**
     * Create a bucket.
     *
     * @param members numbers of the parameters
     * @param dense null for one parameter with sparse gradients
     */
    Bucket(List<Integer> members, List<Tensor> parameters, @Nullable GradientBucket dense) {
        this.members = members;
        this.parameters = parameters;
        this.dense = dense;
        this.views = dense == null ? List.of() : dense.split(dense.gradients());
        this.sparse = parameters.getFirst();
    }

    List<Integer> members() {
        return members;
    }

    Tensor parameter(int position) {
        return parameters.get(position);
    }

    /** Set the gradient of a parameter by its position in this bucket; null for zeros. */
    void set(int position, @Nullable Tensor gradient) {
        Tensor parameter = parameters.get(position);
        if (gradient != null && gradient.isSparse() == (dense != null)) {
            throw new IllegalStateException(
                    dense == null
                            ? "the gradient of a sparse embedding of shape %s is dense; use the table only through its module, or make it without sparse"
                                    .formatted(Arrays.toString(parameter.shape()))
                            : "the gradient of a parameter of shape %s is sparse, and only those of Embedding and EmbeddingBag with sparse may be"
                                    .formatted(Arrays.toString(parameter.shape())));
        }
        if (dense == null) {
            sparse = gradient == null ? noRows(parameter) : gradient;
        } else if (gradient == null) {
            views.get(position).zero_();
        } else {
            views.get(position).copy_(gradient);
        }
    }

    private static Tensor noRows(Tensor table) {
        int[] shape = table.shape();
        int[] values = shape.clone();
        values[0] = 0;
        return Tensor.sparseCoo(
                Tensor.zeros(DType.INT64, 1, 0), Tensor.zeros(table.dtype(), values), shape);
    }

    /** {@return the averages of the gradients, by position} */
    List<Tensor> average(ProcessGroup group, CommunicationHook hook) {
        if (dense == null) {
            return List.of(group.allReduce(sparse, ReduceOp.MEAN));
        }
        Tensor average = hook.average(group, dense);
        Tensor gradients = dense.gradients();
        if (average.dtype() != gradients.dtype()
                || !Arrays.equals(average.shape(), gradients.shape())) {
            throw new IllegalStateException(
                    "a communication hook returned %s%s for gradients of %s%s; return their average"
                            .formatted(
                                    average.dtype(),
                                    Arrays.toString(average.shape()),
                                    gradients.dtype(),
                                    Arrays.toString(gradients.shape())));
        }
        return dense.split(average);
    }
}
