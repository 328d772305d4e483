package org.gradwire.tensor.operator;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.gradwire.tensor.operator.sample.Sampler;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The rows of the table with their samples, as arguments of parameterized tests. */
public final class RowCases {

    private RowCases() {}

    /** One operator with one sample of arguments. */
    record RowCase(OperatorRow row, int sample) {

        @Nullable Object[] args() {
            return row.samples(new Sampler()).get(sample);
        }

        /** Return the inputs that require a gradient. */
        List<Tensor> leaves(@Nullable Object[] args) {
            return row.inputs(args).stream().filter(Tensor::requiresGrad).toList();
        }

        @Override
        public String toString() {
            return row.name() + " #" + sample;
        }
    }

    static Stream<RowCase> all() {
        return TensorOperators.rows().stream().flatMap(RowCases::of);
    }

    private static Stream<RowCase> of(OperatorRow row) {
        var cases = new ArrayList<RowCase>();
        for (int i = 0; i < row.samples(new Sampler()).size(); i++) {
            cases.add(new RowCase(row, i));
        }
        if (cases.isEmpty()) {
            throw new AssertionError(row + " has no samples");
        }
        return cases.stream();
    }

    /** Return the results, one or several, as a list. */
    static List<Tensor> results(Object result) {
        var tensors = new ArrayList<Tensor>();
        if (result instanceof Tensor tensor) {
            tensors.add(tensor);
        } else {
            for (Object element : (List<?>) result) {
                tensors.add((Tensor) element);
            }
        }
        return tensors;
    }

    /** Return a scalar to which each element of each result contributes differently. */
    static Tensor mixed(List<Tensor> results) {
        Tensor sum = Tensor.zeros(DType.FLOAT64);
        for (Tensor result : results) {
            sum = sum.add(result.mul(weights(result)).sum());
        }
        return sum;
    }

    public static Tensor weights(Tensor like) {
        double[] weights = new double[like.numel()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (i % 7 - 3) / 2.0 + 0.1;
        }
        return Tensor.of(weights, like.shape());
    }
}
