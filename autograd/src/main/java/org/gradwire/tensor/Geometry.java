package org.gradwire.tensor;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Where the elements of a tensor lie in its storage.
 *
 * @param dims the shape
 * @param strides elements from one index of a dimension to the next; none negative
 * @param offset index in the storage of the first element
 */
record Geometry(int[] dims, int[] strides, int offset) {

    /** {@return that of a tensor, whose arrays it shares} */
    static Geometry of(Tensor tensor) {
        return new Geometry(tensor.dims, tensor.strides, tensor.offset);
    }

    /** {@return how many elements of the storage lie between the first and the last, with both} */
    int span() {
        int last = 0;
        for (int d = 0; d < dims.length; d++) {
            if (dims[d] == 0) {
                return 0;
            }
            last += (dims[d] - 1) * strides[d];
        }
        return last + 1;
    }

    /**
     * {@return whether two elements may lie in one place; false is certain, true is not where
     * strides are interleaved}
     */
    boolean mayOverlap() {
        long reach = 0;
        for (int d : byStride()) {
            if (strides[d] <= reach) {
                return span() > 0;
            }
            reach += (dims[d] - 1L) * strides[d];
        }
        return false;
    }

    /** {@return the dimensions of several elements, those whose elements lie closest first} */
    int[] byStride() {
        return IntStream.range(0, dims.length)
                .filter(d -> dims[d] > 1)
                .boxed()
                .sorted(Comparator.comparingInt(d -> strides[d]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** {@return a tensor of this geometry whose storage holds nothing else; cleared or not} */
    Tensor allocate(DType dtype, boolean cleared) {
        Storage storage = Storage.allocate(dtype, span(), cleared);
        return Tensor.viewOfOwn(storage, 0, dims, strides);
    }

    /**
     * {@return the elements that this names in a tensor that {@link #allocate} made for another}
     */
    Tensor within(Tensor allocated, Geometry whole) {
        return allocated.alias(dims, strides, offset - whole.offset);
    }
}
