package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Unary;
import org.jspecify.annotations.Nullable;

import java.util.random.RandomGenerator;

/**
 * What changes a {@link Tensor} itself; only where nothing is recorded, see {@link
 * GradMode#noGrad}.
 *
 * <p>Each returns the tensor, keeps its type, and counts as one change of its {@linkplain
 * Storage#version storage}. Other tensors broadcast to it. Refused, before anything is changed, are
 * a change that would have to be recorded ({@link IllegalStateException}), and, as {@link
 * IllegalArgumentException}s, one of a tensor whose elements share memory, one by a tensor that
 * overlaps it in part, and one whose result is of a type or shape that the tensor cannot hold.
 */
public sealed interface InPlaceOperators permits Tensor {

    /** Add a multiple of a tensor: {@code this += alpha * other}. */
    default Tensor add_(Tensor other, Number alpha) {
        InPlace.add((Tensor) this, other, alpha);
        return (Tensor) this;
    }

    /** Add a tensor. */
    default Tensor add_(Tensor other) {
        return add_(other, 1);
    }

    /** Add a number to each element. */
    default Tensor add_(Number other) {
        InPlace.binary(Binary.ADD, (Tensor) this, other);
        return (Tensor) this;
    }

    /** Subtract a multiple of a tensor: {@code this -= alpha * other}. */
    default Tensor sub_(Tensor other, Number alpha) {
        InPlace.sub((Tensor) this, other, alpha);
        return (Tensor) this;
    }

    /** Subtract a tensor. */
    default Tensor sub_(Tensor other) {
        return sub_(other, 1);
    }

    /** Subtract a number from each element. */
    default Tensor sub_(Number other) {
        InPlace.binary(Binary.SUB, (Tensor) this, other);
        return (Tensor) this;
    }

    /** Multiply by a tensor. */
    default Tensor mul_(Tensor other) {
        InPlace.binary(Binary.MUL, (Tensor) this, other);
        return (Tensor) this;
    }

    /** Multiply by a number. */
    default Tensor mul_(Number factor) {
        InPlace.binary(Binary.MUL, (Tensor) this, factor);
        return (Tensor) this;
    }

    /** Divide by a tensor; whole numbers cannot hold the result. */
    default Tensor div_(Tensor other) {
        InPlace.binary(Binary.DIV, (Tensor) this, other);
        return (Tensor) this;
    }

    /** Divide by a number; whole numbers cannot hold the result. */
    default Tensor div_(Number other) {
        InPlace.binary(Binary.DIV, (Tensor) this, other);
        return (Tensor) this;
    }

    /** Raise each element to the power that another tensor holds. */
    default Tensor pow_(Tensor exponent) {
        InPlace.binary(Binary.POW, (Tensor) this, exponent);
        return (Tensor) this;
    }

    /** Raise each element to a power. */
    default Tensor pow_(Number exponent) {
        InPlace.pow((Tensor) this, exponent);
        return (Tensor) this;
    }

    /** Negate each element. */
    default Tensor neg_() {
        InPlace.unary(Unary.NEG, (Tensor) this);
        return (Tensor) this;
    }

    /** Make each element positive. */
    default Tensor abs_() {
        InPlace.unary(Unary.ABS, (Tensor) this);
        return (Tensor) this;
    }

    /** Keep elements within bounds, of which one may be null. */
    default Tensor clamp_(@Nullable Number min, @Nullable Number max) {
        InPlace.clamp((Tensor) this, min, max);
        return (Tensor) this;
    }

    /** Replace negative elements by zero. */
    default Tensor relu_() {
        InPlace.unary(Unary.RELU, (Tensor) this);
        return (Tensor) this;
    }

    /** Replace each element by e to the power of it. */
    default Tensor exp_() {
        InPlace.floating(Unary.EXP, (Tensor) this);
        return (Tensor) this;
    }

    /** Replace each element by its square root. */
    default Tensor sqrt_() {
        InPlace.floating(Unary.SQRT, (Tensor) this);
        return (Tensor) this;
    }

    /** Replace each element by {@code 1 / (1 + exp(-x))}. */
    default Tensor sigmoid_() {
        InPlace.floating(Unary.SIGMOID, (Tensor) this);
        return (Tensor) this;
    }

    /** Replace each element by its hyperbolic tangent. */
    default Tensor tanh_() {
        InPlace.floating(Unary.TANH, (Tensor) this);
        return (Tensor) this;
    }

    /** Round each element to the nearest whole number, half to the even one. */
    default Tensor round_() {
        InPlace.unary(Unary.ROUND, (Tensor) this);
        return (Tensor) this;
    }

    /** Add {@code value * tensor1 * tensor2}. */
    default Tensor addcmul_(Tensor tensor1, Tensor tensor2, Number value) {
        InPlace.addCombined(Binary.MUL, (Tensor) this, tensor1, tensor2, value);
        return (Tensor) this;
    }

    /** Add {@code value * tensor1 / tensor2}. */
    default Tensor addcdiv_(Tensor tensor1, Tensor tensor2, Number value) {
        InPlace.addCombined(Binary.DIV, (Tensor) this, tensor1, tensor2, value);
        return (Tensor) this;
    }

    /** Move toward a tensor: {@code this += weight * (end - this)}. */
    default Tensor lerp_(Tensor end, Number weight) {
        Tensor self = (Tensor) this;
        Overlaps.check(self, end);
        InPlace.replace(self, MathRules.lerp(self, end, weight));
        return self;
    }

    /** Move toward a tensor: {@code this += weight * (end - this)}. */
    default Tensor lerp_(Tensor end, Tensor weight) {
        Tensor self = (Tensor) this;
        Overlaps.check(self, end, weight);
        InPlace.replace(self, MathRules.lerp(self, end, weight));
        return self;
    }

    /** Set all elements to zero; a sparse tensor holds none then. */
    default Tensor zero_() {
        Overlaps.checkRecording((Tensor) this);
        AnyLayout.zeroInPlace((Tensor) this);
        return (Tensor) this;
    }

    /** Set all elements to a number. */
    default Tensor fill_(Number value) {
        Overlaps.checkRecording((Tensor) this);
        Elementwise.fill((Tensor) this, value);
        return (Tensor) this;
    }

    /** Copy the elements of a tensor that broadcasts to this one's shape, converted. */
    default Tensor copy_(Tensor source) {
        InPlace.copyFrom((Tensor) this, source);
        return (Tensor) this;
    }

    /** Draw normally distributed numbers. */
    default Tensor normal_(RandomGenerator generator, double mean, double std) {
        RandomNumbers.normal((Tensor) this, generator, mean, std);
        return (Tensor) this;
    }

    /** Draw numbers that are spread evenly from a bound up to another that is not included. */
    default Tensor uniform_(RandomGenerator generator, double from, double to) {
        RandomNumbers.uniform((Tensor) this, generator, from, to);
        return (Tensor) this;
    }
}
