package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

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

    /** Compute the absolute value of each element. */
    default Tensor abs() {
        return Ops.abs((Tensor) this);
    }

    /** Compute the sign of each element: -1, 0 or 1. */
    default Tensor sign() {
        return Ops.sign((Tensor) this);
    }

    /** Compute the square of each element. */
    default Tensor square() {
        return Ops.square((Tensor) this);
    }

    /** Divide 1 by each element. */
    default Tensor reciprocal() {
        return Ops.reciprocal((Tensor) this);
    }

    /** Divide 1 by the square root of each element. */
    default Tensor rsqrt() {
        return Ops.rsqrt((Tensor) this);
    }

    /** Compute the natural logarithm of 1 plus each element, exact near 0. */
    default Tensor log1p() {
        return Ops.log1p((Tensor) this);
    }

    /** Compute e to the power of each element, minus 1, exact near 0. */
    default Tensor expm1() {
        return Ops.expm1((Tensor) this);
    }

    /** Compute the binary logarithm of each element. */
    default Tensor log2() {
        return Ops.log2((Tensor) this);
    }

    /** Compute the decimal logarithm of each element. */
    default Tensor log10() {
        return Ops.log10((Tensor) this);
    }

    /** Compute the tangent of each element. */
    default Tensor tan() {
        return Ops.tan((Tensor) this);
    }

    /** Compute the arc sine of each element. */
    default Tensor asin() {
        return Ops.asin((Tensor) this);
    }

    /** Compute the arc cosine of each element. */
    default Tensor acos() {
        return Ops.acos((Tensor) this);
    }

    /** Compute the arc tangent of each element. */
    default Tensor atan() {
        return Ops.atan((Tensor) this);
    }

    /** Compute the hyperbolic sine of each element. */
    default Tensor sinh() {
        return Ops.sinh((Tensor) this);
    }

    /** Compute the hyperbolic cosine of each element. */
    default Tensor cosh() {
        return Ops.cosh((Tensor) this);
    }

    /** Compute the error function of each element. */
    default Tensor erf() {
        return Ops.erf((Tensor) this);
    }

    /** Round each element down. */
    default Tensor floor() {
        return Ops.floor((Tensor) this);
    }

    /** Round each element up. */
    default Tensor ceil() {
        return Ops.ceil((Tensor) this);
    }

    /** Round each element to the nearest whole number, half to the even one. */
    default Tensor round() {
        return Ops.round((Tensor) this);
    }

    /** Cut off the fraction of each element. */
    default Tensor trunc() {
        return Ops.trunc((Tensor) this);
    }

    /** Compute {@code x * P(X <= x)} of each element, X being normally distributed. */
    default Tensor gelu() {
        return Ops.gelu((Tensor) this, "none");
    }

    /**
     * Compute {@code x * P(X <= x)} of each element, X being normally distributed.
     *
     * @param approximate {@code none}, or {@code tanh} for a faster approximation
     */
    default Tensor gelu(String approximate) {
        return Ops.gelu((Tensor) this, approximate);
    }

    /** Compute {@code x * sigmoid(x)} of each element. */
    default Tensor silu() {
        return Ops.silu((Tensor) this);
    }

    /** Compute {@code log(1 + exp(x))} of each element; x itself beyond 20. */
    default Tensor softplus() {
        return Ops.softplus((Tensor) this, 1, 20);
    }

    /**
     * Compute {@code log(1 + exp(beta * x)) / beta} of each element; x itself where {@code beta *
     * x} is beyond the threshold.
     */
    default Tensor softplus(Number beta, Number threshold) {
        return Ops.softplus((Tensor) this, beta, threshold);
    }

    /** Multiply negative elements by a slope. */
    default Tensor leakyRelu(Number negativeSlope) {
        return Ops.leakyRelu((Tensor) this, negativeSlope);
    }

    /** Replace negative elements by {@code alpha * (exp(x) - 1)}. */
    default Tensor elu(Number alpha) {
        return Ops.elu((Tensor) this, alpha);
    }

    /** Keep elements within bounds; at and beyond them the gradient is zero. */
    default Tensor hardtanh(Number minVal, Number maxVal) {
        return Ops.hardtanh((Tensor) this, minVal, maxVal);
    }

    /** Keep elements within bounds, of which one may be null; the upper one wins over the lower. */
    default Tensor clamp(@Nullable Number min, @Nullable Number max) {
        return Ops.clamp((Tensor) this, min, max);
    }

    /** Replace elements that are smaller than a bound by it. */
    default Tensor clampMin(Number min) {
        return Ops.clampMin((Tensor) this, min);
    }

    /** Replace elements that are larger than a bound by it. */
    default Tensor clampMax(Number max) {
        return Ops.clampMax((Tensor) this, max);
    }

    /** Take the larger of each pair of elements; equal ones share the gradient. */
    default Tensor maximum(Tensor other) {
        return Ops.maximum((Tensor) this, other);
    }

    /** Take the smaller of each pair of elements; equal ones share the gradient. */
    default Tensor minimum(Tensor other) {
        return Ops.minimum((Tensor) this, other);
    }

    /** Raise each element to the power that another tensor holds. */
    default Tensor pow(Tensor exponent) {
        return Ops.pow((Tensor) this, exponent);
    }

    /**
     * Compute the angle between the positive axis and the point with the coordinates {@code (other,
     * this)}.
     */
    default Tensor atan2(Tensor other) {
        return Ops.atan2((Tensor) this, other);
    }

    /** Compute the remainder of a division, with the sign of the divisor. */
    default Tensor remainder(Tensor other) {
        return Ops.remainder((Tensor) this, other);
    }

    /** Compute the remainder of a division, with the sign of the divisor. */
    default Tensor remainder(Number other) {
        return Ops.remainder((Tensor) this, other);
    }

    /** Compute the remainder of a division, with the sign of the dividend. */
    default Tensor fmod(Tensor other) {
        return Ops.fmod((Tensor) this, other);
    }

    /** Compute the remainder of a division, with the sign of the dividend. */
    default Tensor fmod(Number other) {
        return Ops.fmod((Tensor) this, other);
    }

    /** Compute {@code this + weight * (end - this)}. */
    default Tensor lerp(Tensor end, Number weight) {
        return Ops.lerp((Tensor) this, end, weight);
    }

    /** Compute {@code this + weight * (end - this)}. */
    default Tensor lerp(Tensor end, Tensor weight) {
        return Ops.lerp((Tensor) this, end, weight);
    }

    /** Compute {@code this + value * tensor1 * tensor2}. */
    default Tensor addcmul(Tensor tensor1, Tensor tensor2, Number value) {
        return Ops.addcmul((Tensor) this, tensor1, tensor2, value);
    }

    /** Compute {@code this + value * tensor1 / tensor2}. */
    default Tensor addcdiv(Tensor tensor1, Tensor tensor2, Number value) {
        return Ops.addcdiv((Tensor) this, tensor1, tensor2, value);
    }

    /** Convert; gives the tensor itself when it has the type. */
    default Tensor to(DType dtype) {
        return Ops.to((Tensor) this, dtype);
    }

    /** Copy to a device; gives the tensor itself when it is there. Gradients come back. */
    default Tensor to(Device device) {
        return Ops.to((Tensor) this, device.toString());
    }

    /** Compute 2 to the power of each element. */
    default Tensor exp2() {
        return Ops.exp2((Tensor) this);
    }

    /** Compute the part of each element behind the point, with its sign. */
    default Tensor frac() {
        return Ops.frac((Tensor) this);
    }

    /** Compute {@code 1 - erf(x)}. */
    default Tensor erfc() {
        return Ops.erfc((Tensor) this);
    }

    /** Compute {@code log(exp(this) + exp(other))}. */
    default Tensor logaddexp(Tensor other) {
        return Ops.logaddexp((Tensor) this, other);
    }

    /** Replace NaN by 0, and infinities by the largest and smallest number of the type. */
    default Tensor nanToNum() {
        return Ops.nanToNum((Tensor) this, null, null, null);
    }
}
