package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceBatchNorm;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Batch normalization rules: channels of {@code [n, c, ...]}, normalized, scaled and shifted. */
public final class BatchNormRules {
    /** Mean, and one over the standard deviation, of each channel. */
    record Statistics(double[] means, double[] inverses) {}

    private BatchNormRules() {}

    private static void check(Args args) {
        Tensor x = args.tensor(0);
        PoolingRules.checkFloating("batch_norm", x);
        if (TensorAccess.dims(x).length < 2 || TensorAccess.dims(x).length > 5) {
            throw new IllegalArgumentException(
                    "batch_norm: expected 2 to 5 dimensions [n, c, ...], got input of "
                            + TensorAccess.describe(x));
        }
        String[] names = {"", "weight", "bias", "runningMean", "runningVar"};
        for (int i = 1; i < names.length; i++) {
            Tensor tensor = args.optionalTensor(i);
            if (tensor != null) {
                checkChannels(names[i], tensor, x);
            }
            if (tensor == null && i > 2 && !args.flag(5)) {
                throw new IllegalArgumentException(
                        names[i] + " must be defined in evaluation mode");
            }
        }
        if (args.flag(5) && x.numel() == TensorAccess.dims(x)[1]) {
            throw new IllegalArgumentException(
                    "Expected more than 1 value per channel when training, got input size "
                            + Arrays.toString(TensorAccess.dims(x)));
        }
    }

    private static void checkChannels(String name, Tensor tensor, Tensor x) {
        if (TensorAccess.dims(tensor).length != 1
                || TensorAccess.dims(tensor)[0] != TensorAccess.dims(x)[1]) {
            throw new IllegalArgumentException(
                    "%s should contain %d elements not %d; it is %s, the input %s"
                            .formatted(
                                    name,
                                    TensorAccess.dims(x)[1],
                                    tensor.numel(),
                                    TensorAccess.describe(tensor),
                                    TensorAccess.describe(x)));
        }
        if (!tensor.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "%s must be of a floating-point type, but is %s; convert it with to(dtype)"
                            .formatted(name, TensorAccess.describe(tensor)));
        }
    }

    public static Computed forward(Args args) {
        check(args);
        Computed there = DeviceBatchNorm.forward(args);
        return there == null ? onHost(args) : there;
    }

    private static <A> Computed onHost(Args args) {
        Tensor x = args.tensor(0);
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        var kernel = new BatchNormKernel<>(elements, TensorAccess.dims(x));
        double eps = args.real(7);
        Tensor runningMean = args.optionalTensor(3);
        Tensor runningVariance = args.optionalTensor(4);
        double[] means;
        double[] variances;
        if (args.flag(5)) {
            means = kernel.means(x);
            variances = kernel.variances(x, means);
            double count = kernel.count();
            update(runningMean, means, args.real(6), 1);
            update(runningVariance, variances, args.real(6), count / (count - 1));
        } else {
            means = numbers(runningMean, kernel.channels, 0);
            variances = numbers(runningVariance, kernel.channels, 1);
        }
        double[] inverses = new double[kernel.channels];
        Arrays.setAll(inverses, c -> 1 / Math.sqrt(variances[c] + eps));
        double[] scales = numbers(args.optionalTensor(1), kernel.channels, 1);
        double[] shifts = numbers(args.optionalTensor(2), kernel.channels, 0);
        Tensor result = kernel.normalized(x, means, inverses, scales, shifts);
        return new Computed(result, new Statistics(means, inverses));
    }

    private static double[] numbers(@Nullable Tensor tensor, int count, double otherwise) {
        if (tensor != null) {
            return tensor.toDoubleArray();
        }
        double[] numbers = new double[count];
        Arrays.fill(numbers, otherwise);
        return numbers;
    }

    /** Update a running statistic with that of this batch. */
    private static void update(
            @Nullable Tensor running, double[] current, double momentum, double factor) {
        if (running == null) {
            return;
        }
        double[] moved = running.toDoubleArray();
        for (int c = 0; c < moved.length; c++) {
            moved[c] = (1 - momentum) * moved[c] + momentum * current[c] * factor;
        }
        Elementwise.copyInto(running, Tensor.of(moved));
    }

    /** Return the gradients of input, weight and bias; the row keeps input and weight. */
    public static @Nullable Tensor[] gradients(Saved saved, Tensor gradient) {
        return saved.extra(Object.class) instanceof DeviceBatchNorm.Statistics there
                ? DeviceBatchNorm.gradients(saved, gradient, there)
                : gradientsOnHost(saved, gradient);
    }

    private static <A> @Nullable Tensor[] gradientsOnHost(Saved saved, Tensor gradient) {
        Tensor x = saved.input(0);
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        var kernel = new BatchNormKernel<>(elements, TensorAccess.dims(x));
        var statistics = saved.extra(Statistics.class);
        double[] shifts = new double[kernel.channels];
        double[] products = new double[kernel.channels];
        kernel.sums(x, gradient, statistics.means, shifts, products);
        double[] scales = numbers(saved.optionalInput(1), kernel.channels, 1);
        var results = new @Nullable Tensor[saved.inputs()];
        if (saved.needs(0)) {
            results[0] =
                    kernel.inputGradient(
                            x,
                            gradient,
                            statistics,
                            scales,
                            shifts,
                            products,
                            saved.args().flag(5));
        }
        if (saved.needs(1)) {
            Arrays.setAll(products, c -> products[c] * statistics.inverses[c]);
            results[1] = Elementwise.cast(Tensor.of(products), x.dtype());
        }
        if (saved.needs(2)) {
            results[2] = Elementwise.cast(Tensor.of(shifts), x.dtype());
        }
        return results;
    }
}
