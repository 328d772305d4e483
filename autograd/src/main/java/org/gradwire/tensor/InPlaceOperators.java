package org.gradwire.tensor;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.InPlaceRecorder;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.GradientArithmetic;
import org.gradwire.tensor.rule.InPlace;
import org.gradwire.tensor.rule.RandomNumbers;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * In-place operators of a {@link Tensor}.
 *
 * <p>Each returns the tensor, keeps its type, and counts as one change of its {@linkplain
 * Storage#version storage}. Other tensors broadcast to it. These changes fail with an {@link
 * IllegalArgumentException}, and leave the tensor unchanged: of a tensor whose elements share
 * memory, by a tensor that overlaps it partly, and with a result whose type or shape the tensor
 * cannot hold.
 *
 * <p><b>Gradients.</b> Changes are recorded, as in PyTorch, when the tensor or an operand requires
 * a gradient: the tensor, its base, and the base's other views then have the gradient of the new
 * elements. A recorded change is computed by the operator without the underscore and copied, so it
 * takes the memory of one more tensor for a while. These changes fail with an {@link
 * IllegalStateException}: of a leaf that requires a gradient, of a view of one, of a sparse tensor,
 * and of views that were made under {@link GradMode#noGrad} or by an {@link AutogradFunction};
 * under {@link GradMode#noGrad} nothing is recorded and all of these can be changed. A backward
 * pass that needs elements as they were before fails.
 */
public sealed interface InPlaceOperators permits Tensor {

    /** Add a multiple of a tensor: {@code this += alpha * other}. */
    default Tensor add_(Tensor other, Number alpha) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, other)
                ? InPlaceRecorder.by(t -> t[0].add(InPlace.times(t[1], alpha)), target, other)
                : DevicePlacement.change(
                        target, other, (self, near) -> InPlace.add(self, near, alpha));
    }

    /** Add a tensor. */
    default Tensor add_(Tensor other) {
        return add_(other, 1);
    }

    /** Add a number to each element. */
    default Tensor add_(Number other) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].add(other), target)
                : DevicePlacement.change(target, self -> InPlace.binary(Binary.ADD, self, other));
    }

    /** Subtract a multiple of a tensor: {@code this -= alpha * other}. */
    default Tensor sub_(Tensor other, Number alpha) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, other)
                ? InPlaceRecorder.by(t -> t[0].sub(InPlace.times(t[1], alpha)), target, other)
                : DevicePlacement.change(
                        target, other, (self, near) -> InPlace.sub(self, near, alpha));
    }

    /** Subtract a tensor. */
    default Tensor sub_(Tensor other) {
        return sub_(other, 1);
    }

    /** Subtract a number from each element. */
    default Tensor sub_(Number other) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].sub(other), target)
                : DevicePlacement.change(target, self -> InPlace.binary(Binary.SUB, self, other));
    }

    /** Multiply by a tensor. */
    default Tensor mul_(Tensor other) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, other)
                ? InPlaceRecorder.by(t -> t[0].mul(t[1]), target, other)
                : DevicePlacement.change(
                        target, other, (self, near) -> InPlace.binary(Binary.MUL, self, near));
    }

    /** Multiply by a number. */
    default Tensor mul_(Number factor) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].mul(factor), target)
                : DevicePlacement.change(target, self -> InPlace.binary(Binary.MUL, self, factor));
    }

    /** Divide by a tensor; integers cannot hold the result. */
    default Tensor div_(Tensor other) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, other)
                ? InPlaceRecorder.by(t -> t[0].div(t[1]), target, other)
                : DevicePlacement.change(
                        target, other, (self, near) -> InPlace.binary(Binary.DIV, self, near));
    }

    /** Divide by a number; integers cannot hold the result. */
    default Tensor div_(Number other) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].div(other), target)
                : DevicePlacement.change(target, self -> InPlace.binary(Binary.DIV, self, other));
    }

    /** Raise each element to the power that another tensor holds. */
    default Tensor pow_(Tensor exponent) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, exponent)
                ? InPlaceRecorder.by(t -> t[0].pow(t[1]), target, exponent)
                : DevicePlacement.change(
                        target, exponent, (self, near) -> InPlace.binary(Binary.POW, self, near));
    }

    /** Raise each element to a power. */
    default Tensor pow_(Number exponent) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].pow(exponent), target)
                : DevicePlacement.change(target, self -> InPlace.pow(self, exponent));
    }

    /** Negate each element. */
    default Tensor neg_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].neg(), target)
                : DevicePlacement.change(target, self -> InPlace.unary(Unary.NEG, self));
    }

    /** Make each element positive. */
    default Tensor abs_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].abs(), target)
                : DevicePlacement.change(target, self -> InPlace.unary(Unary.ABS, self));
    }

    /** Keep elements within bounds, of which one may be null. */
    default Tensor clamp_(@Nullable Number min, @Nullable Number max) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].clamp(min, max), target)
                : DevicePlacement.change(target, self -> InPlace.clamp(self, min, max));
    }

    /** Replace negative elements by zero. */
    default Tensor relu_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].relu(), target)
                : DevicePlacement.change(target, self -> InPlace.unary(Unary.RELU, self));
    }

    /** Replace each element by e to the power of it. */
    default Tensor exp_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].exp(), target)
                : DevicePlacement.change(target, self -> InPlace.floating(Unary.EXP, self));
    }

    /** Replace each element by its square root. */
    default Tensor sqrt_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].sqrt(), target)
                : DevicePlacement.change(target, self -> InPlace.floating(Unary.SQRT, self));
    }

    /** Replace each element by {@code 1 / (1 + exp(-x))}. */
    default Tensor sigmoid_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].sigmoid(), target)
                : DevicePlacement.change(target, self -> InPlace.floating(Unary.SIGMOID, self));
    }

    /** Replace each element by its hyperbolic tangent. */
    default Tensor tanh_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].tanh(), target)
                : DevicePlacement.change(target, self -> InPlace.floating(Unary.TANH, self));
    }

    /** Round each element to the nearest integer, half to the even one. */
    default Tensor round_() {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.by(t -> t[0].round(), target)
                : DevicePlacement.change(target, self -> InPlace.unary(Unary.ROUND, self));
    }

    /** Add {@code value * tensor1 * tensor2}. */
    default Tensor addcmul_(Tensor tensor1, Tensor tensor2, Number value) {
        Tensor target = (Tensor) this;
        if (InPlaceRecorder.isWanted(target, tensor1, tensor2)) {
            return InPlaceRecorder.by(
                    t -> t[0].addcmul(t[1], t[2], value), target, tensor1, tensor2);
        }
        Tensor second = DevicePlacement.beside(target, tensor2);
        return DevicePlacement.change(
                target,
                tensor1,
                (self, first) -> InPlace.addCombined(Binary.MUL, self, first, second, value));
    }

    /** Add {@code value * tensor1 / tensor2}. */
    default Tensor addcdiv_(Tensor tensor1, Tensor tensor2, Number value) {
        Tensor target = (Tensor) this;
        if (InPlaceRecorder.isWanted(target, tensor1, tensor2)) {
            return InPlaceRecorder.by(
                    t -> t[0].addcdiv(t[1], t[2], value), target, tensor1, tensor2);
        }
        Tensor second = DevicePlacement.beside(target, tensor2);
        return DevicePlacement.change(
                target,
                tensor1,
                (self, first) -> InPlace.addCombined(Binary.DIV, self, first, second, value));
    }

    /** Move toward a tensor: {@code this += weight * (end - this)}. */
    default Tensor lerp_(Tensor end, Number weight) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, end)
                ? InPlaceRecorder.by(t -> t[0].lerp(t[1], weight), target, end)
                : DevicePlacement.change(
                        target, end, (self, near) -> InPlace.lerp(self, near, weight));
    }

    /** Move toward a tensor: {@code this += weight * (end - this)}. */
    default Tensor lerp_(Tensor end, Tensor weight) {
        Tensor target = (Tensor) this;
        if (InPlaceRecorder.isWanted(target, end, weight)) {
            return InPlaceRecorder.by(t -> t[0].lerp(t[1], t[2]), target, end, weight);
        }
        Tensor weights = DevicePlacement.beside(target, weight);
        return DevicePlacement.change(
                target, end, (self, near) -> InPlace.lerp(self, near, weights));
    }

    /** Set all elements to zero; a sparse tensor holds none then. */
    default Tensor zero_() {
        Tensor target = (Tensor) this;
        Consumer<Tensor> change = self -> GradientArithmetic.zeroInPlace(self);
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.replace(target, "ZeroBackward0", change)
                : DevicePlacement.change(target, change);
    }

    /** Set all elements to a number. */
    default Tensor fill_(Number value) {
        Tensor target = (Tensor) this;
        Consumer<Tensor> change = self -> Elementwise.fill(self, value);
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.replace(target, "FillBackward0", change)
                : DevicePlacement.change(target, change);
    }

    /** Copy the elements of a tensor that broadcasts to this shape, converted. */
    default Tensor copy_(Tensor source) {
        Tensor target = (Tensor) this;
        return InPlaceRecorder.isWanted(target, source)
                ? InPlaceRecorder.copy(target, source)
                : DevicePlacement.change(target, self -> InPlace.copyFrom(self, source));
    }

    /** Draw normally distributed numbers. */
    default Tensor normal_(RandomGenerator generator, double mean, double std) {
        Tensor target = (Tensor) this;
        Consumer<Tensor> change = self -> RandomNumbers.normal(self, generator, mean, std);
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.replace(target, "NormalBackward0", change)
                : DevicePlacement.change(target, change);
    }

    /** Draw uniformly distributed numbers from a bound up to another, which is excluded. */
    default Tensor uniform_(RandomGenerator generator, double from, double to) {
        Tensor target = (Tensor) this;
        Consumer<Tensor> change = self -> RandomNumbers.uniform(self, generator, from, to);
        return InPlaceRecorder.isWanted(target)
                ? InPlaceRecorder.replace(target, "UniformBackward0", change)
                : DevicePlacement.change(target, change);
    }
}
