package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

/** Reductions by a binary function, such as the maximum. */
public final class BinaryReductions {
    private static final int BLOCK = BlockReader.BLOCK;

    private BinaryReductions() {}

    /**
     * Reduce each row of a matrix: {@code y[r]} comes from {@code x[r, :]}, which is not empty.
     *
     * @return an array of as many elements as there are rows
     */
    public static <A> A rows(
            Elements<A> elements, Binary function, Strided x, int rows, int columns) {
        A results = elements.array(rows);
        A folded = elements.array(Math.min(columns, BLOCK));
        var reader = new BlockReader<>(elements, x, Math.min(x.count(), BLOCK));
        for (int row = 0; row < rows; row++) {
            int first = row * columns;
            int width = Math.min(columns, BLOCK);
            reader.load(first, width);
            System.arraycopy(reader.array(), reader.offset(), folded, 0, width);
            for (int start = width; start < columns; start += BLOCK) {
                int n = Math.min(BLOCK, columns - start);
                reader.load(first + start, n);
                elements.binary(function, folded, 0, reader.array(), reader.offset(), folded, 0, n);
            }
            halve(elements, function, folded, width);
            System.arraycopy(folded, 0, results, row, 1);
        }
        return results;
    }

    /** Reduce the upper half of some elements onto the lower half until one remains. */
    private static <A> void halve(Elements<A> elements, Binary function, A folded, int count) {
        for (int left = count; left > 1; ) {
            int kept = (left + 1) / 2;
            elements.binary(function, folded, 0, folded, kept, folded, 0, left - kept);
            left = kept;
        }
    }

    /**
     * Reduce the middle one of three dimensions, which is not empty: {@code y[o, i]} comes from
     * {@code x[o, :, i]}.
     *
     * @return an array of {@code outer * inner} elements
     */
    public static <A> A middle(
            Elements<A> elements, Binary function, Strided x, int outer, int terms, int inner) {
        A results = elements.array(outer * inner);
        var reader = new BlockReader<>(elements, x, Math.min(x.count(), BLOCK));
        for (int block = 0; block < outer; block++) {
            for (int start = 0; start < inner; start += BLOCK) {
                int n = Math.min(BLOCK, inner - start);
                int to = block * inner + start;
                reader.load(block * terms * inner + start, n);
                System.arraycopy(reader.array(), reader.offset(), results, to, n);
                for (int term = 1; term < terms; term++) {
                    reader.load((block * terms + term) * inner + start, n);
                    elements.binary(
                            function, results, to, reader.array(), reader.offset(), results, to, n);
                }
            }
        }
        return results;
    }

    /**
     * Find, in each row of a matrix, the first element that equals a value; for a NaN, the first
     * NaN.
     *
     * @param values one for each row
     */
    public static <A> long[] find(
            Elements<A> elements, Strided x, int rows, int columns, A values) {
        long[] found = new long[rows];
        var reader = new BlockReader<>(elements, x, Math.min(x.count(), BLOCK));
        for (int row = 0; row < rows; row++) {
            int at = -1;
            for (int start = 0; start < columns && at < 0; start += BLOCK) {
                int n = Math.min(BLOCK, columns - start);
                reader.load(row * columns + start, n);
                int index = ElementSearch.first(reader.array(), reader.offset(), n, values, row);
                at = index < 0 ? -1 : start + index;
            }
            found[row] = at;
        }
        return found;
    }

    /** As {@link #find}, over the middle one of three dimensions. */
    public static <A> long[] findMiddle(
            Elements<A> elements, Strided x, int outer, int terms, int inner, A values) {
        long[] found = new long[outer * inner];
        var reader = new BlockReader<>(elements, x, Math.min(x.count(), BLOCK));
        for (int block = 0; block < outer; block++) {
            for (int start = 0; start < inner; start += BLOCK) {
                int n = Math.min(BLOCK, inner - start);
                int to = block * inner + start;
                for (int term = terms - 1; term >= 0; term--) { // so that the first one stays
                    reader.load((block * terms + term) * inner + start, n);
                    ElementSearch.mark(reader.array(), reader.offset(), values, found, to, n, term);
                }
            }
        }
        return found;
    }
}
