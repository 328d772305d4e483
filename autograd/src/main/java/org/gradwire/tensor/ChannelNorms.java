package org.gradwire.tensor;

import org.gradwire.tensor.OperatorRow.Computed;
import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.BlockWriter;
import org.gradwire.tensor.kernel.Elements;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Channels of a batch {@code [n, c, ...]} brought to mean 0 and variance 1, then scaled and
 * shifted.
 *
 * <p>A sample is one long row; a range of its columns is done for all samples before the next one,
 * with what belongs to the channels spread over the range.
 *
 * @param <A> type of the arrays
 */
final class ChannelNorms<A> {
    private static final int RANGE = 4096;

    private final Elements<A> elements;
    private final int samples;
    private final int channels;
    private final int inner;
    private final int period;
    private final A work;
    private final A one;

    /** Mean, and one over the standard deviation, of each channel. */
    private record Statistics(double[] means, double[] inverses) {}

    private ChannelNorms(Elements<A> elements, int[] shape) {
        this.elements = elements;
        this.samples = shape[0];
        this.channels = shape[1];
        this.inner = Shapes.count(Arrays.copyOfRange(shape, 2, shape.length));
        this.period = channels * inner;
        this.work = elements.array(Math.min(RANGE, period));
        this.one = elements.array(1);
    }

    private double count() {
        return samples * (double) inner;
    }

    private static void check(Args args) {
        Tensor x = args.tensor(0);
        Pools.checkFloating("batch_norm", x);
        if (x.dims.length < 2 || x.dims.length > 5) {
            throw new IllegalArgumentException(
                    "batch_norm: expected 2 to 5 dimensions [n, c, ...], got input of "
                            + x.describe());
        }
        String[] names = {"", "weight", "bias", "running_mean", "running_var"};
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
        if (args.flag(5) && x.numel() == x.dims[1]) {
            throw new IllegalArgumentException(
                    "Expected more than 1 value per channel when training, got input size "
                            + Arrays.toString(x.dims));
        }
    }

