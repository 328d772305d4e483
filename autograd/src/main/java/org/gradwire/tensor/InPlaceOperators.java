package org.gradwire.tensor;

/**
 * What changes a {@link Tensor} itself; only where nothing is recorded, see {@link
 * GradMode#noGrad}.
 */
public sealed interface InPlaceOperators permits Tensor {

    /** Add a multiple of a tensor: {@code this += alpha * other}. */
    default Tensor add_(Tensor other, Number alpha) {
        Elementwise.addInPlace(((Tensor) this).changeable(), other, alpha);
        return (Tensor) this;
    }

    /** Add a tensor. */
    default Tensor add_(Tensor other) {
        return add_(other, 1);
    }

    /** Multiply by a number. */
    default Tensor mul_(Number factor) {
        Elementwise.scaleInPlace(((Tensor) this).changeable(), factor);
        return (Tensor) this;
    }

    /** Set all elements to zero. */
    default Tensor zero_() {
        return fill_(0);
    }

    /** Set all elements to a number. */
    default Tensor fill_(Number value) {
        Elementwise.fill(((Tensor) this).changeable(), value);
        return (Tensor) this;
    }

    /** Copy the elements of a tensor that broadcasts to this one's shape, converted. */
    default Tensor copy_(Tensor source) {
        Elementwise.copyInto(((Tensor) this).changeable(), source);
        return (Tensor) this;
    }
}
