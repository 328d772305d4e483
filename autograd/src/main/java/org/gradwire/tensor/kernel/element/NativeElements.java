package org.gradwire.tensor.kernel.element;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between ranges of arrays and strided elements in native memory. Its loops read native
 * segments only: a loop that has seen heap segments too is several times slower.
 */
final class NativeElements {

    private NativeElements() {}

    /** Copy strided elements, the first of which is the {@code at}th, to an array. */
    static void gather(MemorySegment from, long at, long stride, Object to, int toOffset, int n) {
        switch (to) {
            case float[] y -> gather(from, at, stride, y, toOffset, n);
            case double[] y -> gather(from, at, stride, y, toOffset, n);
            case int[] y -> gather(from, at, stride, y, toOffset, n);
            case long[] y -> gather(from, at, stride, y, toOffset, n);
            case short[] y -> gather(from, at, stride, y, toOffset, n);
            case byte[] y -> gather(from, at, stride, y, toOffset, n);
            default -> throw new AssertionError("no element type has " + to.getClass());
        }
    }

    private static void gather(MemorySegment x, long at, long stride, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x.getAtIndex(ValueLayout.JAVA_FLOAT, at + i * stride);
        }
    }

    private static void gather(MemorySegment x, long at, long stride, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x.getAtIndex(ValueLayout.JAVA_DOUBLE, at + i * stride);
        }
    }

    private static void gather(MemorySegment x, long at, long stride, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x.getAtIndex(ValueLayout.JAVA_INT, at + i * stride);
        }
    }

    private static void gather(MemorySegment x, long at, long stride, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x.getAtIndex(ValueLayout.JAVA_LONG, at + i * stride);
        }
    }

    private static void gather(MemorySegment x, long at, long stride, short[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x.getAtIndex(ValueLayout.JAVA_SHORT, at + i * stride);
        }
    }

    private static void gather(MemorySegment x, long at, long stride, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x.get(ValueLayout.JAVA_BYTE, at + i * stride);
        }
    }

    /** Copy a range of an array to strided elements, the first of which is the {@code at}th. */
    static void scatter(Object from, int offset, MemorySegment to, long at, long stride, int n) {
        switch (from) {
            case float[] x -> scatter(x, offset, to, at, stride, n);
            case double[] x -> scatter(x, offset, to, at, stride, n);
            case int[] x -> scatter(x, offset, to, at, stride, n);
            case long[] x -> scatter(x, offset, to, at, stride, n);
            case short[] x -> scatter(x, offset, to, at, stride, n);
            case byte[] x -> scatter(x, offset, to, at, stride, n);
            default -> throw new AssertionError("no element type has " + from.getClass());
        }
    }

    private static void scatter(float[] x, int xo, MemorySegment y, long at, long stride, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_FLOAT, at + i * stride, x[xo + i]);
        }
    }

    private static void scatter(double[] x, int xo, MemorySegment y, long at, long stride, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_DOUBLE, at + i * stride, x[xo + i]);
        }
    }

    private static void scatter(int[] x, int xo, MemorySegment y, long at, long stride, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_INT, at + i * stride, x[xo + i]);
        }
    }

    private static void scatter(long[] x, int xo, MemorySegment y, long at, long stride, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_LONG, at + i * stride, x[xo + i]);
        }
    }

    private static void scatter(short[] x, int xo, MemorySegment y, long at, long stride, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_SHORT, at + i * stride, x[xo + i]);
        }
    }

    private static void scatter(byte[] x, int xo, MemorySegment y, long at, long stride, int n) {
        for (int i = 0; i < n; i++) {
            y.set(ValueLayout.JAVA_BYTE, at + i * stride, x[xo + i]);
        }
    }
}
