package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.ReducedElements;

/** Converts between element types, as Java's casts. Nonzero is true. */
final class Conversions {

    private Conversions() {}

    /** Convert a range of elements of one type to elements of another. */
    static <A, B> void convert(
            Elements<A> fromType, A from, int fo, Elements<B> toType, B to, int to0, int n) {
        boolean same = fromType.equals(toType);
        if (!same && fromType instanceof ReducedElements reduced) {
            float[] wide = new float[n];
            reduced.widen(reduced.cast(from), fo, wide, 0, n);
            convert(Kernels.installed().floats(), wide, 0, toType, to, to0, n);
        } else if (!same && toType instanceof ReducedElements reduced) {
            float[] wide = new float[n];
            convert(from, fo, (Object) wide, 0, n);
            reduced.round(wide, 0, reduced.cast(to), to0, n);
        } else {
            convert(from, fo, (Object) to, to0, n);
        }
    }

    /** Convert a range; both are arrays of element types but those of 16 bits. */
    static void convert(Object from, int fo, Object to, int to0, int n) {
        switch (to) {
            case Object y when y.getClass() == from.getClass() ->
                    System.arraycopy(from, fo, y, to0, n);
            case float[] y -> convert(from, fo, y, to0, n);
            case double[] y -> convert(from, fo, y, to0, n);
            case int[] y -> convert(from, fo, y, to0, n);
            case long[] y -> convert(from, fo, y, to0, n);
            case byte[] y -> convert(from, fo, y, to0, n);
            default -> throw unknown(to);
        }
    }

    private static AssertionError unknown(Object array) {
        return new AssertionError("no element type has " + array.getClass());
    }

    private static void convert(Object from, int fo, float[] y, int yo, int n) {
        switch (from) {
            case double[] x -> convert(x, fo, y, yo, n);
            case int[] x -> convert(x, fo, y, yo, n);
            case long[] x -> convert(x, fo, y, yo, n);
            case byte[] x -> convert(x, fo, y, yo, n);
            default -> throw unknown(from);
        }
    }

    private static void convert(double[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) x[xo + i];
        }
    }

    private static void convert(int[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(long[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(byte[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(Object from, int fo, double[] y, int yo, int n) {
        switch (from) {
            case float[] x -> convert(x, fo, y, yo, n);
            case int[] x -> convert(x, fo, y, yo, n);
            case long[] x -> convert(x, fo, y, yo, n);
            case byte[] x -> convert(x, fo, y, yo, n);
            default -> throw unknown(from);
        }
    }

    private static void convert(float[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(int[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(long[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(byte[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(Object from, int fo, int[] y, int yo, int n) {
        switch (from) {
            case float[] x -> convert(x, fo, y, yo, n);
            case double[] x -> convert(x, fo, y, yo, n);
            case long[] x -> convert(x, fo, y, yo, n);
            case byte[] x -> convert(x, fo, y, yo, n);
            default -> throw unknown(from);
        }
    }

    private static void convert(float[] x, int xo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (int) x[xo + i];
        }
    }

    private static void convert(double[] x, int xo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (int) x[xo + i];
        }
    }

    private static void convert(long[] x, int xo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (int) x[xo + i];
        }
    }

    private static void convert(byte[] x, int xo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(Object from, int fo, long[] y, int yo, int n) {
        switch (from) {
            case float[] x -> convert(x, fo, y, yo, n);
            case double[] x -> convert(x, fo, y, yo, n);
            case int[] x -> convert(x, fo, y, yo, n);
            case byte[] x -> convert(x, fo, y, yo, n);
            default -> throw unknown(from);
        }
    }

    private static void convert(float[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (long) x[xo + i];
        }
    }

    private static void convert(double[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (long) x[xo + i];
        }
    }

    private static void convert(int[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(byte[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(Object from, int fo, byte[] y, int yo, int n) {
        switch (from) {
            case float[] x -> convert(x, fo, y, yo, n);
            case double[] x -> convert(x, fo, y, yo, n);
            case int[] x -> convert(x, fo, y, yo, n);
            case long[] x -> convert(x, fo, y, yo, n);
            default -> throw unknown(from);
        }
    }

    private static void convert(float[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] == 0 ? (byte) 0 : 1;
        }
    }

    private static void convert(double[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] == 0 ? (byte) 0 : 1;
        }
    }

    private static void convert(int[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] == 0 ? (byte) 0 : 1;
        }
    }

    private static void convert(long[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i] == 0 ? (byte) 0 : 1;
        }
    }
}
