package org.gradwire.tensor.kernel.element;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Kernels of a 16-bit floating-point type, whose arrays hold the bits of its numbers. They compute
 * in float32 and round each result to nearest, ties to even.
 */
public abstract class ReducedElements implements Elements<short[]> {
    private static final int BLOCK = BlockReader.BLOCK;

    private final Elements<float[]> floats;

    /** Create kernels that compute with those of float32. */
    ReducedElements(Elements<float[]> floats) {
        this.floats = floats;
    }

    /** {@return the number that some bits stand for} */
    abstract float widen(short bits);

    /** {@return the bits of the nearest number} */
    abstract short round(float value);

    public final void widen(short[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = widen(x[xo + i]);
        }
    }

    public final void round(float[] x, int xo, short[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = round(x[xo + i]);
        }
    }

    private float[] widened(short[] x, int xo, int n) {
        float[] wide = new float[n];
        widen(x, xo, wide, 0, n);
        return wide;
    }

    @Override
    public short[] array(int length) {
        return new short[length];
    }

    @Override
    public short[] cast(Object array) {
        return (short[]) array;
    }

    @Override
    public ValueLayout layout() {
        return ValueLayout.JAVA_SHORT;
    }

    @Override
    public double getDouble(short[] array, int index) {
        return widen(array[index]);
    }

    @Override
    public long getLong(short[] array, int index) {
        return (long) widen(array[index]);
    }

    @Override
    public void set(short[] array, int index, Number value) {
        array[index] = round(value.floatValue());
    }

    @Override
    public void fill(short[] array, int offset, int n, Number value) {
        Arrays.fill(array, offset, offset + n, round(value.floatValue()));
    }

    @Override
    public void gather(short[] from, int offset, int stride, short[] to, int toOffset, int n) {
        if (stride == 0) {
            Arrays.fill(to, toOffset, toOffset + n, from[offset]);
            return;
        }
        for (int i = 0; i < n; i++) {
            to[toOffset + i] = from[offset + i * stride];
        }
    }

    @Override
    public void scatter(short[] from, int offset, short[] to, int toOffset, int stride, int n) {
        for (int i = 0; i < n; i++) {
            to[toOffset + i * stride] = from[offset + i];
        }
    }

    @Override
    public void unary(Unary function, short[] x, int xo, short[] y, int yo, int n) {
        float[] block = new float[Math.min(n, BLOCK)];
        for (int start = 0; start < n; start += BLOCK) {
            int count = Math.min(BLOCK, n - start);
            widen(x, xo + start, block, 0, count);
            floats.unary(function, block, 0, block, 0, count);
            round(block, 0, y, yo + start, count);
        }
    }

    @Override
    public void binary(
            Binary function, short[] a, int ao, short[] b, int bo, short[] y, int yo, int n) {
        float[] left = new float[Math.min(n, BLOCK)];
        float[] right = new float[left.length];
        for (int start = 0; start < n; start += BLOCK) {
            int count = Math.min(BLOCK, n - start);
            widen(a, ao + start, left, 0, count);
            widen(b, bo + start, right, 0, count);
            floats.binary(function, left, 0, right, 0, left, 0, count);
            round(left, 0, y, yo + start, count);
        }
    }

    @Override
    public void addScaled(Number alpha, short[] x, int xo, short[] y, int yo, int n) {
        float[] sums = widened(y, yo, n);
        floats.addScaled(alpha, widened(x, xo, n), 0, sums, 0, n);
        round(sums, 0, y, yo, n);
    }

    @Override
    public double dot(short[] a, int ao, short[] b, int bo, int n) {
        return floats.dot(widened(a, ao, n), 0, widened(b, bo, n), 0, n);
    }

    @Override
    public void shiftScale(
            double shift, double scale, short[] x, int xo, short[] y, int yo, int n) {
        float[] wide = widened(x, xo, n);
        floats.shiftScale(shift, scale, wide, 0, wide, 0, n);
        round(wide, 0, y, yo, n);
    }

    @Override
    public void correlate(
            short[] x, int xo, int[] offsets, short[] weights, int wo, short[] y, int yo, int n) {
        float[] wide = widened(x, xo, Arrays.stream(offsets).max().orElse(0) + n);
        float[] sums = widened(y, yo, n);
        float[] factors = widened(weights, wo, offsets.length);
        floats.correlate(wide, 0, offsets, factors, 0, sums, 0, n);
        round(sums, 0, y, yo, n);
    }

    @Override
    public void pow(short[] x, int xo, double exponent, short[] y, int yo, int n) {
        float[] wide = widened(x, xo, n);
        floats.pow(wide, 0, exponent, wide, 0, n);
        round(wide, 0, y, yo, n);
    }

    @Override
    public void sum(short[] x, int xo, int n, short[] y, int yo) {
        float[] sum = new float[1];
        floats.sum(widened(x, xo, n), 0, n, sum, 0);
        round(sum, 0, y, yo, 1);
    }

    @Override
    public void softmax(short[] x, int xo, short[] y, int yo, int n) {
        float[] wide = widened(x, xo, n);
        floats.softmax(wide, 0, wide, 0, n);
        round(wide, 0, y, yo, n);
    }

    @Override
    public void logSoftmax(short[] x, int xo, short[] y, int yo, int n) {
        float[] wide = widened(x, xo, n);
        floats.logSoftmax(wide, 0, wide, 0, n);
        round(wide, 0, y, yo, n);
    }

    @Override
    public void softmaxGradient(short[] g, int go, short[] y, int yo, short[] x, int xo, int n) {
        float[] wide = new float[n];
        floats.softmaxGradient(widened(g, go, n), 0, widened(y, yo, n), 0, wide, 0, n);
        round(wide, 0, x, xo, n);
    }

    @Override
    public void logSoftmaxGradient(short[] g, int go, short[] y, int yo, short[] x, int xo, int n) {
        float[] wide = new float[n];
        floats.logSoftmaxGradient(widened(g, go, n), 0, widened(y, yo, n), 0, wide, 0, n);
        round(wide, 0, x, xo, n);
    }

    @Override
    public void multiply(
            MatrixProduct shape, short[] a, int ao, short[] b, int bo, short[] c, int co) {
        float[] product = widened(c, 0, c.length);
        floats.multiply(
                shape, widened(a, 0, a.length), ao, widened(b, 0, b.length), bo, product, co);
        round(product, 0, c, 0, c.length);
    }
}
