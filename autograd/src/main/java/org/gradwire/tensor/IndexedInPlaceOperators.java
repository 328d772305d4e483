package org.gradwire.tensor;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.operator.InPlaceRecorder;
import org.gradwire.tensor.rule.InPlace;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.ThreadState;

import java.util.function.Function;

/**
 * In-place indexing operators of a {@link Tensor}, recorded by the rules of {@link
 * InPlaceOperators}. Each is the in-place form of the operator of its name without the underscore,
 * which returns a new tensor and documents the errors.
 */
public sealed interface IndexedInPlaceOperators permits Tensor {

    /** Replace elements by a number where a bool mask is set. */
    default Tensor maskedFill_(Tensor mask, Number value) {
        return replace((Tensor) this, t -> t[0].maskedFill(t[1], value), mask);
    }

    /** Replace elements by the one of a tensor without dimensions where a bool mask is set. */
    default Tensor maskedFill_(Tensor mask, Tensor value) {
        return replace((Tensor) this, t -> t[0].maskedFill(t[1], t[2]), mask, value);
    }

    /** Replace elements for which a bool mask is set by those of a source, in order. */
    default Tensor maskedScatter_(Tensor mask, Tensor source) {
        return replace((Tensor) this, t -> t[0].maskedScatter(t[1], t[2]), mask, source);
    }

    /** Replace single elements; see {@link Ops#scatter(Tensor, int, Tensor, Tensor)}. */
    default Tensor scatter_(int dim, Tensor index, Tensor src) {
        return replace((Tensor) this, t -> t[0].scatter(dim, t[1], t[2]), index, src);
    }

    /** As {@link #scatter_(int, Tensor, Tensor)}, with one number everywhere. */
    default Tensor scatter_(int dim, Tensor index, Number value) {
        return replace((Tensor) this, t -> t[0].scatter(dim, t[1], value), index);
    }

    /** Add to single elements; see {@link Ops#scatterAdd}. */
    default Tensor scatterAdd_(int dim, Tensor index, Tensor src) {
        return replace((Tensor) this, t -> t[0].scatterAdd(dim, t[1], t[2]), index, src);
    }

    /** Add slices to those that a vector of int64 names; see {@link Ops#indexAdd}. */
    default Tensor indexAdd_(int dim, Tensor index, Tensor source) {
        return replace((Tensor) this, t -> t[0].indexAdd(dim, t[1], t[2]), index, source);
    }

    /** Replace the slices that a vector of int64 names by a number. */
    default Tensor indexFill_(int dim, Tensor index, Number value) {
        return replace((Tensor) this, t -> t[0].indexFill(dim, t[1], value), index);
    }

    /** Replace the slices that a vector of int64 names. */
    default Tensor indexCopy_(int dim, Tensor index, Tensor source) {
        return replace((Tensor) this, t -> t[0].indexCopy(dim, t[1], t[2]), index, source);
    }

    /**
     * Replace a part, as Python's {@code x[...] = values} does; see {@link
     * ComposedOperators#indexPut}. The values are converted.
     */
    default Tensor indexPut_(Tensor values, Index... indices) {
        Tensor target = (Tensor) this;
        return replace(target, t -> t[0].indexPut(t[1].to(target.dtype()), indices), values);
    }

    /** Replace a part by a number. */
    default Tensor indexPut_(Number value, Index... indices) {
        Tensor target = (Tensor) this;
        return indexPut_(Tensor.scalar(target.dtype(), value), indices);
    }

    /** Copy the result of an operator on a tensor and operands into the tensor. */
    private static Tensor replace(
            Tensor target, Function<Tensor[], Tensor> operator, Tensor... operands) {
        if (InPlaceRecorder.isWanted(target, operands)) {
            return InPlaceRecorder.by(operator, target, operands);
        }
        var inputs = new Tensor[operands.length + 1];
        inputs[0] = target.detach();
        System.arraycopy(operands, 0, inputs, 1, operands.length);
        Tensor result =
                GradMode.noGrad(
                        () -> ThreadState.current().withoutAutocast(() -> operator.apply(inputs)));
        return DevicePlacement.change(target, self -> InPlace.copyFrom(self, result));
    }
}
