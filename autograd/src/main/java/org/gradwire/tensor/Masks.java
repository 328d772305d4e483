package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;

/** Conditions as tensors of zeros and ones of the type that is compared, and choices by them. */
final class Masks {

    private Masks() {}

    /** {@return 1 where both are equal} */
    static Tensor same(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.SAME, a, b);
    }

    /** {@return 1 where an element equals a number} */
    static Tensor same(Tensor a, Number b) {
        return Elementwise.binary(Binary.SAME, a, b);
    }

    /** {@return 1 where the first is at least the second} */
    static Tensor atLeast(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.AT_LEAST, a, b);
    }

    /** {@return 1 where an element is at least a number} */
    static Tensor atLeast(Tensor a, Number b) {
        return Elementwise.binary(Binary.AT_LEAST, a, b);
    }

    /** {@return 1 where an element is at most a number} */
    static Tensor atMost(Tensor a, Number b) {
        return Elementwise.binary(Binary.AT_LEAST, Tensor.scalar(a.dtype(), b), a);
    }

    /** {@return 1 where a mask is 0} */
    static Tensor not(Tensor mask) {
        return mask.neg().add(1);
    }

    /** {@return elements where a mask is positive, else zero, whatever they are} */
    static Tensor keep(Tensor x, Tensor mask) {
        return Elementwise.binary(Binary.RELU_GRADIENT, x, mask);
    }
}
