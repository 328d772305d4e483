package org.gradwire.tensor.storage;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;

import java.util.Arrays;

/** Checks of memory overlap for changes in place: of a tensor with itself, and with operands. */
public final class MemoryOverlap {

    private MemoryOverlap() {}

    /**
     * Require that a tensor may be changed, with operands that may share its memory.
     *
     * @throws IllegalArgumentException when an element would be written twice, or read after it was
     *     written
     */
    public static void check(Tensor target, Tensor... operands) {
        for (int d = 0; d < TensorAccess.dims(target).length && target.numel() > 0; d++) {
            if (TensorAccess.strides(target)[d] == 0 && TensorAccess.dims(target)[d] > 1) {
                throw writtenTwice(target);
            }
        }
        for (Tensor operand : operands) {
            if (overlapsPartly(target, operand)) {
                throw new IllegalArgumentException(
                        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation. The input is %s, the written-to tensor %s"
                                .formatted(
                                        TensorAccess.describe(operand),
                                        TensorAccess.describe(target)));
            }
        }
    }

    /** {@return the error for a change of a tensor whose elements share memory} */
    public static IllegalArgumentException writtenTwice(Tensor target) {
        return new IllegalArgumentException(
                "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation. It is %s with strides %s"
                        .formatted(
                                TensorAccess.describe(target),
                                Arrays.toString(TensorAccess.strides(target))));
    }

    /** {@return whether two tensors without gaps share a part of their memory, but not all} */
    private static boolean overlapsPartly(Tensor a, Tensor b) {
        if (a == b
                || !TensorAccess.storage(a).equals(TensorAccess.storage(b))
                || !dense(a)
                || !dense(b)) {
            return false;
        }
        int aEnd = TensorAccess.offset(a) + a.numel();
        int bEnd = TensorAccess.offset(b) + b.numel();
        if (TensorAccess.offset(a) == TensorAccess.offset(b) && aEnd == bEnd) {
            return !sameLayout(a, b);
        }
        return TensorAccess.offset(a) < bEnd && TensorAccess.offset(b) < aEnd;
    }

    private static boolean sameLayout(Tensor a, Tensor b) {
        return TensorAccess.offset(a) == TensorAccess.offset(b)
                && Arrays.equals(TensorAccess.dims(a), TensorAccess.dims(b))
                && Arrays.equals(TensorAccess.strides(a), TensorAccess.strides(b));
    }

    /** {@return whether the elements are contiguous in some order of the dimensions} */
    private static boolean dense(Tensor x) {
        if (x.isContiguous() || x.numel() < 2) {
            return true;
        }
        int step = 1;
        for (int d : TensorGeometry.of(x).byStride()) {
            if (TensorAccess.strides(x)[d] != step) {
                return false;
            }
            step *= TensorAccess.dims(x)[d];
        }
        return true;
    }

    /**
     * Return an operand, or its copy when it shares the target's memory with gaps, so that it is
     * read before it is written.
     */
    public static Tensor apart(Tensor target, Tensor operand) {
        boolean shared =
                TensorAccess.storage(operand).equals(TensorAccess.storage(target))
                        && !sameLayout(target, operand);
        return shared ? Elementwise.copy(operand) : operand;
    }
}
