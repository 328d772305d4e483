package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Column sums of a matrix whose rows arrive sequentially.
 *
 * <p>Pairwise summation in several levels, so that the error grows with the logarithm of the number
 * of rows: a single running sum in float32 loses small terms.
 */
final class ColumnSums<A> {
    private static final int ROWS_BITS = 5;
    private static final int MOST_LEVELS = 6;

    private final Elements<A> elements;
    private final int columns;
    private final List<A> levels = new ArrayList<>(1);
    private int rows;

    ColumnSums(Elements<A> elements, int columns) {
        this.elements = elements;
        this.columns = columns;
        levels.add(elements.array(columns));
    }

    /** Add some elements of a row, which begin at a column. */
    void add(int column, A row, int offset, int n) {
        A sums = levels.getFirst();
        if (isCarried()) {
            System.arraycopy(row, offset, sums, column, n);
        } else {
            elements.binary(Binary.ADD, sums, column, row, offset, sums, column, n);
        }
    }

    /**
     * Add all rows of a matrix in native memory, if there is a way without arrays.
     *
     * @return whether it was done
     */
    boolean addNative(MemorySegment matrix, int count) {
        A sums = levels.getFirst();
        for (int row = 0; row < count; ) {
            int end = Math.min(count, (row | mask(0)) + 1);
            int at = row * columns;
            int rest = end - row - 1;
            Strided.copyRun(elements, matrix, at, 1, sums, 0, columns);
            if (!elements.addRowsNative(matrix, at + columns, columns, rest, sums, 0, columns)) {
                return false;
            }
            rows = end - 1;
            endRow();
            row = end;
        }
        return true;
    }

    /** {@return whether the next level contains the sums of the first} */
    private boolean isCarried() {
        return (rows & mask(0)) == 0;
    }

    /** End a row. */
    void endRow() {
        rows++;
        for (int level = 0; level < MOST_LEVELS && (rows & mask(level)) == 0; level++) {
            if (level + 1 == levels.size()) {
                levels.add(elements.array(columns));
            }
            carry(level, levels.get(level + 1));
        }
    }

    /** {@return the bits of the row count that are zero when a level is full} */
    private static int mask(int level) {
        return (1 << ((level + 1) * ROWS_BITS)) - 1;
    }

    private void carry(int level, A to) {
        A sums = levels.get(level);
        elements.binary(Binary.ADD, to, 0, sums, 0, to, 0, columns);
        if (level > 0) {
            elements.fill(sums, 0, columns, 0);
        }
    }

    /** {@return the sums of all rows} */
    A total() {
        int first = levels.size() > 1 && isCarried() ? 1 : 0;
        for (int level = first; level + 1 < levels.size(); level++) {
            carry(level, levels.get(level + 1));
        }
        return levels.getLast();
    }
}
