package org.gradwire.tensor.kernel.element;

/**
 * The shape of a product of row-major matrices, {@code c[m, n] = a[m, k] * b[k, n]}.
 *
 * @param aTransposed whether {@code a} is stored as its transpose, {@code [k, m]}
 * @param aStride elements from one stored row of {@code a} to the next
 * @param bTransposed whether {@code b} is stored as its transpose, {@code [n, k]}
 * @param bStride elements from one stored row of {@code b} to the next
 * @param cStride elements from one row of {@code c} to the next
 * @param accumulate whether the product is added to {@code c}
 */
public record MatrixProduct(
        int m,
        int n,
        int k,
        boolean aTransposed,
        int aStride,
        boolean bTransposed,
        int bStride,
        int cStride,
        boolean accumulate) {

    /** {@return the number of multiplications} */
    public long multiplications() {
        return (long) m * n * k;
    }

    /** {@return the elements from the first of {@code a} to the last} */
    public int aSpan() {
        return span(aTransposed ? k : m, aTransposed ? m : k, aStride);
    }

    /** {@return the elements from the first of {@code b} to the last} */
    public int bSpan() {
        return span(bTransposed ? n : k, bTransposed ? k : n, bStride);
    }

    /** {@return the elements from the first of {@code c} to the last} */
    public int cSpan() {
        return span(m, n, cStride);
    }

    private static int span(int rows, int columns, int stride) {
        return rows == 0 || columns == 0
                ? 0
                : Math.addExact(Math.multiplyExact(rows - 1, stride), columns);
    }
}
