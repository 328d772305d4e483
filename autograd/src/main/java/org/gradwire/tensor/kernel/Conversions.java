package org.gradwire.tensor.kernel;

/** Turns numbers of one element type into those of another, as Java's casts do. */
final class Conversions {

    private Conversions() {}

    /** Convert a range; both are arrays of element types. */
    static void convert(Object from, int fo, Object to, int to0, int n) {
        switch (from) {
            case float[] x when to instanceof double[] y -> convert(x, fo, y, to0, n);
            case float[] x when to instanceof long[] y -> convert(x, fo, y, to0, n);
            case double[] x when to instanceof float[] y -> convert(x, fo, y, to0, n);
            case double[] x when to instanceof long[] y -> convert(x, fo, y, to0, n);
            case long[] x when to instanceof float[] y -> convert(x, fo, y, to0, n);
            case long[] x when to instanceof double[] y -> convert(x, fo, y, to0, n);
            default -> System.arraycopy(from, fo, to, to0, n);
        }
    }

    private static void convert(float[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(float[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (long) x[xo + i];
        }
    }

    private static void convert(double[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (float) x[xo + i];
        }
    }

    private static void convert(double[] x, int xo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (long) x[xo + i];
        }
    }

    private static void convert(long[] x, int xo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }

    private static void convert(long[] x, int xo, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = x[xo + i];
        }
    }
}
