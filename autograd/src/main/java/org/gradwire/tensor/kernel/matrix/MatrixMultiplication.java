package org.gradwire.tensor.kernel.matrix;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.element.Strided;

import java.lang.foreign.MemorySegment;

/** Matrix multiplication by the fastest method for the size and the location of the operands. */
public final class MatrixMultiplication {
    /** Maximum size at which a native call takes longer than the product (measured: 4x4). */
    private static final long TINY = 64;

    private MatrixMultiplication() {}

    /**
     * Load the native library, which takes some tenths of a second, before the first product needs
     * it.
     *
     * @return whether there is one
     */
    public static boolean prepare() {
        try {
            return OpenBlas.available();
        } catch (RpcConfigurationException _) {
            return false; // the first product says why, and the first worker before
        }
    }

    /**
     * Multiply matrices.
     *
     * @param a array or native segment
     * @param ao index of its first element
     */
    public static <A> void multiply(
            Elements<A> elements,
            MatrixProduct product,
            Object a,
            int ao,
            Object b,
            int bo,
            Object c,
            int co) {
        if (product.m() == 0 || product.n() == 0) {
            return;
        }
        boolean tiny = product.multiplications() <= TINY;
        if (!tiny && OpenBlas.available() && OpenBlas.multiplies(elements)) {
            OpenBlas.multiply(elements, product, a, ao, b, bo, c, co);
        } else {
            multiplyPlain(elements, product, a, ao, b, bo, c, co);
        }
    }

    /** Multiply matrices without the native library. */
    static <A> void multiplyPlain(
            Elements<A> elements,
            MatrixProduct product,
            Object a,
            int ao,
            Object b,
            int bo,
            Object c,
            int co) {
        boolean aNative = a instanceof MemorySegment;
        boolean bNative = b instanceof MemorySegment;
        A left = aNative ? onHeap(elements, a, ao, product.aSpan()) : elements.cast(a);
        A right = bNative ? onHeap(elements, b, bo, product.bSpan()) : elements.cast(b);
        int leftOffset = aNative ? 0 : ao;
        int rightOffset = bNative ? 0 : bo;
        if (c instanceof MemorySegment) {
            A result = onHeap(elements, c, co, product.cSpan());
            elements.multiply(product, left, leftOffset, right, rightOffset, result, 0);
            StridedLoops.copy(
                    elements,
                    Strided.contiguous(result, 0, product.cSpan()),
                    Strided.contiguous(c, co, product.cSpan()));
        } else {
            elements.multiply(product, left, leftOffset, right, rightOffset, elements.cast(c), co);
        }
    }

    private static <A> A onHeap(Elements<A> elements, Object from, int offset, int span) {
        return StridedLoops.toArray(elements, Strided.contiguous(from, offset, span));
    }
}
