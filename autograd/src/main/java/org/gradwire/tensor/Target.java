package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Indexed.Operand;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;

/**
 * A new tensor that can be written at any place: in its own array, or in one whose elements go into
 * its native memory at the end.
 */
final class Target<A> {
    private final Tensor tensor;
    private final A array;

    private Target(Tensor tensor, A array) {
        this.tensor = tensor;
        this.array = array;
    }

    /** Return one whose contents may be anything. */
    static <A> Target<A> fresh(DType dtype, int[] shape) {
        Tensor tensor = Tensor.fresh(dtype, shape);
        Elements<A> elements = dtype.elements();
        return new Target<>(
                tensor,
                tensor.isPlainArray()
                        ? elements.cast(tensor.base())
                        : elements.array(tensor.numel()));
    }

    /** Return one with the elements of another tensor. */
    static <A> Target<A> copyOf(Tensor x) {
        Target<A> target = fresh(x.dtype(), x.dims);
        Loops.copy(
                x.dtype().<A>elements(),
                x.strided(),
                Strided.contiguous(target.array, 0, x.numel()));
        return target;
    }

    /** {@return the elements of a tensor in an array: its own, or a copy} */
    static <A> Operand<A> readable(Tensor x) {
        Elements<A> elements = x.dtype().elements();
        if (x.storage() instanceof HeapStorage) {
            return new Operand<>(elements.cast(x.base()), x.offset, x.strides);
        }
        return new Operand<>(Loops.toArray(elements, x.strided()), 0, Shapes.strides(x.dims));
    }

    A array() {
        return array;
    }

    /** {@return where to write} */
    Operand<A> operand() {
        return new Operand<>(array, 0, tensor.strides);
    }

    /** {@return the tensor, written} */
    Tensor done() {
        if (!tensor.isPlainArray()) {
            Loops.copy(
                    tensor.dtype().<A>elements(),
                    Strided.contiguous(array, 0, tensor.numel()),
                    tensor.strided());
        }
        return tensor;
    }
}
