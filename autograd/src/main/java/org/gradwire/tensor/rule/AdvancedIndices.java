package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Advanced indices: int64 index tensors, and bool masks. */
final class AdvancedIndices {

    private AdvancedIndices() {}

    /** {@return the number of dimensions that an index consumes} */
    static int dimensions(Tensor index) {
        return index.dtype() == DType.BOOL ? TensorAccess.dims(index).length : 1;
    }

    /**
     * Return the numbers of the first dimensions that indices name: of a mask those of its elements
     * that are set, a vector for each of its dimensions.
     */
    static List<Tensor> numbers(Tensor self, List<Tensor> indices) {
        List<Tensor> all = new ArrayList<>();
        for (Tensor index : indices) {
            requireType(index);
            int first = all.size();
            if (first + dimensions(index) > TensorAccess.dims(self).length) {
                throw new IndexOutOfBoundsException(
                        "too many indices for tensor of dimension %d: %d"
                                .formatted(
                                        TensorAccess.dims(self).length, first + dimensions(index)));
            }
            if (index.dtype() == DType.BOOL) {
                all.addAll(numbers(self, index, first));
            } else {
                all.add(index);
            }
        }
        return all;
    }

    /** Return the numbers of the elements that are set, a vector for each dimension of a mask. */
    static List<Tensor> numbers(Tensor self, Tensor mask, int first) {
        int[] indexed =
                Arrays.copyOfRange(
                        TensorAccess.dims(self), first, first + TensorAccess.dims(mask).length);
        if (TensorAccess.dims(mask).length == 0
                || !Arrays.equals(indexed, TensorAccess.dims(mask))) {
            throw new IndexOutOfBoundsException(
                    "The shape of the mask %s at index 0 does not match the shape of the indexed tensor %s at index %d"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(mask)),
                                    Arrays.toString(TensorAccess.dims(self)),
                                    first));
        }
        return mask.nonzero().unbind(1);
    }

    private static void requireType(Tensor index) {
        if (index.dtype() != DType.INT64 && index.dtype() != DType.BOOL) {
            throw new IndexOutOfBoundsException(
                    "a tensor used as an index must be of int64 or bool, but is "
                            + TensorAccess.describe(index));
        }
    }
}
