package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.ScalarAccess;
import org.gradwire.tensor.operator.Reduction;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceLabels;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Negative log-likelihood and cross-entropy of scores {@code [c]}, {@code [n, c]} or {@code [n, c,
 * d1, ...]} and target classes or class probabilities.
 */
public final class ClassificationLossRules {
    /** The default ignored class. */
    public static final int IGNORED = -100;

    private ClassificationLossRules() {}

    /** Target classes and class weights. */
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

        /** {@return the index of the score of the {@code i}th label} */
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

    private static int classDimension(int[] shape) {
        return shape.length == 1 ? 0 : 1;
    }

    /** Negated scores of the target classes, reduced; a mean is weighted. */
    public static Tensor nll(
            Tensor scores, Tensor target, @Nullable Tensor weight, String reduction, int ignored) {
        Reduction kind = Reduction.of(reduction);
        checkShapes(scores, target, weight);
        Tensor x = Elementwise.contiguous(scores);
        Tensor there = new DeviceLabels(target, weight, ignored).nll(x, kind);
        if (there != null) {
            return there;
        }
        var labels = new Labels(TensorAccess.dims(x), target, weight, ignored);
        labels.check();
        return nll(x, target, labels, kind, labels.total());
    }

    private static Tensor nll(
            Tensor x, Tensor target, Labels labels, Reduction kind, double total) {
        var scalarAccess = new ScalarAccess(DTypeAccess.elements(x.dtype()), TensorAccess.base(x));
        double[] losses = new double[labels.labels.length];
        double sum = 0;
        for (int i = 0; i < losses.length; i++) {
            if (labels.counts(i)) {
                losses[i] =
                        -scalarAccess.get(TensorAccess.offset(x) + labels.position(i))
                                * labels.weight(i);
                sum += losses[i];
            }
        }
        return kind == Reduction.NONE
                ? Elementwise.cast(Tensor.of(losses, TensorAccess.dims(target)), x.dtype())
                : Tensor.scalar(x.dtype(), sum * kind.scale(total));
    }

    /**
     * Return the gradient of the scores; the row keeps the target, and the weight if there is one.
     */
    public static Tensor nllGradient(
            Saved saved, Tensor gradient, @Nullable Tensor weight, String reduction, int ignored) {
        Reduction kind = Reduction.of(reduction);
        Tensor there =
                new DeviceLabels(saved.input(1), weight, ignored)
                        .gradient(gradient, saved.shape(0), kind);
        if (there != null) {
            return there;
        }
        Tensor result = Tensor.zeros(gradient.dtype(), saved.shape(0));
        var labels = new Labels(TensorAccess.dims(result), saved.input(1), weight, ignored);
        var scalarAccess =
                new ScalarAccess(DTypeAccess.elements(result.dtype()), TensorAccess.base(result));
        double scale = kind.scale(labels.total());
        double[] flow = gradient.toDoubleArray();
        for (int i = 0; i < labels.labels.length; i++) {
            if (labels.counts(i)) {
                double each = kind == Reduction.NONE ? flow[i] : flow[0] * scale;
                scalarAccess.set(labels.position(i), -each * labels.weight(i));
            }
        }
        return result;
    }

