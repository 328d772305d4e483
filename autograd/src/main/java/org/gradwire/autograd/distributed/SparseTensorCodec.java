package org.gradwire.autograd.distributed;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.Arrays;

/**
 * The part of {@link TensorCodec} for sparse tensors: indices and values as they are held, and
 * whether they are coalesced. Received indices are checked: their range, and their order if they
 * are coalesced.
 */
final class SparseTensorCodec {
    /** Added to the number of the element type. */
    private static final int SPARSE = 0x100;

    private SparseTensorCodec() {}

    static boolean isSparse(int code) {
        return (code & SPARSE) != 0;
    }

    static int elementCode(int code) {
        return code & ~SPARSE;
    }

    static void encode(Tensor value, int elementCode, Output out) {
        out.writeInt(elementCode | SPARSE);
        out.writeBoolean(value.requiresGrad());
        out.writeInt(value.dim());
        for (int size : value.shape()) {
            out.writeInt(size);
        }
        out.writeInt(value.sparseDim());
        out.writeInt(value.nnz());
        out.writeBoolean(value.isCoalesced());
        Tensor indices = value.heldIndices().contiguous();
        Tensor values = value.heldValues().contiguous();
        TensorCodec.writeElements(indices, indices.numel(), out);
        TensorCodec.writeElements(values, values.numel(), out);
    }

    /** Read the part after the shape. */
    static Tensor decode(DType dtype, int[] shape, Input in) {
        int sparseDim = in.readCount(shape.length);
        int nnz = in.readCount(Integer.MAX_VALUE);
        boolean coalesced = in.readBoolean();
        int[] valueShape = new int[1 + shape.length - sparseDim];
        valueShape[0] = nnz;
        System.arraycopy(shape, sparseDim, valueShape, 1, valueShape.length - 1);
        Tensor indices = read(DType.INT64, new int[] {sparseDim, nnz}, in);
        Tensor values = read(dtype, valueShape, in);
        if (coalesced) {
            checkAscending(indices, nnz);
        }
        try {
            return Tensor.sparseCoo(indices, values, coalesced, shape);
        } catch (IllegalArgumentException e) {
            throw new DecodingException(
                    "a sparse tensor of shape %s does not fit its indices: %s"
                            .formatted(Arrays.toString(shape), e.getMessage()),
                    e);
        }
    }

    private static Tensor read(DType dtype, int[] shape, Input in) {
        Tensor tensor = TensorCodec.view(TensorCodec.readElements(dtype, in), shape, null);
        if (TensorAccess.storage(tensor).length() != tensor.numel()) {
            throw new DecodingException(
                    "%d elements came for a part of a sparse tensor, of shape %s"
                            .formatted(
                                    TensorAccess.storage(tensor).length(), Arrays.toString(shape)));
        }
        return tensor;
    }

    /** Check that the columns of indices ascend. */
    private static void checkAscending(Tensor indices, int nnz) {
        long[] all = indices.toLongArray();
        for (int i = 1; i < nnz; i++) {
            int order = 0;
            for (int at = i; at < all.length && order == 0; at += nnz) {
                order = Long.compare(all[at - 1], all[at]);
            }
            if (order >= 0) {
                throw new DecodingException(
                        "the indices of a sparse tensor that is said to be coalesced do not ascend at column "
                                + i);
            }
        }
    }
}
