package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.util.Arrays;

/** Prefix sums along rows, forward or backward; floating-point sums are accumulated as doubles. */
public final class Scans {
    private static final int BLOCK = BlockReader.BLOCK;

    private Scans() {}

    /** Write the running sums of each row of a matrix. */
    public static <A> void rows(
            Elements<A> elements, int columns, boolean backwards, Strided x, Strided y) {
        if (elements.type().isFloating()) {
            new Rows<>(elements, columns, x, y).run(backwards);
        } else {
            wholeRows(Kernels.installed().longs(), columns, backwards, x, y);
        }
    }

    /**
     * Running sums of rows, some at a time: each sum waits for the one before, but not for those of
     * other rows. Numbers are converted to doubles and back by the block, in separate loops.
     */
    private static final class Rows<A> {
        private static final int MOST = 4;
        private static final int LONGEST = 512;

        private final Elements<A> elements;
        private final int columns;
        private final Strided x;
        private final Strided y;
        private final int pitch;
        private final A block;
        private final double[] sums;
        private final double[] before = new double[MOST];

        Rows(Elements<A> elements, int columns, Strided x, Strided y) {
            this.elements = elements;
            this.columns = columns;
            this.x = x;
            this.y = y;
            pitch = Math.min(columns, LONGEST);
            block = elements.array(pitch);
            sums = new double[Math.min(MOST, y.count() / columns) * pitch];
        }

        void run(boolean backwards) {
            int rows = y.count() / columns;
            int blocks = (columns + pitch - 1) / pitch;
            for (int row = 0; row < rows; row += MOST) {
                Arrays.fill(before, 0);
                for (int i = 0; i < blocks; i++) {
                    int start = (backwards ? blocks - 1 - i : i) * pitch;
                    runBlock(row, Math.min(MOST, rows - row), start, backwards);
                }
            }
        }

        private void runBlock(int row, int count, int start, boolean backwards) {
            int n = Math.min(pitch, columns - start);
            for (int r = 0; r < count; r++) {
                x.read(elements, (row + r) * columns + start, block, n);
                widen(block, sums, r * pitch, n);
            }
            int first = backwards ? n - 1 : 0;
            int step = backwards ? -1 : 1;
            if (count == MOST) {
                addAll(sums, pitch, first, step, n, before);
            } else {
                for (int r = 0; r < count; r++) {
                    before[r] = add(sums, r * pitch + first, step, n, before[r]);
                }
            }
            for (int r = 0; r < count; r++) {
                narrow(sums, r * pitch, block, n);
                y.write(elements, (row + r) * columns + start, block, n);
            }
        }

        private static void widen(Object from, double[] to, int offset, int n) {
            switch (from) {
                case float[] floats -> widen(floats, to, offset, n);
                default -> System.arraycopy(from, 0, to, offset, n);
            }
        }

        private static void widen(float[] from, double[] to, int offset, int n) {
            for (int i = 0; i < n; i++) {
                to[offset + i] = from[i];
            }
        }

        private static void narrow(double[] from, int offset, Object to, int n) {
            switch (to) {
                case float[] floats -> narrow(from, offset, floats, n);
                default -> System.arraycopy(from, offset, to, 0, n);
            }
        }

        private static void narrow(double[] from, int offset, float[] to, int n) {
            for (int i = 0; i < n; i++) {
                to[i] = (float) from[offset + i];
            }
        }

        private static void addAll(
                double[] x, int pitch, int first, int step, int n, double[] before) {
            double a = before[0];
            double b = before[1];
            double c = before[2];
            double d = before[3];
            for (int i = 0; i < n; i++) {
                int at = first + i * step;
                a += x[at];
                x[at] = a;
                b += x[at + pitch];
                x[at + pitch] = b;
                c += x[at + 2 * pitch];
                x[at + 2 * pitch] = c;
                d += x[at + 3 * pitch];
                x[at + 3 * pitch] = d;
            }
            before[0] = a;
            before[1] = b;
            before[2] = c;
            before[3] = d;
        }

        private static double add(double[] x, int first, int step, int n, double before) {
            double sum = before;
            for (int i = 0; i < n; i++) {
                sum += x[first + i * step];
                x[first + i * step] = sum;
            }
            return sum;
        }
    }

    /** Write the running sums of integers along rows. */
    private static void wholeRows(
            Elements<long[]> elements, int columns, boolean backwards, Strided x, Strided y) {
        long[] block = new long[Math.min(columns, BLOCK)];
        int blocks = (columns + BLOCK - 1) / BLOCK;
        for (int row = 0; row < y.count(); row += columns) {
            long sum = 0;
            for (int i = 0; i < blocks; i++) {
                int start = (backwards ? blocks - 1 - i : i) * BLOCK;
                int n = Math.min(BLOCK, columns - start);
                x.read(elements, row + start, block, n);
                sum = add(block, backwards ? n - 1 : 0, backwards ? -1 : 1, n, sum);
                y.write(elements, row + start, block, n);
            }
        }
    }

    private static long add(long[] x, int first, int step, int n, long before) {
        long sum = before;
        for (int i = 0; i < n; i++) {
            sum += x[first + i * step];
            x[first + i * step] = sum;
        }
        return sum;
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