    private static void checkChannels(String name, Tensor tensor, Tensor x) {
        if (tensor.dims.length != 1 || tensor.dims[0] != x.dims[1]) {
            throw new IllegalArgumentException(
                    "%s should contain %d elements not %d; it is %s, the input %s"
                            .formatted(
                                    name,
                                    x.dims[1],
                                    tensor.numel(),
                                    tensor.describe(),
                                    x.describe()));
        }
        if (!tensor.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "%s should hold fractions, and is %s; convert it with to(dtype)"
                            .formatted(name, tensor.describe()));
        }
    }

    static <A> Computed forward(Args args) {
        check(args);
        Tensor x = args.tensor(0);
        Elements<A> elements = x.dtype().elements();
        var norms = new ChannelNorms<>(elements, x.dims);
        double eps = args.real(7);
        Tensor runningMean = args.optionalTensor(3);
        Tensor runningVariance = args.optionalTensor(4);
        double[] means;
        double[] variances;
        if (args.flag(5)) {
            means = norms.means(x);
            variances = norms.variances(x, means);
            double count = norms.count();
            update(runningMean, means, args.real(6), 1);
            update(runningVariance, variances, args.real(6), count / (count - 1));
        } else {
            means = numbers(runningMean, norms.channels, 0);
            variances = numbers(runningVariance, norms.channels, 1);
        }
        double[] inverses = new double[norms.channels];
        Arrays.setAll(inverses, c -> 1 / Math.sqrt(variances[c] + eps));
        double[] scales = numbers(args.optionalTensor(1), norms.channels, 1);
        double[] shifts = numbers(args.optionalTensor(2), norms.channels, 0);
        Tensor result = norms.normalized(x, means, inverses, scales, shifts);
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

    /** Move a running statistic towards that of this batch. */
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

    // ---- Ranges of columns.

    /** What is done to a range of the columns of one sample. */
    private interface Step {
        void apply(int sample, int n);
    }

    /** Do something to each range, for all samples. */
    private void forRange(
            int start, int n, BlockReader<A> x, @Nullable BlockReader<A> g, Step step) {
        for (int sample = 0; sample < samples; sample++) {
            x.load(sample * period + start, n);
            if (g != null) {
                g.load(sample * period + start, n);
            }
            step.apply(sample, n);
        }
    }

    private BlockReader<A> reader(Tensor x) {
        return new BlockReader<>(elements, x.strided(), Math.min(RANGE, period));
    }

    /** Write the number of its channel to each column of a range. */
    private A spread(double[] perChannel, int start, int n, A to) {
        for (int at = start; at < start + n; ) {
            int channel = at / inner;
            int end = Math.min(start + n, (channel + 1) * inner);
            elements.fill(to, at - start, end - at, perChannel[channel]);
            at = end;
        }
        return to;
    }

    /** Add the sums of the columns of each channel of a range. */
    private void collect(A sums, int start, int n, double[] perChannel) {
        for (int at = start; at < start + n; ) {
            int channel = at / inner;
            int end = Math.min(start + n, (channel + 1) * inner);
            elements.sum(sums, at - start, end - at, one, 0);
            perChannel[channel] += elements.getDouble(one, 0);
            at = end;
        }
    }

    private void add(A sums, A x, int offset, int n) {
        elements.binary(Binary.ADD, sums, 0, x, offset, sums, 0, n);
    }

    private double[] means(Tensor x) {
        double[] means = new double[channels];
        var reader = reader(x);
        for (int start = 0; start < period; start += RANGE) {
            int n = Math.min(RANGE, period - start);
            A sums = elements.array(n);
            forRange(
                    start,
                    n,
                    reader,
                    null,
                    (_, k) -> add(sums, reader.array(), reader.offset(), k));
            collect(sums, start, n, means);
        }
        Arrays.setAll(means, c -> means[c] / count());
        return means;
    }

    /** Write how far a range is from the means of its channels. */
    private void center(BlockReader<A> x, A means, A to, int n) {
        elements.binary(Binary.SUB, x.array(), x.offset(), means, 0, to, 0, n);
    }

    private double[] variances(Tensor x, double[] means) {
        double[] variances = new double[channels];
        var reader = reader(x);
        for (int start = 0; start < period; start += RANGE) {
            int n = Math.min(RANGE, period - start);
            A sums = elements.array(n);
            A center = spread(means, start, n, elements.array(n));
            forRange(
                    start,
                    n,
                    reader,
                    null,
                    (_, k) -> {
                        center(reader, center, work, k);
                        elements.binary(Binary.MUL, work, 0, work, 0, work, 0, k);
                        add(sums, work, 0, k);
                    });
            collect(sums, start, n, variances);
        }
        Arrays.setAll(variances, c -> variances[c] / count());
        return variances;
    }

    private Tensor normalized(
            Tensor x, double[] means, double[] inverses, double[] scales, double[] shifts) {
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        var writer = new BlockWriter<>(elements, result.strided(), Math.min(RANGE, period));
        var reader = reader(x);
        double[] factors = new double[channels];
        Arrays.setAll(factors, c -> inverses[c] * scales[c]);
        for (int from = 0; from < period; from += RANGE) {
            int start = from;
            int n = Math.min(RANGE, period - start);
            A center = spread(means, start, n, elements.array(n));
            A factor = spread(factors, start, n, elements.array(n));
            A shift = spread(shifts, start, n, elements.array(n));
            forRange(
                    start,
                    n,
                    reader,
                    null,
                    (sample, k) -> {
                        int at = sample * period + start;
                        A y = writer.array();
                        int to = writer.offset(at);
                        center(reader, center, work, k);
                        elements.binary(Binary.MUL, work, 0, factor, 0, work, 0, k);
                        elements.binary(Binary.ADD, work, 0, shift, 0, y, to, k);
                        writer.store(at, k);
                    });
        }
        return result;
    }

    // ---- Gradients.

    /** Return the gradients of input, weight and bias; the row keeps input and weight. */
    static <A> @Nullable Tensor[] gradients(Saved saved, Tensor gradient) {
        Tensor x = saved.input(0);
        Elements<A> elements = x.dtype().elements();
        var norms = new ChannelNorms<>(elements, x.dims);
        var statistics = saved.extra(Statistics.class);
        double[] shifts = new double[norms.channels];
        double[] products = new double[norms.channels];
        norms.sums(x, gradient, statistics.means, shifts, products);
        double[] scales = numbers(saved.optionalInput(1), norms.channels, 1);
        var results = new @Nullable Tensor[saved.inputs()];
        if (saved.needs(0)) {
            results[0] =
                    norms.inputGradient(
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

    /** Sum the gradient, and its product with the centered input, over each channel. */
    private void sums(
            Tensor x, Tensor gradient, double[] means, double[] plain, double[] products) {
        var reader = reader(x);
        var flow = reader(gradient);
        for (int start = 0; start < period; start += RANGE) {
            int n = Math.min(RANGE, period - start);
            A center = spread(means, start, n, elements.array(n));
            A sums = elements.array(n);
            A productSums = elements.array(n);
            forRange(
                    start,
                    n,
                    reader,
                    flow,
                    (_, k) -> {
                        add(sums, flow.array(), flow.offset(), k);
                        center(reader, center, work, k);
                        elements.binary(
                                Binary.MUL, work, 0, flow.array(), flow.offset(), work, 0, k);
                        add(productSums, work, 0, k);
                    });
            collect(sums, start, n, plain);
            collect(productSums, start, n, products);
        }
    }

    private Tensor inputGradient(
            Tensor x,
            Tensor gradient,
            Statistics statistics,
            double[] scales,
            double[] sums,
            double[] products,
            boolean training) {
        double[] factors = new double[channels];
        double[] slopes = new double[channels];
        double[] shifts = new double[channels];
        for (int c = 0; c < channels; c++) {
            double inverse = statistics.inverses[c];
            factors[c] = inverse * scales[c];
            slopes[c] = training ? -factors[c] * inverse * inverse * products[c] / count() : 0;
            shifts[c] = training ? -factors[c] * sums[c] / count() : 0;
        }
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        var writer = new BlockWriter<>(elements, result.strided(), Math.min(RANGE, period));
        var reader = reader(x);
        var flow = reader(gradient);
        for (int from = 0; from < period; from += RANGE) {
            int start = from;
            int n = Math.min(RANGE, period - start);
            A center = spread(statistics.means, start, n, elements.array(n));
            A factor = spread(factors, start, n, elements.array(n));
            A slope = spread(slopes, start, n, elements.array(n));
            A shift = spread(shifts, start, n, elements.array(n));
            forRange(
                    start,
                    n,
                    reader,
                    flow,
                    (sample, k) -> {
                        int at = sample * period + start;
                        A y = writer.array();
                        int to = writer.offset(at);
                        elements.binary(
                                Binary.MUL, flow.array(), flow.offset(), factor, 0, y, to, k);
                        if (!training) { // nothing depends on x, which may be infinite
                            writer.store(at, k);
                            return;
                        }
                        center(reader, center, work, k);
                        elements.binary(Binary.MUL, work, 0, slope, 0, work, 0, k);
                        add(work, shift, 0, k);
                        elements.binary(Binary.ADD, work, 0, y, to, y, to, k);
                        writer.store(at, k);
                    });
        }
        return result;
    }
}
