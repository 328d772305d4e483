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
        return Devices.change((Tensor) this, other, (self, near) -> InPlace.add(self, near, alpha));
    }

    /** Add a tensor. */
    default Tensor add_(Tensor other) {
        return add_(other, 1);
    }

    /** Add a number to each element. */
    default Tensor add_(Number other) {
        return Devices.change((Tensor) this, self -> InPlace.binary(Binary.ADD, self, other));
    }

    /** Subtract a multiple of a tensor: {@code this -= alpha * other}. */
    default Tensor sub_(Tensor other, Number alpha) {
        return Devices.change((Tensor) this, other, (self, near) -> InPlace.sub(self, near, alpha));
    }

    /** Subtract a tensor. */
    default Tensor sub_(Tensor other) {
        return sub_(other, 1);
    }

    /** Subtract a number from each element. */
    default Tensor sub_(Number other) {
        return Devices.change((Tensor) this, self -> InPlace.binary(Binary.SUB, self, other));
    }

    /** Multiply by a tensor. */
    default Tensor mul_(Tensor other) {
        return Devices.change(
                (Tensor) this, other, (self, near) -> InPlace.binary(Binary.MUL, self, near));
    }

    /** Multiply by a number. */
    default Tensor mul_(Number factor) {
        return Devices.change((Tensor) this, self -> InPlace.binary(Binary.MUL, self, factor));
    }

    /** Divide by a tensor; whole numbers cannot hold the result. */
    default Tensor div_(Tensor other) {
        return Devices.change(
                (Tensor) this, other, (self, near) -> InPlace.binary(Binary.DIV, self, near));
    }

    /** Divide by a number; whole numbers cannot hold the result. */
    default Tensor div_(Number other) {
        return Devices.change((Tensor) this, self -> InPlace.binary(Binary.DIV, self, other));
    }

    /** Raise each element to the power that another tensor holds. */
    default Tensor pow_(Tensor exponent) {
        return Devices.change(
                (Tensor) this, exponent, (self, near) -> InPlace.binary(Binary.POW, self, near));
    }

    /** Raise each element to a power. */
    default Tensor pow_(Number exponent) {
        return Devices.change((Tensor) this, self -> InPlace.pow(self, exponent));
    }

    /** Negate each element. */
    default Tensor neg_() {
        return Devices.change((Tensor) this, self -> InPlace.unary(Unary.NEG, self));
    }

    /** Make each element positive. */
    default Tensor abs_() {
        return Devices.change((Tensor) this, self -> InPlace.unary(Unary.ABS, self));
    }

    /** Keep elements within bounds, of which one may be null. */
    default Tensor clamp_(@Nullable Number min, @Nullable Number max) {
        return Devices.change((Tensor) this, self -> InPlace.clamp(self, min, max));
    }

    /** Replace negative elements by zero. */
    default Tensor relu_() {
        return Devices.change((Tensor) this, self -> InPlace.unary(Unary.RELU, self));
    }

    /** Replace each element by e to the power of it. */
    default Tensor exp_() {
        return Devices.change((Tensor) this, self -> InPlace.floating(Unary.EXP, self));
    }

    /** Replace each element by its square root. */
    default Tensor sqrt_() {
        return Devices.change((Tensor) this, self -> InPlace.floating(Unary.SQRT, self));
    }

    /** Replace each element by {@code 1 / (1 + exp(-x))}. */
    default Tensor sigmoid_() {
        return Devices.change((Tensor) this, self -> InPlace.floating(Unary.SIGMOID, self));
    }

    /** Replace each element by its hyperbolic tangent. */
    default Tensor tanh_() {
        return Devices.change((Tensor) this, self -> InPlace.floating(Unary.TANH, self));
    }

    /** Round each element to the nearest whole number, half to the even one. */
    default Tensor round_() {
        return Devices.change((Tensor) this, self -> InPlace.unary(Unary.ROUND, self));
    }

    /** Add {@code value * tensor1 * tensor2}. */
    default Tensor addcmul_(Tensor tensor1, Tensor tensor2, Number value) {
        Tensor second = Devices.beside((Tensor) this, tensor2);
        return Devices.change(
                (Tensor) this,
                tensor1,
                (self, first) -> InPlace.addCombined(Binary.MUL, self, first, second, value));
    }

    /** Add {@code value * tensor1 / tensor2}. */
    default Tensor addcdiv_(Tensor tensor1, Tensor tensor2, Number value) {
        Tensor second = Devices.beside((Tensor) this, tensor2);
        return Devices.change(
                (Tensor) this,
                tensor1,
                (self, first) -> InPlace.addCombined(Binary.DIV, self, first, second, value));
    }

    /** Move toward a tensor: {@code this += weight * (end - this)}. */
    default Tensor lerp_(Tensor end, Number weight) {
        return Devices.change((Tensor) this, end, (self, near) -> InPlace.lerp(self, near, weight));
    }

    /** Move toward a tensor: {@code this += weight * (end - this)}. */
    default Tensor lerp_(Tensor end, Tensor weight) {
        Tensor weights = Devices.beside((Tensor) this, weight);
        return Devices.change(
                (Tensor) this, end, (self, near) -> InPlace.lerp(self, near, weights));
    }

    /** Set all elements to zero; a sparse tensor holds none then. */
    default Tensor zero_() {
        Overlaps.checkRecording((Tensor) this);
        return Devices.change((Tensor) this, AnyLayout::zeroInPlace);
    }

    /** Set all elements to a number. */
    default Tensor fill_(Number value) {
        Overlaps.checkRecording((Tensor) this);
        Elementwise.fill((Tensor) this, value);
        return (Tensor) this;
    }

    /** Copy the elements of a tensor that broadcasts to this one's shape, converted. */
    default Tensor copy_(Tensor source) {
        return Devices.change((Tensor) this, self -> InPlace.copyFrom(self, source));
    }

    /** Draw normally distributed numbers. */
    default Tensor normal_(RandomGenerator generator, double mean, double std) {
        return Devices.change(
                (Tensor) this, self -> RandomNumbers.normal(self, generator, mean, std));
    }

    /** Draw numbers that are spread evenly from a bound up to another that is not included. */
    default Tensor uniform_(RandomGenerator generator, double from, double to) {
        return Devices.change(
                (Tensor) this, self -> RandomNumbers.uniform(self, generator, from, to));
    }
}
