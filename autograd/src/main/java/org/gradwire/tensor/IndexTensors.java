package org.gradwire.tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tensors that stand between brackets: numbers of a dimension, or masks of some. */
final class IndexTensors {

    private IndexTensors() {}

    /** {@return how many dimensions a tensor stands for} */
    static int dimensions(Tensor index) {
        return index.dtype() == DType.BOOL ? index.dims.length : 1;
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
            if (first + dimensions(index) > self.dims.length) {
                throw new IndexOutOfBoundsException(
                        "too many indices for tensor of dimension %d: %d"
                                .formatted(self.dims.length, first + dimensions(index)));
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
        int[] indexed = Arrays.copyOfRange(self.dims, first, first + mask.dims.length);
        if (mask.dims.length == 0 || !Arrays.equals(indexed, mask.dims)) {
            throw new IndexOutOfBoundsException(
                    "The shape of the mask %s at index 0 does not match the shape of the indexed tensor %s at index %d"
                            .formatted(
                                    Arrays.toString(mask.dims), Arrays.toString(self.dims), first));
        }
        return mask.nonzero().unbind(1);
    }

    private static void requireType(Tensor index) {
        if (index.dtype() != DType.INT64 && index.dtype() != DType.BOOL) {
            throw new IndexOutOfBoundsException(
                    "tensors used as indices must be long, byte or bool tensors, got "
                            + index.describe());
        }
    }
}
