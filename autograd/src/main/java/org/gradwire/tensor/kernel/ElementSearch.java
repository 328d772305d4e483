package org.gradwire.tensor.kernel;

/** Linear search for elements that equal a value, where NaN equals NaN. */
public final class ElementSearch {

    private ElementSearch() {}

    /** {@return the index from {@code xo} on of the first that equals a value; -1 if none does} */
    static int first(Object array, int xo, int n, Object values, int value) {
        return switch (array) {
            case float[] x -> first(x, xo, n, ((float[]) values)[value]);
            case double[] x -> first(x, xo, n, ((double[]) values)[value]);
            case long[] x -> first(x, xo, n, ((long[]) values)[value]);
            default -> throw new AssertionError("no search in " + array.getClass());
        };
    }

    private static int first(float[] x, int xo, int n, float value) {
        boolean missing = Float.isNaN(value);
        for (int i = 0; i < n; i++) {
            float element = x[xo + i];
            if (element == value || (missing && Float.isNaN(element))) {
                return i;
            }
        }
        return -1;
    }

    private static int first(double[] x, int xo, int n, double value) {
        boolean missing = Double.isNaN(value);
        for (int i = 0; i < n; i++) {
            double element = x[xo + i];
            if (element == value || (missing && Double.isNaN(element))) {
                return i;
            }
        }
        return -1;
    }

    private static int first(long[] x, int xo, int n, long value) {
        for (int i = 0; i < n; i++) {
            if (x[xo + i] == value) {
                return i;
            }
        }
        return -1;
    }

    /** Write a number to {@code found} wherever an element equals the value at the same place. */
    static void mark(
            Object array, int xo, Object values, long[] found, int to, int n, long number) {
        switch (array) {
            case float[] x -> mark(x, xo, (float[]) values, found, to, n, number);
            case double[] x -> mark(x, xo, (double[]) values, found, to, n, number);
            case long[] x -> mark(x, xo, (long[]) values, found, to, n, number);
            default -> throw new AssertionError("no search in " + array.getClass());
        }
    }

    private static void mark(
            float[] x, int xo, float[] values, long[] found, int to, int n, long number) {
        for (int i = 0; i < n; i++) {
            float element = x[xo + i];
            float value = values[to + i];
            boolean same = element == value || (Float.isNaN(value) && Float.isNaN(element));
            found[to + i] = same ? number : found[to + i];
        }
    }

    private static void mark(
            double[] x, int xo, double[] values, long[] found, int to, int n, long number) {
        for (int i = 0; i < n; i++) {
            double element = x[xo + i];
            double value = values[to + i];
            boolean same = element == value || (Double.isNaN(value) && Double.isNaN(element));
            found[to + i] = same ? number : found[to + i];
        }
    }

    private static void mark(
            long[] x, int xo, long[] values, long[] found, int to, int n, long number) {
        for (int i = 0; i < n; i++) {
            found[to + i] = x[xo + i] == values[to + i] ? number : found[to + i];
        }
    }

    /**
     * Write elements to the places that indices along the middle one of three dimensions name:
     * {@code y[o, index[o, i], i] = x[o, i]}.
     */
    public static void place(
            Object from, long[] index, Object to, int outer, int terms, int inner) {
        for (int block = 0; block < outer; block++) {
            for (int i = 0; i < inner; i++) {
                int at = block * inner + i;
                int target = (block * terms + (int) index[at]) * inner + i;
                switch (from) {
                    case float[] x -> ((float[]) to)[target] = x[at];
                    case double[] x -> ((double[]) to)[target] = x[at];
                    default -> throw new AssertionError("no gradient in " + from.getClass());
                }
            }
        }
    }
}
