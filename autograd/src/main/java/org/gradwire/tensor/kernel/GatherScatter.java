package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;

/**
 * Gather and scatter kernels: move elements between a table and a dense operand, by an index along
 * one dimension of the table.
 */
public enum GatherScatter {
    /** Gather: from the table to the dense operand. */
    TAKE,
    /** Scatter: from the dense operand to the table; of equal indices the last value stays. */
    PUT,
    /** Scatter-add: as {@link #PUT}, added to the present value. */
    ADD;

    private static final int LONG_LINE = 16;

    /**
     * Elements in an array.
     *
     * @param offset index of the first element
     * @param strides elements from one index of a dimension to the next
     */
    public record Operand<A>(A array, int offset, int[] strides) {}

    /** One run of elements: the number, and the stride in each operand. */
    private record Line(int n, int stride, int indexStep, int tableStep, int plainStep) {}

    /**
     * Move all elements of a shape.
     *
     * @param dim indexed dimension of the table
     * @param index not checked here
     */
    public <A> void apply(
            Elements<A> elements,
            int[] shape,
            int dim,
            Operand<long[]> index,
            Operand<A> table,
            Operand<A> plain) {
        int inner = lineDimension(shape);
        int[] tableStrides = table.strides.clone();
        tableStrides[dim] = 0;
        var line =
                new Line(
                        shape[inner],
                        table.strides[dim],
                        index.strides[inner],
                        tableStrides[inner],
                        plain.strides[inner]);
        int lines = 1;
        for (int d = 0; d < shape.length; d++) {
            lines *= d == inner ? 1 : shape[d];
        }
        int[] at = new int[shape.length];
        for (int i = 0; i < lines && line.n > 0; i++) {
            move(
                    elements,
                    line,
                    index.array,
                    position(index.offset, index.strides, at),
                    table.array,
                    position(table.offset, tableStrides, at),
                    plain.array,
                    position(plain.offset, plain.strides, at));
            advance(at, shape, inner);
        }
    }

    /** {@return the dimension of the lines: the last one, or the longest where that is short} */
    private static int lineDimension(int[] shape) {
        int best = shape.length - 1;
        for (int d = best; d >= 0 && shape[shape.length - 1] < LONG_LINE; d--) {
            best = shape[d] > shape[best] ? d : best;
        }
        return best;
    }

    private static int position(int offset, int[] strides, int[] at) {
        int position = offset;
        for (int d = 0; d < at.length; d++) {
            position += at[d] * strides[d];
        }
        return position;
    }

    private static void advance(int[] at, int[] shape, int inner) {
        for (int d = at.length - 1; d >= 0; d--) {
            if (d != inner) {
                at[d]++;
                if (at[d] < shape[d]) {
                    return;
                }
                at[d] = 0;
            }
        }
    }

    private <A> void move(
            Elements<A> elements, Line line, long[] x, int xo, A table, int to, A plain, int po) {
        switch (table) {
            case float[] t when plain instanceof float[] p -> floats(line, x, xo, t, to, p, po);
            case double[] t when plain instanceof double[] p -> doubles(line, x, xo, t, to, p, po);
            case long[] t when plain instanceof long[] p -> longs(line, x, xo, t, to, p, po);
            default -> others(elements, line, x, xo, table, to, plain, po);
        }
    }

    private void floats(Line line, long[] x, int xo, float[] table, int to, float[] plain, int po) {
        for (int k = 0; k < line.n; k++) {
            int t = to + k * line.tableStep + (int) x[xo + k * line.indexStep] * line.stride;
            int p = po + k * line.plainStep;
            switch (this) {
                case TAKE -> plain[p] = table[t];
                case PUT -> table[t] = plain[p];
                case ADD -> table[t] += plain[p];
            }
        }
    }

    private void doubles(
            Line line, long[] x, int xo, double[] table, int to, double[] plain, int po) {
        for (int k = 0; k < line.n; k++) {
            int t = to + k * line.tableStep + (int) x[xo + k * line.indexStep] * line.stride;
            int p = po + k * line.plainStep;
            switch (this) {
                case TAKE -> plain[p] = table[t];
                case PUT -> table[t] = plain[p];
                case ADD -> table[t] += plain[p];
            }
        }
    }

    private void longs(Line line, long[] x, int xo, long[] table, int to, long[] plain, int po) {
        for (int k = 0; k < line.n; k++) {
            int t = to + k * line.tableStep + (int) x[xo + k * line.indexStep] * line.stride;
            int p = po + k * line.plainStep;
            switch (this) {
                case TAKE -> plain[p] = table[t];
                case PUT -> table[t] = plain[p];
                case ADD -> table[t] += plain[p];
            }
        }
    }

    /** Any type, one element at a time. */
    private <A> void others(
            Elements<A> elements, Line line, long[] x, int xo, A table, int to, A plain, int po) {
        for (int k = 0; k < line.n; k++) {
            int t = to + k * line.tableStep + (int) x[xo + k * line.indexStep] * line.stride;
            int p = po + k * line.plainStep;
            switch (this) {
                case TAKE -> System.arraycopy(table, t, plain, p, 1);
                case PUT -> System.arraycopy(plain, p, table, t, 1);
                case ADD -> elements.addScaled(1, plain, p, table, t, 1);
            }
        }
    }
}
