package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Binary;

/**
 * Indicator functions: conditions as tensors of zeros and ones of the operands' type, and selection
 * by them.
 */
public final class Indicators {

    private Indicators() {}

    /** {@return 1 where both are equal} */
    static Tensor same(Tensor a, Tensor b) {
        return Elementwise.binary(Binary.SAME, a, b);
    }

    /** {@return 1 where an element equals a number} */
    public static Tensor same(Tensor a, Number b) {
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
    public static Tensor not(Tensor mask) {
        return mask.neg().add(1);
    }

    /** {@return elements where a mask is positive, else zero, whatever they are} */
    public static Tensor keep(Tensor x, Tensor mask) {
        return Elementwise.binary(Binary.RELU_GRADIENT, x, mask);
    }
}
