package org.gradwire.tensor;

import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;

/** Forward rules and gradients of losses. */
final class Losses {

    private Losses() {}

    /** The mean over rows of minus the entry that the target names. */
    static <A> Tensor nll(Tensor logProbabilities, Tensor target) {
        int classes = check(logProbabilities, target);
        Elements<A> elements = logProbabilities.dtype().elements();
        var reader = new BlockReader<>(elements, logProbabilities.strided(), 1);
        long[] labels = target.toLongArray();
        double sum = 0;
        for (int row = 0; row < labels.length; row++) {
            reader.load(row * classes + label(labels[row], classes), 1);
            sum -= elements.getDouble(reader.array(), reader.offset());
        }
        return Tensor.scalar(logProbabilities.dtype(), sum / labels.length);
    }

    static Tensor nllGradient(Tensor gradient, int[] shape, Tensor target) {
        Tensor result = Tensor.zeros(gradient.dtype(), shape);
        long[] labels = target.toLongArray();
        double each = -gradient.item() / labels.length;
        for (int row = 0; row < labels.length; row++) {
            int at = row * shape[1] + (int) labels[row];
            Loops.fill(result.dtype().elements(), each, Strided.contiguous(result.base(), at, 1));
        }
        return result;
    }

    private static int check(Tensor rows, Tensor target) {
        if (rows.dims.length != 2 || target.dims.length != 1 || rows.dims[0] != target.dims[0]) {
            throw new IllegalArgumentException(
                    "nll_loss: expected rows of scores and one class for each, got %s and %s"
                            .formatted(rows.describe(), target.describe()));
        }
        if (target.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "expected scalar type Long but found " + target.dtype().tensorType());
        }
        return rows.dims[1];
    }

    private static int label(long label, int classes) {
        if (label < 0 || label >= classes) {
            throw new IndexOutOfBoundsException(
                    "Target %d is out of bounds; there are %d classes".formatted(label, classes));
        }
        return (int) label;
    }
}
