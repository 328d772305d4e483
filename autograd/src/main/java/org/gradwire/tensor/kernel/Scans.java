package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

/** Prefix sums along rows, forward or backward; floating-point sums are accumulated as doubles. */
public final class Scans {
    private static final int BLOCK = BlockReader.BLOCK;

    private Scans() {}

    /** Write the running sums of each row of a matrix. */
    public static <A> void rows(
            Elements<A> elements, int columns, boolean backwards, Strided x, Strided y) {
        int count = y.count();
        int longest = Math.min(columns, BLOCK);
        var reader = new BlockReader<>(elements, x, longest);
        var writer = new BlockWriter<>(elements, y, longest);
        Sum sum = new Sum();
        int blocks = (columns + BLOCK - 1) / BLOCK;
        for (int row = 0; row < count; row += columns) {
            sum.clear();
            for (int i = 0; i < blocks; i++) {
                int start = (backwards ? blocks - 1 - i : i) * BLOCK;
                int n = Math.min(BLOCK, columns - start);
                reader.load(row + start, n);
                int to = writer.offset(row + start);
                sum.run(reader.array(), reader.offset(), writer.array(), to, n, backwards);
                writer.store(row + start, n);
            }
        }
    }

    /** The sum so far. */
    private static final class Sum {
        private double fractions;
        private long whole;

        void clear() {
            fractions = 0;
            whole = 0;
        }

        void run(Object x, int xo, Object y, int yo, int n, boolean backwards) {
            int step = backwards ? -1 : 1;
            int from = backwards ? xo + n - 1 : xo;
            int to = backwards ? yo + n - 1 : yo;
            switch (x) {
                case float[] floats -> run(floats, from, (float[]) y, to, n, step);
                case double[] doubles -> run(doubles, from, (double[]) y, to, n, step);
                case long[] longs -> run(longs, from, (long[]) y, to, n, step);
                default -> throw new AssertionError("no running sum of " + x.getClass());
            }
        }

        private void run(float[] x, int xo, float[] y, int yo, int n, int step) {
            double sum = fractions;
            for (int i = 0; i < n; i++) {
                sum += x[xo + i * step];
                y[yo + i * step] = (float) sum;
            }
            fractions = sum;
        }

        private void run(double[] x, int xo, double[] y, int yo, int n, int step) {
            double sum = fractions;
            for (int i = 0; i < n; i++) {
                sum += x[xo + i * step];
                y[yo + i * step] = sum;
            }
            fractions = sum;
        }

        private void run(long[] x, int xo, long[] y, int yo, int n, int step) {
            long sum = whole;
            for (int i = 0; i < n; i++) {
                sum += x[xo + i * step];
                y[yo + i * step] = sum;
            }
            whole = sum;
        }
    }

    /** Write the running sums over the middle one of three dimensions. */
    public static <A> void middle(
            Elements<A> elements, int[] sizes, boolean backwards, Strided x, Strided y) {
        int terms = sizes[1];
        int inner = sizes[2];
        int longest = Math.min(inner, BLOCK);
        var reader = new BlockReader<>(elements, x, longest);
        var writer = new BlockWriter<>(elements, y, longest);
        for (int outer = 0; outer < sizes[0]; outer++) {
            for (int column = 0; column < inner; column += BLOCK) {
                int n = Math.min(BLOCK, inner - column);
                double[] fractions = new double[n];
                long[] whole = new long[n];
                for (int i = 0; i < terms; i++) {
                    int term = backwards ? terms - 1 - i : i;
                    int start = (outer * terms + term) * inner + column;
                    reader.load(start, n);
                    int to = writer.offset(start);
                    add(reader.array(), reader.offset(), fractions, whole, writer.array(), to, n);
                    writer.store(start, n);
                }
            }
        }
    }

    private static void add(
            Object x, int xo, double[] fractions, long[] whole, Object y, int yo, int n) {
        switch (x) {
            case float[] floats -> add(floats, xo, fractions, (float[]) y, yo, n);
            case double[] doubles -> add(doubles, xo, fractions, (double[]) y, yo, n);
            case long[] longs -> add(longs, xo, whole, (long[]) y, yo, n);
            default -> throw new AssertionError("no running sum of " + x.getClass());
        }
    }

    private static void add(float[] x, int xo, double[] sums, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += x[xo + i];
            y[yo + i] = (float) sums[i];
        }
    }

    private static void add(double[] x, int xo, double[] sums, double[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += x[xo + i];
            y[yo + i] = sums[i];
        }
    }

    private static void add(long[] x, int xo, long[] sums, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            sums[i] += x[xo + i];
            y[yo + i] = sums[i];
        }
    }
}
