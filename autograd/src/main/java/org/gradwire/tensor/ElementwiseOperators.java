package org.gradwire.tensor;

/**
 * The operators of a {@link Tensor} that work on each element by itself; the same as in {@link
 * Ops}.
 */
public sealed interface ElementwiseOperators permits Tensor {

    /** Add, element by element. */
    default Tensor add(Tensor other) {
        return Ops.add((Tensor) this, other);
    }

    /** Add a number to each element. */
    default Tensor add(Number other) {
        return Ops.add((Tensor) this, other);
    }

    /** Subtract, element by element. */
    default Tensor sub(Tensor other) {
        return Ops.sub((Tensor) this, other);
    }

    /** Subtract a number from each element. */
    default Tensor sub(Number other) {
        return Ops.sub((Tensor) this, other);
    }

    /** Multiply, element by element. */
    default Tensor mul(Tensor other) {
        return Ops.mul((Tensor) this, other);
    }

    /** Multiply each element by a number. */
    default Tensor mul(Number other) {
        return Ops.mul((Tensor) this, other);
    }

    /** Divide, element by element; integers give float32. */
    default Tensor div(Tensor other) {
        return Ops.div((Tensor) this, other);
    }

    /** Divide each element by a number; integers give float32. */
    default Tensor div(Number other) {
        return Ops.div((Tensor) this, other);
    }

    /** Negate each element. */
    default Tensor neg() {
        return Ops.neg((Tensor) this);
    }

    /** Raise each element to a power. */
    default Tensor pow(Number exponent) {
        return Ops.pow((Tensor) this, exponent);
    }

    /** Compute e to the power of each element. */
    default Tensor exp() {
        return Ops.exp((Tensor) this);
    }

    /** Compute the natural logarithm of each element. */
    default Tensor log() {
        return Ops.log((Tensor) this);
    }

    /** Compute the cosine of each element. */
    default Tensor cos() {
        return Ops.cos((Tensor) this);
    }

    /** Compute the sine of each element. */
    default Tensor sin() {
        return Ops.sin((Tensor) this);
    }

    /** Compute the square root of each element. */
    default Tensor sqrt() {
        return Ops.sqrt((Tensor) this);
    }

    /** Compute the hyperbolic tangent of each element. */
    default Tensor tanh() {
        return Ops.tanh((Tensor) this);
    }

    /** Compute {@code 1 / (1 + exp(-x))} of each element. */
    default Tensor sigmoid() {
        return Ops.sigmoid((Tensor) this);
    }

    /** Convert; gives the tensor itself when it has the type. */
    default Tensor to(DType dtype) {
        return Ops.to((Tensor) this, dtype);
    }
}
