package org.gradwire.tensor;

import java.util.function.UnaryOperator;

/**
 * What replaces some elements of a {@link Tensor} itself; only where nothing is recorded, with the
 * rules of {@link InPlaceOperators}. Each does what the operator of its name without the underscore
 * does, which is recorded, gives a new tensor and has the errors described there.
 */
public sealed interface IndexedInPlaceOperators permits Tensor {

    /** Replace elements by a number where a bool mask is set. */
    default Tensor maskedFill_(Tensor mask, Number value) {
        return replace((Tensor) this, self -> self.maskedFill(mask, value), mask);
    }

    /** Replace elements by the one of a tensor without dimensions where a bool mask is set. */
    default Tensor maskedFill_(Tensor mask, Tensor value) {
        return replace((Tensor) this, self -> self.maskedFill(mask, value), mask, value);
    }

    /** Replace elements for which a bool mask is set by those of a source, in order. */
    default Tensor maskedScatter_(Tensor mask, Tensor source) {
        return replace((Tensor) this, self -> self.maskedScatter(mask, source), mask, source);
    }

    /** Replace single elements; see {@link Ops#scatter(Tensor, int, Tensor, Tensor)}. */
    default Tensor scatter_(int dim, Tensor index, Tensor src) {
        return replace((Tensor) this, self -> self.scatter(dim, index, src), index, src);
    }

    /** As {@link #scatter_(int, Tensor, Tensor)}, with one number everywhere. */
    default Tensor scatter_(int dim, Tensor index, Number value) {
        return replace((Tensor) this, self -> self.scatter(dim, index, value), index);
    }

    /** Add to single elements; see {@link Ops#scatterAdd}. */
    default Tensor scatterAdd_(int dim, Tensor index, Tensor src) {
        return replace((Tensor) this, self -> self.scatterAdd(dim, index, src), index, src);
    }

    /** Add slices to those that a vector of int64 names; see {@link Ops#indexAdd}. */
    default Tensor indexAdd_(int dim, Tensor index, Tensor source) {
        return replace((Tensor) this, self -> self.indexAdd(dim, index, source), index, source);
    }

    /** Replace the slices that a vector of int64 names by a number. */
    default Tensor indexFill_(int dim, Tensor index, Number value) {
        return replace((Tensor) this, self -> self.indexFill(dim, index, value), index);
    }

    /** Replace the slices that a vector of int64 names. */
    default Tensor indexCopy_(int dim, Tensor index, Tensor source) {
        return replace((Tensor) this, self -> self.indexCopy(dim, index, source), index, source);
    }

    /**
     * Replace a part, as Python's {@code x[...] = values} does; see {@link
     * IndexOperators#indexPut}. The values are converted.
     */
    default Tensor indexPut_(Tensor values, Index... indices) {
        Tensor target = (Tensor) this;
        return replace(target, self -> self.indexPut(values.to(target.dtype()), indices), values);
    }

    /** Replace a part by a number. */
    default Tensor indexPut_(Number value, Index... indices) {
        Tensor target = (Tensor) this;
        return indexPut_(Tensor.scalar(target.dtype(), value), indices);
    }

    /** Copy what an operator makes of a tensor into it. */
    private static Tensor replace(
            Tensor target, UnaryOperator<Tensor> operator, Tensor... operands) {
        Overlaps.checkRecording(target, operands);
        Tensor result = GradMode.noGrad(() -> operator.apply(target.detach()));
        return Devices.change(target, self -> InPlace.copyFrom(self, result));
    }
}
