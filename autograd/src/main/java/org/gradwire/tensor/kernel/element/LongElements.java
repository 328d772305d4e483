package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Kernels of int64. Division rounds toward zero, as Java's. */
public class LongElements implements Elements<long[]> {

    @Override
    public long[] array(int length) {
        return new long[length];
    }

    @Override
    public long[] cast(Object array) {
        return (long[]) array;
    }

    @Override
    public ElementType type() {
        return ElementType.INT64;
    }

    @Override
    public ValueLayout layout() {
        return ValueLayout.JAVA_LONG;
    }

    @Override
    public double getDouble(long[] array, int index) {
        return array[index];
    }

    @Override
    public long getLong(long[] array, int index) {
        return array[index];
    }

    @Override
    public void set(long[] array, int index, Number value) {
        array[index] = value.longValue();
    }

    @Override
    public void fill(long[] array, int offset, int n, Number value) {
        Arrays.fill(array, offset, offset + n, value.longValue());
    }

    @Override
    public void gather(long[] from, int offset, int stride, long[] to, int toOffset, int n) {
        if (stride == 0) {
            Arrays.fill(to, toOffset, toOffset + n, from[offset]);
            return;
        }
        for (int i = 0; i < n; i++) {
            to[toOffset + i] = from[offset + i * stride];
        }
    }

    @Override
    public void scatter(long[] from, int offset, long[] to, int toOffset, int stride, int n) {
        for (int i = 0; i < n; i++) {
            to[toOffset + i * stride] = from[offset + i];
        }
    }

    @Override
    public void unary(Unary function, long[] x, int xo, long[] y, int yo, int n) {
        switch (function) {
            case NEG -> neg(x, xo, y, yo, n);
            case RELU -> relu(x, xo, y, yo, n);
            default -> IntegerFunctions.apply(function, x, xo, y, yo, n);
        }
    }

    @Override
    public void binary(
            Binary function, long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        switch (function) {
            case ADD -> add(a, ao, b, bo, y, yo, n);
            case SUB -> sub(a, ao, b, bo, y, yo, n);
            case MUL -> mul(a, ao, b, bo, y, yo, n);
            case DIV -> div(a, ao, b, bo, y, yo, n);
            default -> IntegerFunctions.apply(function, a, ao, b, bo, y, yo, n);
        }
    }

    private static void neg(long[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = -x[xo + i];
        }
    }

    private static void relu(long[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.max(x[xo + i], 0);
        }
    }

    private static void add(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] + b[bo + i];
        }
    }

    private static void sub(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] - b[bo + i];
        }
    }

    private static void mul(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] * b[bo + i];
        }
    }

    private static void div(long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] / b[bo + i];
        }
    }

    @Override
    public void addScaled(Number alpha, long[] x, int xo, long[] y, int yo, int n) {
        addScaled(alpha.longValue(), x, xo, y, yo, n);
    }

    /** As {@link #addScaled(Number, long[], int, long[], int, int)}. */
    protected void addScaled(long factor, long[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] += factor * x[xo + i];
        }
    }

    @Override
    public void sum(long[] x, int xo, int n, long[] y, int yo) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += x[xo + i];
        }
        y[yo] = sum;
    }

    @Override
    public void multiply(MatrixProduct p, long[] a, int ao, long[] b, int bo, long[] c, int co) {
        int aRow = p.aTransposed() ? 1 : p.aStride();
        int aColumn = p.aTransposed() ? p.aStride() : 1;
        for (int i = 0; i < p.m(); i++) {
            int row = co + i * p.cStride();
            if (!p.accumulate()) {
                Arrays.fill(c, row, row + p.n(), 0);
            }
            if (p.bTransposed()) {
                dots(p, a, ao + i * aRow, aColumn, b, bo, c, row);
            } else {
                for (int q = 0; q < p.k(); q++) {
                    long factor = a[ao + i * aRow + q * aColumn];
                    addScaled(factor, b, bo + q * p.bStride(), c, row, p.n());
                }
            }
        }
    }

    private static void dots(
            MatrixProduct p, long[] a, int ao, int aStep, long[] b, int bo, long[] c, int co) {
        for (int j = 0; j < p.n(); j++) {
            int column = bo + j * p.bStride();
            long dot = 0;
            for (int q = 0; q < p.k(); q++) {
                dot += a[ao + q * aStep] * b[column + q];
            }
            c[co + j] += dot;
        }
    }
}
