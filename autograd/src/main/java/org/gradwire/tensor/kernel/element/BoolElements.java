package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Kernels of bool, over bytes that are 0 or 1: adding is "or", multiplying is "and". A sum is true
 * if any element is; counting sums are computed as int64.
 */
public final class BoolElements implements Elements<byte[]> {

    @Override
    public byte[] array(int length) {
        return new byte[length];
    }

    @Override
    public byte[] cast(Object array) {
        return (byte[]) array;
    }

    @Override
    public ElementType type() {
        return ElementType.BOOL;
    }

    @Override
    public ValueLayout layout() {
        return ValueLayout.JAVA_BYTE;
    }

    @Override
    public double getDouble(byte[] array, int index) {
        return array[index];
    }

    @Override
    public long getLong(byte[] array, int index) {
        return array[index];
    }

    @Override
    public void set(byte[] array, int index, Number value) {
        array[index] = of(value);
    }

    private static byte of(Number value) {
        return value.doubleValue() == 0 ? (byte) 0 : 1;
    }

    @Override
    public void fill(byte[] array, int offset, int n, Number value) {
        Arrays.fill(array, offset, offset + n, of(value));
    }

    @Override
    public void gather(byte[] from, int offset, int stride, byte[] to, int toOffset, int n) {
        if (stride == 0) {
            Arrays.fill(to, toOffset, toOffset + n, from[offset]);
            return;
        }
        for (int i = 0; i < n; i++) {
            to[toOffset + i] = from[offset + i * stride];
        }
    }

    @Override
    public void scatter(byte[] from, int offset, byte[] to, int toOffset, int stride, int n) {
        for (int i = 0; i < n; i++) {
            to[toOffset + i * stride] = from[offset + i];
        }
    }

    @Override
    public void unary(Unary function, byte[] x, int xo, byte[] y, int yo, int n) {
        throw new UnsupportedOperationException(function + " of bool");
    }

    @Override
    public void binary(
            Binary function, byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        switch (function) {
            case ADD -> or(a, ao, b, bo, y, yo, n);
            case MUL -> and(a, ao, b, bo, y, yo, n);
            default -> throw new UnsupportedOperationException(function + " of bool");
        }
    }

    private static void or(byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (byte) (a[ao + i] | b[bo + i]);
        }
    }

    private static void and(byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (byte) (a[ao + i] & b[bo + i]);
        }
    }

    @Override
    public void addScaled(Number alpha, byte[] x, int xo, byte[] y, int yo, int n) {
        if (of(alpha) != 0) {
            or(x, xo, y, yo, y, yo, n);
        }
    }

    @Override
    public void sum(byte[] x, int xo, int n, byte[] y, int yo) {
        int any = 0;
        for (int i = 0; i < n; i++) {
            any |= x[xo + i];
        }
        y[yo] = (byte) any;
    }

    @Override
    public void multiply(MatrixProduct p, byte[] a, int ao, byte[] b, int bo, byte[] c, int co) {
        throw new IllegalArgumentException(
                "\"addmm\" not implemented for 'Bool'; convert the operands with to(dtype)");
    }
}
