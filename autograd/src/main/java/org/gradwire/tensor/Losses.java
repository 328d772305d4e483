package org.gradwire.tensor;

import org.gradwire.tensor.OperatorRow.Computed;
import org.gradwire.tensor.kernel.Cells;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Losses of scores {@code [c]}, {@code [n, c]} or {@code [n, c, d1, ...]} and the classes, or the
 * probabilities of classes, that were to be found.
 */
final class Losses {
    /** The class that counts for nothing unless another one is named. */
    static final int IGNORED = -100;

    private Losses() {}

    /** What was to be found, and how much each class counts. */
    private static final class Labels {
        final long[] labels;
        final double @Nullable [] weights;
        final int classes;
        final int inner;
        final long ignored;

        Labels(int[] shape, Tensor target, @Nullable Tensor weight, int ignored) {
            this.labels = target.toLongArray();
            this.weights = weight == null ? null : weight.toDoubleArray();
            this.classes = shape[classDimension(shape)];
            this.inner = shape.length < 3 ? 1 : labels.length / Math.max(shape[0], 1);
            this.ignored = ignored;
        }

        boolean counts(int i) {
            return labels[i] != ignored;
        }

        double weight(int i) {
            return weights == null ? 1 : weights[(int) labels[i]];
        }

        /** {@return where the score of the {@code i}th label stands} */
        int position(int i) {
            return (i / inner * classes + (int) labels[i]) * inner + i % inner;
        }

        double total() {
            double total = 0;
            for (int i = 0; i < labels.length; i++) {
                total += counts(i) ? weight(i) : 0;
            }
            return total;
        }

        void check() {
            for (long label : labels) {
                if (label != ignored && (label < 0 || label >= classes)) {
                    throw new IndexOutOfBoundsException(
                            "Target %d is out of bounds; there are %d classes"
                                    .formatted(label, classes));
                }
            }
        }
    }

    /** Total weight of the labels. */
    private record Total(double weight) {}

    private static int classDimension(int[] shape) {
        return shape.length == 1 ? 0 : 1;
    }

    /** Minus the entries that the target names, brought down; a mean is one by weight. */
    static Computed nll(
            Tensor scores, Tensor target, @Nullable Tensor weight, String reduction, int ignored) {
        Reduction kind = Reduction.of(reduction);
        checkShapes(scores, target, weight);
        Tensor x = Elementwise.contiguous(scores);
        var labels = new Labels(x.dims, target, weight, ignored);
        labels.check();
        var cells = new Cells(x.dtype().elements(), x.base());
        double[] losses = new double[labels.labels.length];
        double sum = 0;
        for (int i = 0; i < losses.length; i++) {
            if (labels.counts(i)) {
                losses[i] = -cells.get(x.offset + labels.position(i)) * labels.weight(i);
                sum += losses[i];
            }
        }
        double total = labels.total();
        Tensor result =
                kind == Reduction.NONE
                        ? Elementwise.cast(Tensor.of(losses, target.dims), x.dtype())
                        : Tensor.scalar(x.dtype(), sum * kind.scale(total));
        return new Computed(result, new Total(total));
    }

    /**
     * Return the gradient of the scores; the row keeps the target, and the weight if there is one.
     */
    static Tensor nllGradient(
            Saved saved, Tensor gradient, @Nullable Tensor weight, String reduction, int ignored) {
        Reduction kind = Reduction.of(reduction);
        Tensor result = Tensor.zeros(gradient.dtype(), saved.shape(0));
        var labels = new Labels(result.dims, saved.input(1), weight, ignored);
        var cells = new Cells(result.dtype().elements(), result.base());
        double[] flow = gradient.toDoubleArray();
        double scale = kind.scale(saved.extra(Total.class).weight());
        for (int i = 0; i < labels.labels.length; i++) {
            if (labels.counts(i)) {
                double each = kind == Reduction.NONE ? flow[i] : flow[0] * scale;
                cells.set(labels.position(i), -each * labels.weight(i));
            }
        }
        return result;
    }

