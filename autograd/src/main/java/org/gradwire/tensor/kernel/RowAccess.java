package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Random access to the rows of a matrix.
 *
 * @param <A> type of the arrays
 */
public final class RowAccess<A> {
    private final Elements<A> elements;
    private final Strided matrix;
    private final int width;
    private final BlockReader<A> reader;
    private final @Nullable MemorySegment run;

    /** Look at a matrix whose rows have {@code width} elements. */
    public RowAccess(Elements<A> elements, Strided matrix, int width) {
        this.elements = elements;
        this.matrix = matrix;
        this.width = width;
        this.reader = new BlockReader<>(elements, matrix, width);
        this.run = matrix.nativeRun(elements);
    }

    /** Make a row available, until the next one is asked for. */
    public BlockReader<A> row(int row) {
        reader.load(row * width, width);
        return reader;
    }

    /** Add a multiple of a row to a range. */
    public void addTo(Number factor, int row, A to, int offset) {
        if (run != null
                && elements.addScaledFromNative(factor, run, row * width, to, offset, width)) {
            return;
        }
        reader.load(row * width, width);
        elements.addScaled(factor, reader.array(), reader.offset(), to, offset, width);
    }

    /** Add a multiple of a range to a row. */
    public void add(Number factor, A from, int offset, int row) {
        if (run != null
                && elements.addScaledToNative(factor, from, offset, run, row * width, width)) {
            return;
        }
        reader.load(row * width, width);
        elements.addScaled(factor, from, offset, reader.array(), reader.offset(), width);
        if (!reader.direct()) {
            matrix.write(elements, row * width, reader.array(), width);
        }
    }

    /** Write a range to a row. */
    public void set(int row, A from, int offset) {
        if (reader.direct()) {
            reader.load(row * width, width);
            System.arraycopy(from, offset, reader.array(), reader.offset(), width);
        } else {
            System.arraycopy(from, offset, reader.array(), 0, width);
            matrix.write(elements, row * width, reader.array(), width);
        }
    }
}
