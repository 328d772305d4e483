package org.gradwire.collective;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The element type and the shape of a tensor, as far as they must be the same on all members.
 *
 * @param shape null if members may have different shapes
 * @param sparseDims number of sparse dimensions; -1 of a dense tensor
 */
record TensorType(DType dtype, int @Nullable [] shape, int sparseDims) {
    private static final int MAX_DIMS = 64;

    /** Added to the number of the element type of sparse tensors, as in the encoding of tensors. */
    private static final int SPARSE = 0x100;

    static TensorType of(Tensor tensor) {
        return new TensorType(
                tensor.dtype(), tensor.shape(), tensor.isSparse() ? tensor.sparseDim() : -1);
    }

    /** {@return the type of dense tensors of any shape} */
    static TensorType ofAnyShape(DType dtype) {
        return new TensorType(dtype, null, -1);
    }

    boolean isSparse() {
        return sparseDims >= 0;
    }

    /** {@return whether both are the same} */
    boolean matches(TensorType other) {
        return dtype == other.dtype
                && sparseDims == other.sparseDims
                && Arrays.equals(shape, other.shape);
    }

    /** {@return whether a tensor has this type, and this shape if there is one} */
    boolean fits(Tensor tensor) {
        return tensor.dtype() == dtype
                && tensor.isSparse() == isSparse()
                && (!isSparse() || tensor.sparseDim() == sparseDims)
                && (shape == null || Arrays.equals(shape, tensor.shape()));
    }

    void write(Output out) {
        out.writeInt(Codes.of(dtype) + (isSparse() ? SPARSE : 0));
        out.writeInt(shape == null ? 0 : shape.length + 1);
        if (shape != null) {
            for (int size : shape) {
                out.writeInt(size);
            }
        }
        if (isSparse()) {
            out.writeInt(sparseDims);
        }
    }

    static TensorType read(Input in) {
        int code = in.readInt();
        boolean sparse = (code & SPARSE) != 0;
        DType dtype = Codes.dtype(sparse ? code - SPARSE : code);
        if (dtype == null) {
            throw new DecodingException("the type of a tensor has no element type");
        }
        int[] shape = readShape(in);
        return new TensorType(dtype, shape, sparse ? readSparseDims(shape, in) : -1);
    }

    private static int readSparseDims(int @Nullable [] shape, Input in) {
        if (shape == null) {
            throw new DecodingException("the type of a sparse tensor has no shape");
        }
        return in.readCount(shape.length);
    }

    private static int @Nullable [] readShape(Input in) {
        int dims = in.readCount(MAX_DIMS + 1, Integer.BYTES) - 1;
        if (dims < 0) {
            return null;
        }
        int[] shape = new int[dims];
        for (int d = 0; d < dims; d++) {
            shape[d] = in.readCount(Integer.MAX_VALUE);
        }
        return shape;
    }

    /** {@return the type and shape as in {@code float32[2, 3]}} */
    @Override
    public String toString() {
        String text = shape == null ? dtype.toString() : dtype + Arrays.toString(shape);
        return isSparse() ? "%s (sparse, sparseDim %d)".formatted(text, sparseDims) : text;
    }
}
