package org.gradwire.tensor;

import java.util.Arrays;

/** Which memory a tensor that is changed in place shares with itself and with operands. */
final class Overlaps {

    private Overlaps() {}

    /**
     * Require that a tensor may be changed, with operands that may lie in the same memory.
     *
     * @throws IllegalArgumentException when an element would be written twice, or read after it was
     *     written
     */
    static void check(Tensor target, Tensor... operands) {
        for (int d = 0; d < target.dims.length && target.numel() > 0; d++) {
            if (target.strides[d] == 0 && target.dims[d] > 1) {
                throw writtenTwice(target);
            }
        }
        for (Tensor operand : operands) {
            if (overlapsPartly(target, operand)) {
                throw new IllegalArgumentException(
                        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation. The input is %s, the written-to tensor %s"
                                .formatted(operand.describe(), target.describe()));
            }
        }
    }

    /** {@return what to throw where elements of a tensor to be changed share memory} */
    static IllegalArgumentException writtenTwice(Tensor target) {
        return new IllegalArgumentException(
                "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation. It is %s with strides %s"
                        .formatted(target.describe(), Arrays.toString(target.strides)));
    }

    /** {@return whether two tensors without gaps share a part of their memory, but not all} */
    private static boolean overlapsPartly(Tensor a, Tensor b) {
        if (a == b || a.storage() != b.storage() || !dense(a) || !dense(b)) {
            return false;
        }
        int aEnd = a.offset + a.numel();
        int bEnd = b.offset + b.numel();
        if (a.offset == b.offset && aEnd == bEnd) {
            return !sameLayout(a, b);
        }
        return a.offset < bEnd && b.offset < aEnd;
    }

    private static boolean sameLayout(Tensor a, Tensor b) {
        return a.offset == b.offset
                && Arrays.equals(a.dims, b.dims)
                && Arrays.equals(a.strides, b.strides);
    }

    /** {@return whether the elements lie one after the other in some order of the dimensions} */
    private static boolean dense(Tensor x) {
        if (x.isContiguous() || x.numel() < 2) {
            return true;
        }
        int step = 1;
        for (int d : Geometry.of(x).byStride()) {
            if (x.strides[d] != step) {
                return false;
            }
            step *= x.dims[d];
        }
        return true;
    }

    /**
     * Return an operand, or its copy when it lies in the target's memory with gaps, so that it is
     * read before anything is written.
     */
    static Tensor apart(Tensor target, Tensor operand) {
        boolean shared = operand.storage() == target.storage() && !sameLayout(target, operand);
        return shared ? Elementwise.copy(operand) : operand;
    }
}
