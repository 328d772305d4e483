package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Kernels of int32. Results wrap and division rounds toward zero, as Java's. */
public final class IntElements implements Elements<int[]> {

    @Override
    public int[] array(int length) {
        return new int[length];
    }

    @Override
    public int[] cast(Object array) {
        return (int[]) array;
    }

    @Override
    public ElementType type() {
        return ElementType.INT32;
    }

    @Override
    public ValueLayout layout() {
        return ValueLayout.JAVA_INT;
    }

    @Override
    public double getDouble(int[] array, int index) {
        return array[index];
    }

    @Override
    public long getLong(int[] array, int index) {
        return array[index];
    }

    @Override
    public void set(int[] array, int index, Number value) {
        array[index] = value.intValue();
    }

    @Override
    public void fill(int[] array, int offset, int n, Number value) {
        Arrays.fill(array, offset, offset + n, value.intValue());
    }

    @Override
    public void gather(int[] from, int offset, int stride, int[] to, int toOffset, int n) {
        if (stride == 0) {
            Arrays.fill(to, toOffset, toOffset + n, from[offset]);
            return;
        }
        for (int i = 0; i < n; i++) {
            to[toOffset + i] = from[offset + i * stride];
        }
    }

    @Override
    public void scatter(int[] from, int offset, int[] to, int toOffset, int stride, int n) {
        for (int i = 0; i < n; i++) {
            to[toOffset + i * stride] = from[offset + i];
        }
    }

    @Override
    public void unary(Unary function, int[] x, int xo, int[] y, int yo, int n) {
        switch (function) {
            case NEG -> neg(x, xo, y, yo, n);
            case RELU -> relu(x, xo, y, yo, n);
            default -> throw new UnsupportedOperationException(function + " of integers");
        }
    }

    @Override
    public void binary(Binary function, int[] a, int ao, int[] b, int bo, int[] y, int yo, int n) {
        switch (function) {
            case ADD -> add(a, ao, b, bo, y, yo, n);
            case SUB -> sub(a, ao, b, bo, y, yo, n);
            case MUL -> mul(a, ao, b, bo, y, yo, n);
            case DIV -> div(a, ao, b, bo, y, yo, n);
            default -> throw new UnsupportedOperationException(function + " of integers");
        }
    }

    private static void neg(int[] x, int xo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = -x[xo + i];
        }
    }

    private static void relu(int[] x, int xo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.max(x[xo + i], 0);
        }
    }

    private static void add(int[] a, int ao, int[] b, int bo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] + b[bo + i];
        }
    }

    private static void sub(int[] a, int ao, int[] b, int bo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] - b[bo + i];
        }
    }

    private static void mul(int[] a, int ao, int[] b, int bo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] * b[bo + i];
        }
    }

    private static void div(int[] a, int ao, int[] b, int bo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] / b[bo + i];
        }
    }

    @Override
    public void addScaled(Number alpha, int[] x, int xo, int[] y, int yo, int n) {
        int factor = alpha.intValue();
        for (int i = 0; i < n; i++) {
            y[yo + i] += factor * x[xo + i];
        }
    }

    @Override
    public void sum(int[] x, int xo, int n, int[] y, int yo) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += x[xo + i];
        }
        y[yo] = sum;
    }

    @Override
    public void multiply(MatrixProduct p, int[] a, int ao, int[] b, int bo, int[] c, int co) {
        for (int i = 0; i < p.m(); i++) {
            for (int j = 0; j < p.n(); j++) {
                int dot = p.accumulate() ? c[co + i * p.cStride() + j] : 0;
                for (int q = 0; q < p.k(); q++) {
                    int left = p.aTransposed() ? q * p.aStride() + i : i * p.aStride() + q;
                    int right = p.bTransposed() ? j * p.bStride() + q : q * p.bStride() + j;
                    dot += a[ao + left] * b[bo + right];
                }
                c[co + i * p.cStride() + j] = dot;
            }
        }
    }
}