    private static void checkShapes(Tensor scores, Tensor target, @Nullable Tensor weight) {
        Pools.checkFloating("nll_loss", scores);
        if (target.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "expected scalar type Long but found " + target.dtype().tensorType());
        }
        int[] shape = scores.dims;
        if (shape.length == 0) {
            throw new IllegalArgumentException("Expected 1 or more dimensions (got 0)");
        }
        if (shape.length > 1 && (target.dims.length == 0 || shape[0] != target.dims[0])) {
            throw new IllegalArgumentException(
                    "Expected input batch_size (%d) to match target batch_size (%s)."
                            .formatted(
                                    shape[0], target.dims.length == 0 ? "none" : target.dims[0]));
        }
        int[] wanted = Shapes.without(shape, classDimension(shape));
        if (!Arrays.equals(wanted, target.dims)) {
            throw new IllegalArgumentException(
                    "Expected target size %s, got %s for scores of %s"
                            .formatted(
                                    Arrays.toString(wanted),
                                    Arrays.toString(target.dims),
                                    Arrays.toString(shape)));
        }
        checkWeight(shape[classDimension(shape)], weight);
    }

    private static void checkWeight(int classes, @Nullable Tensor weight) {
        if (weight != null && (weight.dims.length != 1 || weight.dims[0] != classes)) {
            throw new IllegalArgumentException(
                    "weight tensor should be defined either for all %d classes or no classes but got weight tensor of shape: %s"
                            .formatted(classes, Arrays.toString(weight.dims)));
        }
    }

    /** The loss of scores that are not normalized yet, by operators that are recorded. */
    static Tensor crossEntropy(
            Tensor scores,
            Tensor target,
            @Nullable Tensor weight,
            String reduction,
            int ignored,
            double smoothing) {
        if (scores.dims.length == 0) {
            throw new IllegalArgumentException("Expected 1 or more dimensions (got 0)");
        }
        if (!(smoothing >= 0 && smoothing <= 1)) {
            throw new IllegalArgumentException(
                    "label_smoothing must be between 0.0 and 1.0. Got: " + smoothing);
        }
        int dim = classDimension(scores.dims);
        Tensor logs = Ops.logSoftmax(scores, dim);
        if (Arrays.equals(scores.dims, target.dims)) {
            checkProbabilities(target, ignored);
            checkWeight(scores.dims[dim], weight);
            return ofProbabilities(logs, target, weight, Reduction.of(reduction), smoothing);
        }
        Tensor loss = Ops.nllLoss(logs, target, weight, reduction, ignored);
        if (smoothing == 0) {
            return loss;
        }
        var labels = new Labels(scores.dims, target, weight, ignored);
        Tensor even = evenly(logs, target, weight, labels, Reduction.of(reduction));
        return Ops.add(Ops.mul(loss, 1 - smoothing), Ops.mul(even, smoothing / scores.dims[dim]));
    }

    private static void checkProbabilities(Tensor target, int ignored) {
        if (!target.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "Expected floating point type for target with class probabilities, got "
                            + target.dtype().tensorType());
        }
        if (ignored >= 0) {
            throw new IllegalArgumentException(
                    "ignore_index is not supported for floating point target; got " + ignored);
        }
    }

    private static Tensor ofProbabilities(
            Tensor logs,
            Tensor target,
            @Nullable Tensor weight,
            Reduction reduction,
            double smoothing) {
        int dim = classDimension(logs.dims);
        int classes = logs.dims[dim];
        Tensor wanted =
                smoothing == 0
                        ? target
                        : Ops.add(Ops.mul(target, 1 - smoothing), smoothing / classes);
        Tensor products = weighted(Ops.mul(logs, wanted), weight);
        if (reduction == Reduction.NONE) {
            return Ops.neg(Ops.sum(products, new int[] {dim}, false));
        }
        double rows = logs.numel() / (double) Math.max(classes, 1);
        return Ops.mul(Ops.sum(products), -reduction.scale(rows));
    }

    /** {@return products of scores with the weights of their classes} */
    private static Tensor weighted(Tensor x, @Nullable Tensor weight) {
        if (weight == null) {
            return x;
        }
        int[] shape = new int[x.dims.length];
        Arrays.fill(shape, 1);
        shape[classDimension(x.dims)] = weight.numel();
        return Ops.mul(x, weight.detach().reshaped(shape));
    }

    /** The loss if all classes were as likely as the one to be found. */
    private static Tensor evenly(
            Tensor logs,
            Tensor target,
            @Nullable Tensor weight,
            Labels labels,
            Reduction reduction) {
        int[] dim = {classDimension(logs.dims)};
        boolean[] ignored = new boolean[labels.labels.length];
        for (int i = 0; i < ignored.length; i++) {
            ignored[i] = !labels.counts(i);
        }
        Tensor sums = Ops.neg(Ops.sum(weighted(logs, weight), dim, false));
        Tensor losses = Ops.maskedFill(sums, Tensor.of(ignored, target.dims), 0);
        return reduction == Reduction.NONE
                ? losses
                : Ops.mul(Ops.sum(losses), reduction.scale(labels.total()));
    }
}
