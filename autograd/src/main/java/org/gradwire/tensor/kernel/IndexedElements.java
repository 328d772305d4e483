package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Moves elements between a range of an array and positions of a table, which is an array or native
 * memory. Each loop reads one kind of memory only.
 *
 * @param <A> type of the arrays
 */
final class IndexedElements<A> {
    private final Elements<A> elements;
    private final Object table;
    private final A one;

    /**
     * Look at a table.
     *
     * @param table an array or a native segment
     */
    IndexedElements(Elements<A> elements, Object table) {
        this.elements = elements;
        this.table = table;
        this.one = elements.array(1);
    }

    /** Copy the elements at {@code n} positions to the front of an array. */
    void take(int[] positions, A to, int n) {
        switch (to) {
            case float[] y when table instanceof float[] x -> take(x, positions, y, n);
            case float[] y when table instanceof MemorySegment x -> take(x, positions, y, n);
            case double[] y when table instanceof double[] x -> take(x, positions, y, n);
            case double[] y when table instanceof MemorySegment x -> take(x, positions, y, n);
            case long[] y when table instanceof long[] x -> take(x, positions, y, n);
            case long[] y when table instanceof MemorySegment x -> take(x, positions, y, n);
            default -> {
                for (int i = 0; i < n; i++) {
                    load(positions[i], to, i);
                }
            }
        }
    }

    private static void take(float[] x, int[] positions, float[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = x[positions[i]];
        }
    }

    private static void take(MemorySegment x, int[] positions, float[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = x.getAtIndex(ValueLayout.JAVA_FLOAT, positions[i]);
        }
    }

    private static void take(double[] x, int[] positions, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = x[positions[i]];
        }
    }

    private static void take(MemorySegment x, int[] positions, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = x.getAtIndex(ValueLayout.JAVA_DOUBLE, positions[i]);
        }
    }

    private static void take(long[] x, int[] positions, long[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = x[positions[i]];
        }
    }

    private static void take(MemorySegment x, int[] positions, long[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = x.getAtIndex(ValueLayout.JAVA_LONG, positions[i]);
        }
    }

    private void load(int position, A to, int offset) {
        if (table instanceof MemorySegment segment) {
            long at = (long) position * elements.bytes();
            MemorySegment.copy(segment, elements.layout(), at, to, offset, 1);
        } else {
            System.arraycopy(table, position, to, offset, 1);
        }
    }

    private void store(A from, int offset, int position) {
        if (table instanceof MemorySegment segment) {
            long at = (long) position * elements.bytes();
            MemorySegment.copy(from, offset, segment, elements.layout(), at, 1);
        } else {
            System.arraycopy(from, offset, table, position, 1);
        }
    }

    /** Copy the front of an array to {@code n} positions; of equal ones the last value stays. */
    void put(int[] positions, A from, int n) {
        switch (from) {
            case float[] x when table instanceof float[] y -> put(x, positions, y, n);
            case float[] x when table instanceof MemorySegment y -> put(x, positions, y, n);
            case double[] x when table instanceof double[] y -> put(x, positions, y, n);
            case double[] x when table instanceof MemorySegment y -> put(x, positions, y, n);
            default -> {
                for (int i = 0; i < n; i++) {
                    store(from, i, positions[i]);
                }
            }
        }
    }

    private static void put(float[] x, int[] positions, float[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[positions[i]] = x[i];
        }
    }

    private static void put(float[] x, int[] positions, MemorySegment y, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_FLOAT, positions[i], x[i]);
        }
    }

    private static void put(double[] x, int[] positions, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[positions[i]] = x[i];
        }
    }

    private static void put(double[] x, int[] positions, MemorySegment y, int n) {
        for (int i = 0; i < n; i++) {
            y.setAtIndex(ValueLayout.JAVA_DOUBLE, positions[i], x[i]);
        }
    }

    /** Add the front of an array to {@code n} positions, in order. */
    void add(int[] positions, A from, int n) {
        switch (from) {
            case float[] x when table instanceof float[] y -> add(x, positions, y, n);
            case float[] x when table instanceof MemorySegment y -> add(x, positions, y, n);
            case double[] x when table instanceof double[] y -> add(x, positions, y, n);
            case double[] x when table instanceof MemorySegment y -> add(x, positions, y, n);
            default -> {
                for (int i = 0; i < n; i++) {
                    load(positions[i], one, 0);
                    elements.addScaled(1, from, i, one, 0, 1);
                    store(one, 0, positions[i]);
                }
            }
        }
    }

    private static void add(float[] x, int[] positions, float[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[positions[i]] += x[i];
        }
    }

    private static void add(float[] x, int[] positions, MemorySegment y, int n) {
        for (int i = 0; i < n; i++) {
            float sum = y.getAtIndex(ValueLayout.JAVA_FLOAT, positions[i]) + x[i];
            y.setAtIndex(ValueLayout.JAVA_FLOAT, positions[i], sum);
        }
    }

    private static void add(double[] x, int[] positions, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[positions[i]] += x[i];
        }
    }

    private static void add(double[] x, int[] positions, MemorySegment y, int n) {
        for (int i = 0; i < n; i++) {
            double sum = y.getAtIndex(ValueLayout.JAVA_DOUBLE, positions[i]) + x[i];
            y.setAtIndex(ValueLayout.JAVA_DOUBLE, positions[i], sum);
        }
    }
}
