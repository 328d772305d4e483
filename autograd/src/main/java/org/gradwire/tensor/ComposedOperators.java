package org.gradwire.tensor;

import org.gradwire.autograd.GradMode;

import java.util.random.RandomGenerator;

/**
 * Operators of a {@link Tensor} that are not in {@link Ops}: subscripts, random sampling, and short
 * forms of other operators.
 */
public sealed interface ComposedOperators permits Tensor {

    /**
     * Copy to a device; returns the tensor itself when it is on that device. Gradients are copied
     * back.
     */
    default Tensor to(Device device) {
        return Ops.to((Tensor) this, device.toString());
    }

    /** {@return this tensor when it is contiguous, else a copy that is} */
    default Tensor contiguous() {
        Tensor self = (Tensor) this;
        return self.isContiguous() ? self : self.copy();
    }

    /** View with a dimension moved to another place; the others keep their order. */
    default Tensor movedim(int source, int destination) {
        return Ops.movedim((Tensor) this, new int[] {source}, new int[] {destination});
    }

    /**
     * Roll the elements in row-major order: elements shifted past the last position are inserted at
     * the first.
     */
    default Tensor roll(int shift) {
        return Ops.roll((Tensor) this, new int[] {shift}, new int[0]);
    }

    /**
     * Roll along a dimension: elements shifted past the last position are inserted at the first.
     */
    default Tensor roll(int shift, int dim) {
        return Ops.roll((Tensor) this, new int[] {shift}, new int[] {dim});
    }

    /** Repeat each element along a dimension, its copies adjacent. */
    default Tensor repeatInterleave(int repeats, int dim) {
        return Ops.repeatInterleave((Tensor) this, repeats, dim);
    }

    /** Return the unique elements, in order, as a vector; each NaN is unique. */
    default Tensor unique() {
        return Ops.unique((Tensor) this, true, false, false).getFirst();
    }

    /** Normalize over the last dimensions to mean 0 and variance 1 (plus 1e-5). */
    default Tensor layerNorm(int... normalizedShape) {
        return Ops.layerNorm((Tensor) this, normalizedShape, null, null, 1e-5);
    }

    /**
     * Index as Python's {@code x[...]}, from the first dimension on; dimensions without an index
     * are kept whole.
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
     * together and broadcast, and the dimensions of the result replace theirs, or come first if
     * other dimensions separate them. {@link #indexPut} and {@link
     * IndexedInPlaceOperators#indexPut_(Tensor, Index...)} set such a part.
     *
     * @throws IndexOutOfBoundsException when an index is outside of its dimension, or there are
     *     more than dimensions
     * @throws IllegalArgumentException when there is more than one ellipsis
     */
    default Tensor at(Index... indices) {
        return (Tensor) LocalHandles.AT.call(this, indices);
    }

    /** View one index of each of the first dimensions, which are removed: {@code x[i, j]}. */
    default Tensor at(int index, int... more) {
        Index[] indices = new Index[1 + more.length];
        indices[0] = Index.index(index);
        for (int i = 0; i < more.length; i++) {
            indices[1 + i] = Index.index(more[i]);
        }
        return at(indices);
    }

    /**
     * Copy with the elements at {@link #at(Index...)} replaced; the out-of-place form of Python's
     * {@code x[...] = values}. Gradients flow through both.
     *
     * @param values of this type; they broadcast to the part. Where the part has an element twice,
     *     the last value stays
     * @throws IndexOutOfBoundsException as {@link #at(Index...)}
     * @throws IllegalArgumentException when the values do not fit the part
     */
    default Tensor indexPut(Tensor values, Index... indices) {
        return (Tensor) LocalHandles.INDEX_PUT.call(this, values, indices);
    }

    /**
     * Draw 1 for each element with a probability of it, else 0; of this shape and type, without
     * history.
     *
     * @throws IllegalArgumentException when an element is not between 0 and 1, or the type is not a
     *     floating-point type
     */
    default Tensor bernoulli(RandomGenerator generator) {
        return (Tensor) LocalHandles.BERNOULLI.call(this, generator);
    }

    /**
     * Draw numbers of elements with probabilities in proportion to them, of a vector, or of each
     * row of a matrix.
     *
     * @param replacement whether a number may be drawn again
     * @return int64, shape (numSamples) or (rows, numSamples)
     * @throws IllegalArgumentException when an element is negative, infinite or NaN, all are zero,
     *     or fewer than {@code numSamples} are not and none may be drawn again
     */
    default Tensor multinomial(RandomGenerator generator, int numSamples, boolean replacement) {
        return (Tensor) LocalHandles.MULTINOMIAL.call(this, generator, numSamples, replacement);
    }

    /**
     * Set each element to zero with probability {@code p}, and the others to {@code x / (1 - p)}.
     * The mask is kept for the gradient.
     *
     * @param training returns this tensor itself when false
     * @param generator drawn from once for two elements
     */
    default Tensor dropout(double p, boolean training, RandomGenerator generator) {
        return (Tensor) LocalHandles.DROPOUT.call(this, p, training, generator);
    }
}