    private static void checkShapes(Tensor scores, Tensor target, @Nullable Tensor weight) {
        PoolingRules.checkFloating("nll_loss", scores);
        if (target.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "expected scalar type Long but found "
                            + DTypeAccess.tensorType(target.dtype()));
        }
        int[] shape = TensorAccess.dims(scores);
        if (shape.length == 0) {
            throw new IllegalArgumentException("Expected 1 or more dimensions (got 0)");
        }
        if (shape.length > 1
                && (TensorAccess.dims(target).length == 0
                        || shape[0] != TensorAccess.dims(target)[0])) {
            throw new IllegalArgumentException(
                    "Expected input batch size (%d) to match target batch size (%s)."
                            .formatted(
                                    shape[0],
                                    TensorAccess.dims(target).length == 0
                                            ? "none"
                                            : TensorAccess.dims(target)[0]));
        }
        int[] wanted = Shapes.without(shape, classDimension(shape));
        if (!Arrays.equals(wanted, TensorAccess.dims(target))) {
            throw new IllegalArgumentException(
                    "Expected target size %s, got %s for scores of %s"
                            .formatted(
                                    Arrays.toString(wanted),
                                    Arrays.toString(TensorAccess.dims(target)),
                                    Arrays.toString(shape)));
        }
        checkWeight(shape[classDimension(shape)], weight);
    }

    private static void checkWeight(int classes, @Nullable Tensor weight) {
        if (weight != null
                && (TensorAccess.dims(weight).length != 1
                        || TensorAccess.dims(weight)[0] != classes)) {
            throw new IllegalArgumentException(
                    "weight tensor should be defined either for all %d classes or no classes but got weight tensor of shape: %s"
                            .formatted(classes, Arrays.toString(TensorAccess.dims(weight))));
        }
    }

    /** The loss of logits, by recorded operators. */
    public static Tensor crossEntropy(
            Tensor scores,
            Tensor target,
            @Nullable Tensor weight,
            String reduction,
            int ignored,
            double smoothing) {
        if (TensorAccess.dims(scores).length == 0) {
            throw new IllegalArgumentException("Expected 1 or more dimensions (got 0)");
        }
        if (!(smoothing >= 0 && smoothing <= 1)) {
            throw new IllegalArgumentException(
                    "labelSmoothing must be between 0.0 and 1.0. Got: " + smoothing);
        }
        int dim = classDimension(TensorAccess.dims(scores));
        Tensor logs = Ops.logSoftmax(scores, dim);
        if (Arrays.equals(TensorAccess.dims(scores), TensorAccess.dims(target))) {
            checkProbabilities(target, ignored);
            checkWeight(TensorAccess.dims(scores)[dim], weight);
            return ofProbabilities(logs, target, weight, Reduction.of(reduction), smoothing);
        }
        Tensor loss = Ops.nllLoss(logs, target, weight, reduction, ignored);
        if (smoothing == 0) {
            return loss;
        }
        Tensor even = evenly(logs, target, weight, ignored, Reduction.of(reduction));
        return Ops.add(
                Ops.mul(loss, 1 - smoothing),
                Ops.mul(even, smoothing / TensorAccess.dims(scores)[dim]));
    }

    private static void checkProbabilities(Tensor target, int ignored) {
        if (!target.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "Expected floating point type for target with class probabilities, got "
                            + DTypeAccess.tensorType(target.dtype()));
        }
        if (ignored >= 0) {
            throw new IllegalArgumentException(
                    "ignoreIndex is not supported for floating point target; got " + ignored);
        }
    }

    private static Tensor ofProbabilities(
            Tensor logs,
            Tensor target,
            @Nullable Tensor weight,
            Reduction reduction,
            double smoothing) {
        int dim = classDimension(TensorAccess.dims(logs));
        int classes = TensorAccess.dims(logs)[dim];
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
        int[] shape = new int[TensorAccess.dims(x).length];
        Arrays.fill(shape, 1);
        shape[classDimension(TensorAccess.dims(x))] = weight.numel();
        return Ops.mul(x, TensorAccess.reshaped(weight.detach(), shape));
    }

    /** The loss against a uniform target, for label smoothing. */
    private static Tensor evenly(
            Tensor logs, Tensor target, @Nullable Tensor weight, int ignored, Reduction reduction) {
        int[] dim = {classDimension(TensorAccess.dims(logs))};
        Tensor sums = Ops.neg(Ops.sum(weighted(logs, weight), dim, false));
        Tensor losses = Ops.maskedFill(sums, target.eq(ignored), 0);
        if (reduction != Reduction.MEAN) {
            return reduction == Reduction.NONE ? losses : Ops.sum(losses);
        }
        Tensor total = new DeviceLabels(target, weight, ignored).total(losses.dtype());
        if (total != null) {
            return Ops.div(Ops.sum(losses), total);
        }
        var labels = new Labels(TensorAccess.dims(logs), target, weight, ignored);
        return Ops.mul(Ops.sum(losses), reduction.scale(labels.total()));
    }
}
