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
 */
record TensorType(DType dtype, int @Nullable [] shape) {
    private static final int MAX_DIMS = 64;

    static TensorType of(Tensor tensor) {
        return new TensorType(tensor.dtype(), tensor.shape());
    }

    /** {@return whether both are the same} */
    boolean matches(TensorType other) {
        return dtype == other.dtype && Arrays.equals(shape, other.shape);
    }

    /** {@return whether a tensor has this type, and this shape if there is one} */
    boolean fits(Tensor tensor) {
        return tensor.dtype() == dtype && (shape == null || Arrays.equals(shape, tensor.shape()));
    }

    void write(Output out) {
        out.writeInt(Codes.of(dtype));
        out.writeInt(shape == null ? 0 : shape.length + 1);
        if (shape != null) {
            for (int size : shape) {
                out.writeInt(size);
            }
        }
    }

    static TensorType read(Input in) {
        DType dtype = Codes.dtype(in.readInt());
        if (dtype == null) {
            throw new DecodingException("the type of a tensor has no element type");
        }
        return new TensorType(dtype, readShape(in));
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
        return shape == null ? dtype.toString() : dtype + Arrays.toString(shape);
    }
}
