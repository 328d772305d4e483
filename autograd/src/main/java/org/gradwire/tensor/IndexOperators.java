package org.gradwire.tensor;

/** The operators that pick elements of a {@link Tensor} by their places; see also {@link Ops}. */
public sealed interface IndexOperators permits Tensor {

    /**
     * Pick a part as Python's {@code x[...]} does, from the first dimension on; dimensions that are
     * not mentioned are kept whole.
     *
     * {@snippet :
     * x.at(range(1, 3), ellipsis(), newAxis(), step(2), index(4)) // x[1:3, ..., None, ::2, 4]
     * x.at(all(), index(Tensor.of(2, 0, 2)))                      // x[:, [2, 0, 2]]
     * x.at(index(rows), index(columns))                           // x[rows, columns]
     * x.at(index(x.gt(0)))                                        // x[x > 0]
     * }
     *
     * <p>The result is a view, through which the part can be set: {@code
     * x.at(startingAt(1)).copy_(y)}, under {@link GradMode#noGrad} where the tensor requires a
     * gradient. Only what {@linkplain Index#index(Tensor) tensors} pick is copied: several are used
     * together and broadcast, and the dimensions of what they pick stand in place of theirs; first,
     * where other dimensions are between those. {@link #indexPut} and {@link
     * IndexedInPlaceOperators#indexPut_(Tensor, Index...)} set such a part.
     *
     * @throws IndexOutOfBoundsException when an index is outside of its dimension, or there are
     *     more than dimensions
     * @throws IllegalArgumentException when there is more than one ellipsis
     */
    default Tensor at(Index... indices) {
        return Subscript.apply((Tensor) this, indices);
    }

    /** View one index of each of the first dimensions, which go away: {@code x[i, j]}. */
    default Tensor at(int index, int... more) {
        Index[] indices = new Index[1 + more.length];
        indices[0] = Index.index(index);
        for (int i = 0; i < more.length; i++) {
            indices[1 + i] = Index.index(more[i]);
        }
        return at(indices);
    }

    /**
     * View a range of a dimension as Python's {@code start:end} does: negative positions count from
     * the end, and what is out of range is cut off.
     *
     * @param end not included; {@link Integer#MAX_VALUE} for all that follows
     */
    default Tensor slice(int dim, int start, int end) {
        return slice(dim, start, end, 1);
    }

    /** As {@link #slice(int, int, int)}, each {@code step}th. */
    default Tensor slice(int dim, int start, int end, int step) {
        return Ops.slice((Tensor) this, dim, start, end, step);
    }

    /** Copy the slices of a dimension that a vector of int64 names. */
    default Tensor indexSelect(int dim, Tensor index) {
        return Ops.indexSelect((Tensor) this, dim, index);
    }

    /** Copy single elements; see {@link Ops#gather}. */
    default Tensor gather(int dim, Tensor index) {
        return Ops.gather((Tensor) this, dim, index);
    }

    /** Copy with some elements replaced; see {@link Ops#scatter(Tensor, int, Tensor, Tensor)}. */
    default Tensor scatter(int dim, Tensor index, Tensor src) {
        return Ops.scatter((Tensor) this, dim, index, src);
    }

    /** As {@link #scatter(int, Tensor, Tensor)}, with one number everywhere. */
    default Tensor scatter(int dim, Tensor index, Number value) {
        return Ops.scatter((Tensor) this, dim, index, value);
    }

    /** Copy with something added to some elements; see {@link Ops#scatterAdd}. */
    default Tensor scatterAdd(int dim, Tensor index, Tensor src) {
        return Ops.scatterAdd((Tensor) this, dim, index, src);
    }

    /** Copy with slices added to those that a vector of int64 names; see {@link Ops#indexAdd}. */
    default Tensor indexAdd(int dim, Tensor index, Tensor source) {
        return indexAdd(dim, index, source, 1);
    }

    /** As {@link #indexAdd(int, Tensor, Tensor)}, a multiple of the slices. */
    default Tensor indexAdd(int dim, Tensor index, Tensor source, Number alpha) {
        return Ops.indexAdd((Tensor) this, dim, index, source, alpha);
    }

    /**
     * Copy with the part that {@link #at(Index...)} names replaced, as Python's {@code x[...] =
     * values} does in place. Gradients flow through both.
     *
     * @param values of this type; they broadcast to the part. Where the part has an element twice,
     *     the last value stays
     * @throws IndexOutOfBoundsException as {@link #at(Index...)}
     * @throws IllegalArgumentException when the values do not fit the part
     */
    default Tensor indexPut(Tensor values, Index... indices) {
        return Subscript.put((Tensor) this, values, indices);
    }

    /** Copy with the slices of a dimension that a vector of int64 names replaced by a number. */
    default Tensor indexFill(int dim, Tensor index, Number value) {
        return Ops.indexFill((Tensor) this, dim, index, value);
    }

    /** Copy with the slices of a dimension that a vector of int64 names replaced. */
    default Tensor indexCopy(int dim, Tensor index, Tensor source) {
        return Ops.indexCopy((Tensor) this, dim, index, source);
    }

    /**
     * Copy with the elements for which a bool mask is set replaced by those of a source, in order.
     */
    default Tensor maskedScatter(Tensor mask, Tensor source) {
        return Ops.maskedScatter((Tensor) this, mask, source);
    }

    /** Copy with one index of a dimension replaced by a tensor. */
    default Tensor selectScatter(Tensor src, int dim, int index) {
        return Ops.selectScatter((Tensor) this, src, dim, index);
    }

    /** Copy single elements; see {@link Ops#takeAlongDim}. */
    default Tensor takeAlongDim(Tensor indices, int dim) {
        return Ops.takeAlongDim((Tensor) this, indices, dim);
    }
}
