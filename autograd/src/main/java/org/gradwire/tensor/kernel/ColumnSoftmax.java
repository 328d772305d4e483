package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.kernel.element.Unary;

/**
 * Softmax over the middle one of three dimensions, row by row for some columns at a time. A row is
 * read in place, so that memory is read in runs.
 */
public final class ColumnSoftmax<A> {
    /** Columns whose rows stay in the L2 cache while they are read again, up to some thousand. */
    private static final int COLUMNS = 128;

    private final Elements<A> elements;
    private final int terms;
    private final int inner;
    private final boolean logarithmic;
    private final A work;
    private final A column;

    /**
     * Create a softmax.
     *
     * @param inner extent of the last dimension
     * @param logarithmic whether logarithms are computed, as {@link Elements#logSoftmax} does
     */
    public ColumnSoftmax(Elements<A> elements, int terms, int inner, boolean logarithmic) {
        this.elements = elements;
        this.terms = terms;
        this.inner = inner;
        this.logarithmic = logarithmic;
        this.work = elements.array(COLUMNS);
        this.column = elements.array(COLUMNS);
    }

    /** A step over some columns. */
    private interface Step {
        /** Compute {@code n} columns, the first of which begins at an element. */
        void apply(int start, int n);
    }

    private void forEachBlock(int count, Step step) {
        int plane = terms * inner;
        for (int outer = 0; outer < count; outer += plane) {
            for (int start = 0; start < inner; start += COLUMNS) {
                step.apply(outer + start, Math.min(COLUMNS, inner - start));
            }
        }
    }

    /** Compute the softmax of contiguous elements. */
    public void apply(Strided x, Strided y) {
        var reader = new BlockReader<>(elements, x, COLUMNS);
        var again = new BlockReader<>(elements, logarithmic ? x : y, COLUMNS);
        var writer = new BlockWriter<>(elements, y, COLUMNS);
        forEachBlock(
                y.count(),
                (start, n) -> {
                    findMaxima(reader, start, n);
                    A sums = sumPowers(reader, writer, start, n);
                    if (logarithmic) {
                        elements.unary(Unary.LOG, sums, 0, sums, 0, n);
                    } else {
                        elements.unary(Unary.RECIPROCAL, sums, 0, sums, 0, n);
                    }
                    for (int term = 0; term < terms; term++) {
                        int at = start + term * inner;
                        again.load(at, n);
                        A out = writer.array();
                        int to = writer.offset(at);
                        if (logarithmic) {
                            binary(Binary.SUB, again, column, out, to, n);
                            elements.binary(Binary.SUB, out, to, sums, 0, out, to, n);
                        } else {
                            binary(Binary.MUL, again, sums, out, to, n);
                        }
                        writer.store(at, n);
                    }
                });
    }

    private void binary(Binary function, BlockReader<A> x, A by, A y, int yo, int n) {
        elements.binary(function, x.array(), x.offset(), by, 0, y, yo, n);
    }

    private void findMaxima(BlockReader<A> x, int start, int n) {
        x.load(start, n);
        System.arraycopy(x.array(), x.offset(), column, 0, n);
        for (int term = 1; term < terms; term++) {
            x.load(start + term * inner, n);
            binary(Binary.MAX, x, column, column, 0, n);
        }
    }

    /** Write the powers, unless logarithms are asked for, and return their sums. */
    private A sumPowers(BlockReader<A> x, BlockWriter<A> y, int start, int n) {
        var sums = new ColumnSums<>(elements, n);
        for (int term = 0; term < terms; term++) {
            int at = start + term * inner;
            x.load(at, n);
            A powers = logarithmic ? work : y.array();
            int to = logarithmic ? 0 : y.offset(at);
            binary(Binary.SUB, x, column, powers, to, n);
            elements.unary(Unary.EXP, powers, to, powers, to, n);
            sums.add(0, powers, to, n);
            sums.endRow();
            if (!logarithmic) {
                y.store(at, n);
            }
        }
        return sums.total();
    }

    /** Compute the gradient from that of the output {@code y}; all are contiguous. */
    public void gradient(Strided g, Strided y, Strided x) {
        var flow = new BlockReader<>(elements, g, COLUMNS);
        var output = new BlockReader<>(elements, y, COLUMNS);
        var writer = new BlockWriter<>(elements, x, COLUMNS);
        forEachBlock(
                x.count(),
                (start, n) -> {
                    A sums = sumFlow(flow, output, start, n);
                    for (int term = 0; term < terms; term++) {
                        int at = start + term * inner;
                        flow.load(at, n);
                        output.load(at, n);
                        A out = writer.array();
                        int to = writer.offset(at);
                        if (logarithmic) {
                            elements.unary(Unary.EXP, output.array(), output.offset(), work, 0, n);
                            elements.binary(Binary.MUL, work, 0, sums, 0, work, 0, n);
                            binary(Binary.SUB, flow, work, out, to, n);
                        } else {
                            binary(Binary.SUB, flow, sums, work, 0, n);
                            binary(Binary.MUL, output, work, out, to, n);
                        }
                        writer.store(at, n);
                    }
                });
    }

    /** {@return the sums of the gradient, multiplied with the output unless that is logarithmic} */
    private A sumFlow(BlockReader<A> flow, BlockReader<A> output, int start, int n) {
        var sums = new ColumnSums<>(elements, n);
        for (int term = 0; term < terms; term++) {
            flow.load(start + term * inner, n);
            if (logarithmic) {
                sums.add(0, flow.array(), flow.offset(), n);
            } else {
                output.load(start + term * inner, n);
                elements.binary(
                        Binary.MUL,
                        flow.array(),
                        flow.offset(),
                        output.array(),
                        output.offset(),
                        work,
                        0,
                        n);
                sums.add(0, work, 0, n);
            }
            sums.endRow();
        }
        return sums.total();
    }
}
