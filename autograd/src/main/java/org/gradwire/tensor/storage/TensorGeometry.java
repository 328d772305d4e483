package org.gradwire.tensor.storage;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The layout of a tensor in its storage.
 *
 * @param dims the shape
 * @param strides elements from one index of a dimension to the next; none negative
 * @param offset index in the storage of the first element
 */
public record TensorGeometry(int[] dims, int[] strides, int offset) {

    /** {@return the geometry of a tensor, whose arrays it shares} */
    public static TensorGeometry of(Tensor tensor) {
        return new TensorGeometry(
                TensorAccess.dims(tensor),
                TensorAccess.strides(tensor),
                TensorAccess.offset(tensor));
    }

    /** {@return the number of elements of the storage from the first to the last, both included} */
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
     * {@return whether two elements may overlap; false is certain, true is not where strides are
     * interleaved}
     */
    public boolean mayOverlap() {
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
    public Tensor allocate(DType dtype, boolean cleared) {
        Storage storage = Storage.allocate(dtype, span(), cleared);
        return TensorAccess.viewOfOwn(storage, 0, dims, strides);
    }

    /**
     * {@return the elements that this names in a tensor that {@link #allocate} made for another}
     */
    public Tensor within(Tensor allocated, TensorGeometry whole) {
        return TensorAccess.alias(allocated, dims, strides, offset - whole.offset);
    }
}
