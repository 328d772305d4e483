package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Arithmetic of batch normalization over {@code [n, c, ...]}.
 *
 * <p>A sample is one row; a range of its columns is computed for all samples before the next range,
 * with the per-channel values expanded over the range.
 *
 * @param <A> type of the arrays
 */
final class BatchNormKernel<A> {
    private static final int RANGE = 4096;

    private final Elements<A> elements;
    private final int samples;
    final int channels;
    private final int inner;
    private final int period;
    private final A work;
    private final A one;

    BatchNormKernel(Elements<A> elements, int[] shape) {
        this.elements = elements;
        this.samples = shape[0];
        this.channels = shape[1];
        this.inner = Shapes.count(Arrays.copyOfRange(shape, 2, shape.length));
        this.period = channels * inner;
        this.work = elements.array(Math.min(RANGE, period));
        this.one = elements.array(1);
    }

    double count() {
        return samples * (double) inner;
    }

    /** A step over a range of the columns of one sample. */
    private interface Step {
        void apply(int sample, int n);
    }

    /** Run a step on a range of all samples. */
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
        return new BlockReader<>(elements, TensorAccess.strided(x), Math.min(RANGE, period));
    }

    /** Expand per-channel values over a range. */
    private A spread(double[] perChannel, int start, int n, A to) {
        for (int at = start; at < start + n; ) {
            int channel = at / inner;
            int end = Math.min(start + n, (channel + 1) * inner);
            elements.fill(to, at - start, end - at, perChannel[channel]);
            at = end;
        }
        return to;
    }

    /** Add a range's column sums to those of their channels. */
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

    double[] means(Tensor x) {
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

    /** Subtract the channel means from a range. */
    private void center(BlockReader<A> x, A means, A to, int n) {
        elements.binary(Binary.SUB, x.array(), x.offset(), means, 0, to, 0, n);
    }

    double[] variances(Tensor x, double[] means) {
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

    Tensor normalized(
            Tensor x, double[] means, double[] inverses, double[] scales, double[] shifts) {
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        var writer =
                new BlockWriter<>(elements, TensorAccess.strided(result), Math.min(RANGE, period));
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

    /** Sum the gradient, and its product with the centered input, over each channel. */
    void sums(Tensor x, Tensor gradient, double[] means, double[] plain, double[] products) {
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

    Tensor inputGradient(
            Tensor x,
            Tensor gradient,
            BatchNormRules.Statistics statistics,
            double[] scales,
            double[] sums,
            double[] products,
            boolean training) {
        double[] factors = new double[channels];
        double[] slopes = new double[channels];
        double[] shifts = new double[channels];
        for (int c = 0; c < channels; c++) {
            double inverse = statistics.inverses()[c];
            factors[c] = inverse * scales[c];
            slopes[c] = training ? -factors[c] * inverse * inverse * products[c] / count() : 0;
            shifts[c] = training ? -factors[c] * sums[c] / count() : 0;
        }
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        var writer =
                new BlockWriter<>(elements, TensorAccess.strided(result), Math.min(RANGE, period));
        var reader = reader(x);
        var flow = reader(gradient);
        for (int from = 0; from < period; from += RANGE) {
            int start = from;
            int n = Math.min(RANGE, period - start);
            A center = spread(statistics.means(), start, n, elements.array(n));
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
