package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Batch normalization of images {@code [n, c, ...]} by a device's kernels. */
public final class DeviceBatchNorm {

    /** Mean, and one over the standard deviation, of each channel. */
    public record Statistics(Tensor means, Tensor inverses) {
        public Statistics {
            TensorAccess.storage(means).escape(); // the gradient needs them, as it does arrays
            TensorAccess.storage(inverses).escape();
        }
    }

    private static final List<String> KERNELS =
            List.of("normalize", "normalize_gradient", "centered_squares", "centered_products");

    private DeviceBatchNorm() {}

    /** {@return the result and the statistics; null where the device lacks a kernel} */
    public static @Nullable Computed forward(Args args) {
        Tensor x = args.tensor(0);
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        Strided images = TensorAccess.strided(x);
        boolean possible =
                KERNELS.stream()
                        .allMatch(kernel -> DeviceCall.isPossible(kernel, elements, images));
        if (!possible || x.numel() == 0) {
            return null;
        }
        Tensor runningMean = args.optionalTensor(3);
        Tensor runningVariance = args.optionalTensor(4);
        Tensor means;
        Tensor variances;
        if (args.flag(5) || runningMean == null || runningVariance == null) {
            double count = (double) x.numel() / TensorAccess.dims(x)[1];
            means = Elementwise.binary(Binary.DIV, channelSums(x), count);
            variances =
                    Elementwise.binary(
                            Binary.DIV, planeSums("centered_squares", x, x, means), count);
            update(runningMean, means, args.real(6), 1);
            update(runningVariance, variances, args.real(6), count / (count - 1));
        } else {
            means = Elementwise.cast(Elementwise.copy(runningMean), x.dtype());
            variances = Elementwise.cast(runningVariance, x.dtype());
        }
        Tensor shifted = Elementwise.binary(Binary.ADD, variances, args.real(7));
        Tensor inverses = Elementwise.unary(Unary.RSQRT, shifted);
        Tensor factors = times(inverses, args.optionalTensor(1));
        Tensor bias = args.optionalTensor(2);
        Tensor shifts =
                bias == null
                        ? Tensor.zeros(x.dtype(), TensorAccess.dims(means))
                        : Elementwise.cast(bias, x.dtype());
        Tensor result = planes("normalize", x, x, means, factors, shifts);
        return new Computed(result, new Statistics(means, inverses));
    }

    /** {@return the result of a kernel for planes of images and numbers of their channels} */
    private static Tensor planes(String kernel, Tensor x, Tensor... inputs) {
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        run(kernel, x, result, inputs);
        return result;
    }

    /** {@return the sums for each channel of a kernel's results, one for each plane} */
    private static Tensor planeSums(String kernel, Tensor x, Tensor... inputs) {
        int[] shape = TensorAccess.dims(x);
        Tensor result = TensorAccess.fresh(x.dtype(), new int[] {shape[0], shape[1]});
        run(kernel, x, result, inputs);
        return ReductionRules.sum(result, new int[] {0}, false);
    }

    private static void run(String kernel, Tensor x, Tensor result, Tensor... inputs) {
        int[] shape = TensorAccess.dims(x);
        int[] planes = {shape[0], shape[1]};
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        var call = new DeviceCall(kernel, elements, TensorAccess.strided(result));
        for (Tensor input : inputs) {
            boolean ofChannels = TensorAccess.dims(input).length == 1;
            call.with(elements, TensorAccess.strided(input, ofChannels ? planes : shape));
        }
        if (!call.with((long) x.numel() / shape[0] / shape[1]).run()) {
            throw new AssertionError("no kernel " + kernel + " for " + TensorAccess.describe(x));
        }
    }

    /** {@return a view of a number for each channel, for images of these} */
    static Tensor byChannel(Tensor perChannel, Tensor images) {
        int[] shape = new int[TensorAccess.dims(images).length - 1];
        Arrays.fill(shape, 1);
        shape[0] = perChannel.numel();
        return TensorAccess.reshaped(perChannel, shape);
    }

    /** {@return the sums of the channels of images} */
    static Tensor channelSums(Tensor images) {
        int[] dims =
                IntStream.range(0, TensorAccess.dims(images).length).filter(d -> d != 1).toArray();
        return ReductionRules.sum(images, dims, false);
    }

    private static Tensor scaled(Tensor x, double factor) {
        return Elementwise.binary(Binary.MUL, x, factor);
    }

    private static Tensor times(Tensor x, @Nullable Tensor y) {
        return y == null ? x : Elementwise.binary(Binary.MUL, x, Elementwise.cast(y, x.dtype()));
    }

    /** Update a running statistic with that of this batch. */
    private static void update(
            @Nullable Tensor running, Tensor current, double momentum, double factor) {
        if (running != null) {
            Tensor kept = scaled(running, 1 - momentum);
            Tensor added = Elementwise.cast(current, running.dtype());
            Elementwise.addInPlace(kept, added, momentum * factor);
            Elementwise.copyInto(running, kept);
        }
    }

    /** {@return the gradients of input, weight and bias of {@link #forward}} */
    public static @Nullable Tensor[] gradients(
            Saved saved, Tensor gradient, Statistics statistics) {
        Tensor x = saved.input(0);
        Tensor sums = channelSums(gradient);
        Tensor products = planeSums("centered_products", x, x, statistics.means, gradient);
        var results = new @Nullable Tensor[saved.inputs()];
        if (saved.needs(0)) {
            Tensor factors = times(statistics.inverses, saved.optionalInput(1));
            results[0] =
                    saved.args().flag(5)
                            ? trained(x, gradient, statistics, factors, sums, products)
                            : Elementwise.binary(Binary.MUL, gradient, byChannel(factors, x));
        }
        if (saved.needs(1)) {
            results[1] = times(products, statistics.inverses);
        }
        results[2] = saved.needs(2) ? sums : null;
        return results;
    }

    /** {@return the gradient of an input whose statistics depend on it} */
    private static Tensor trained(
            Tensor x,
            Tensor gradient,
            Statistics statistics,
            Tensor factors,
            Tensor sums,
            Tensor products) {
        double share = -(double) TensorAccess.dims(x)[1] / x.numel();
        Tensor inverses = statistics.inverses;
        Tensor slopes = scaled(times(times(times(products, inverses), inverses), factors), share);
        Tensor shifts = scaled(times(factors, sums), share);
        return planes(
                "normalize_gradient", x, gradient, factors, x, statistics.means, slopes, shifts);
    }
}
