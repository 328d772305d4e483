package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.util.ArrayList;
import java.util.List;

/**
 * Functions of several strided operands, computed in float64 independent of their types, block by
 * block. Used by one thread.
 */
public final class DoubleBlocks {
    private static final int BLOCK = BlockReader.BLOCK;

    private final int count;
    private final List<Source<?>> sources = new ArrayList<>();

    /** Computes a block. */
    @FunctionalInterface
    public interface Step {
        /**
         * Read {@code n} numbers of each operand, write as many results.
         *
         * @param x the operands, in the order in which they were added; may be overwritten
         */
        void apply(double[][] x, double[] y, int n);
    }

    private static final class Source<A> {
        final BlockReader<A> reader;
        final double[] block = new double[BLOCK];

        Source(Elements<A> elements, Strided from) {
            reader = new BlockReader<>(elements, from, BLOCK);
        }

        void load(int start, int n) {
            reader.load(start, n);
            Conversions.convert(reader.array(), reader.offset(), block, 0, n);
        }
    }

    /** Begin with no operands; each will have {@code count} elements. */
    public DoubleBlocks(int count) {
        this.count = count;
    }

    /** Add an operand. */
    public <A> DoubleBlocks add(Elements<A> elements, Strided from) {
        sources.add(new Source<>(elements, from));
        return this;
    }

    private double[][] blocks() {
        return sources.stream().map(source -> source.block).toArray(double[][]::new);
    }

    private void load(int start, int n) {
        for (Source<?> source : sources) {
            source.load(start, n);
        }
    }

    /** {@return the sum of all results of a function} */
    public double sum(Step step) {
        Elements<double[]> doubles = Kernels.installed().doubles();
        double[][] x = blocks();
        double[] y = new double[BLOCK];
        double[] part = new double[1];
        double total = 0;
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            load(start, n);
            step.apply(x, y, n);
            doubles.sum(y, 0, n, part, 0);
            total += part[0];
        }
        return total;
    }

    /** Write all results of a function. */
    public <A> void map(Step step, Elements<A> elements, Strided to) {
        var writer = new BlockWriter<>(elements, to, BLOCK);
        double[][] x = blocks();
        double[] y = new double[BLOCK];
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            load(start, n);
            step.apply(x, y, n);
            Conversions.convert(y, 0, writer.array(), writer.offset(start), n);
            writer.store(start, n);
        }
    }
}
