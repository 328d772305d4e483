package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.GatherScatter.Operand;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.storage.HeapStorage;
import org.gradwire.tensor.storage.Shapes;

/**
 * A new tensor with random write access: in its own array, or in a temporary array that is copied
 * to native memory at the end.
 */
final class OutputArray<A> {
    private final Tensor tensor;
    private final A array;

    private OutputArray(Tensor tensor, A array) {
        this.tensor = tensor;
        this.array = array;
    }

    /** Return an uninitialized one. */
    static <A> OutputArray<A> fresh(DType dtype, int[] shape) {
        Tensor tensor = TensorAccess.fresh(dtype, shape);
        Elements<A> elements = DTypeAccess.elements(dtype);
        return new OutputArray<>(
                tensor,
                TensorAccess.isPlainArray(tensor)
                        ? elements.cast(TensorAccess.base(tensor))
                        : elements.array(tensor.numel()));
    }

    /** Return one with the elements of another tensor. */
    static <A> OutputArray<A> copyOf(Tensor x) {
        OutputArray<A> outputArray = fresh(x.dtype(), TensorAccess.dims(x));
        StridedLoops.copy(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(x),
                Strided.contiguous(outputArray.array, 0, x.numel()));
        return outputArray;
    }

    /** {@return the elements of a tensor in an array: its own, or a copy} */
    static <A> Operand<A> readable(Tensor x) {
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        if (TensorAccess.storage(x) instanceof HeapStorage) {
            return new Operand<>(
                    elements.cast(TensorAccess.base(x)),
                    TensorAccess.offset(x),
                    TensorAccess.strides(x));
        }
        return new Operand<>(
                StridedLoops.toArray(elements, TensorAccess.strided(x)),
                0,
                Shapes.strides(TensorAccess.dims(x)));
    }

    A array() {
        return array;
    }

    /** {@return the array to write to} */
    Operand<A> operand() {
        return new Operand<>(array, 0, TensorAccess.strides(tensor));
    }

    /** {@return the tensor, written} */
    Tensor done() {
        if (!TensorAccess.isPlainArray(tensor)) {
            StridedLoops.copy(
                    DTypeAccess.elements(tensor.dtype()),
                    Strided.contiguous(array, 0, tensor.numel()),
                    TensorAccess.strided(tensor));
        }
        return tensor;
    }
}
