package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;
import org.gradwire.tensor.kernel.Unary;

import java.util.Arrays;

/** Forward rules that work on one element at a time. Results carry no history. */
final class Elementwise {

    private Elementwise() {}

    static Tensor add(Tensor a, Tensor b) {
        return binary(Binary.ADD, a, b);
    }

    /** Combine two tensors, broadcast to one shape and brought to one type. */
    static Tensor binary(Binary function, Tensor a, Tensor b) {
        DType dtype = Promotion.of(function, a, b);
        return binary(function, dtype, cast(a, dtype), cast(b, dtype));
    }

    private static <A> Tensor binary(Binary function, DType dtype, Tensor a, Tensor b) {
        int[] shape = Shapes.broadcast(a.dims, b.dims);
        Tensor result = Tensor.fresh(dtype, shape);
        Elements<A> elements = dtype.elements();
        boolean alike = Arrays.equals(a.dims, b.dims);
        if (alike && arePlainArrays(a, b) && result.isPlainArray()) {
            elements.binary(
                    function,
                    elements.cast(a.base()),
                    a.offset,
                    elements.cast(b.base()),
                    b.offset,
                    elements.cast(result.base()),
                    0,
                    result.numel());
        } else if (!OwnKernels.binary(function, a, b, result)) {
            Loops.binary(elements, function, a.strided(shape), b.strided(shape), result.strided());
        }
        return result;
    }

    /** Combine each element with a number. */
    static Tensor binary(Binary function, Tensor a, Number scalar) {
        return withScalar(function, cast(a, Promotion.of(function, a, scalar)), scalar);
    }

    private static <A> Tensor withScalar(Binary function, Tensor a, Number scalar) {
        Tensor result = Tensor.fresh(a.dtype(), a.dims);
        Elements<A> elements = a.dtype().elements();
        A one = elements.array(1);
        elements.set(one, 0, scalar);
        var repeated = new Strided(one, 0, new int[] {result.numel()}, new int[] {0});
        Loops.binary(elements, function, a.strided(), repeated, result.strided());
        return result;
    }

    /** Apply a function that keeps whole numbers whole. */
    static <A> Tensor unary(Unary function, Tensor x) {
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        Elements<A> elements = x.dtype().elements();
        if (arePlainArrays(x, result)) {
            A from = elements.cast(x.base());
            A to = elements.cast(result.base());
            elements.unary(function, from, x.offset, to, 0, result.numel());
        } else if (!OwnKernels.unary(function, x, result)) {
            Loops.unary(elements, function, x.strided(), result.strided());
        }
        return result;
    }

    static Tensor neg(Tensor x) {
        Promotion.refuseBool(Unary.NEG, x);
        return unary(Unary.NEG, x);
    }

    static Tensor relu(Tensor x) {
        Promotion.refuseBool(Unary.RELU, x);
        return unary(Unary.RELU, x);
    }

    /** Apply a function whose results are fractions. */
    static Tensor floating(Unary function, Tensor x) {
        return unary(function, cast(x, x.dtype().orFloating()));
    }

    static Tensor pow(Tensor x, Number exponent) {
        Tensor base = cast(x, x.dtype().promote(exponent));
        if (!base.dtype().isFloating()) {
            if (exponent.longValue() < 0) {
                throw new IllegalArgumentException(
                        "Integers to negative integer powers are not allowed. The exponent is "
                                + exponent);
            }
            return MathRules.binary(Binary.POW, base, exponent);
        }
        Tensor result = Tensor.fresh(base.dtype(), base.dims);
        Loops.pow(
                base.dtype().elements(), base.strided(), exponent.doubleValue(), result.strided());
        return result;
    }

    /** Return a contiguous copy. */
    static Tensor copy(Tensor x) {
        return Devices.on(x.device(), () -> copied(x));
    }

    private static Tensor copied(Tensor x) {
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        Loops.copy(x.dtype().elements(), x.strided(), result.strided());
        return result;
    }

    /** Return a tensor of few elements, each the one of another; both lie in arrays. */
    static <A> Tensor repeated(Tensor x, int[] shape) {
        Tensor result = Tensor.fresh(x.dtype(), shape);
        Elements<A> elements = x.dtype().elements();
        A to = elements.cast(result.base());
        elements.gather(elements.cast(x.base()), x.offset, 0, to, 0, result.numel());
        return result;
    }

    /** Return the tensor itself when it is contiguous, else a copy. */
    static Tensor contiguous(Tensor x) {
        return x.isContiguous() ? x : copy(x);
    }

    /** Return the tensor itself when it has the type, else a converted copy. */
    static Tensor cast(Tensor x, DType dtype) {
        if (x.dtype() == dtype) {
            return x;
        }
        Tensor result = Tensor.fresh(dtype, x.dims);
        Loops.convert(x.dtype().elements(), x.strided(), dtype.elements(), result.strided());
        return result;
    }

    /** Add a multiple to a tensor in place. */
    static void addInPlace(Tensor target, Tensor other, Number alpha) {
        var _ = Devices.change(target, other, (to, near) -> addNear(to, near, alpha));
    }

    private static void addNear(Tensor target, Tensor other, Number alpha) {
        DType dtype = Promotion.inPlace(Promotion.of(target, other), target);
        Promotion.checkAlpha(dtype, alpha);
        Tensor sum = cast(target, dtype);
        addScaled(dtype.elements(), alpha, cast(other, dtype), sum);
        replace(target, sum);
    }

    private static <A> void addScaled(Elements<A> elements, Number alpha, Tensor x, Tensor sum) {
        if (arePlainArrays(x, sum) && Arrays.equals(x.dims, sum.dims)) {
            A from = elements.cast(x.base());
            A to = elements.cast(sum.base());
            elements.addScaled(alpha, from, x.offset, to, sum.offset, sum.numel());
        } else {
            Loops.addScaled(elements, alpha, x.strided(sum.dims), sum.strided());
        }
    }

    private static boolean arePlainArrays(Tensor a, Tensor b) {
        return a.isPlainArray() && b.isPlainArray();
    }

    /** Run a kernel that changes a tensor in place, where that is. */
    private static void change(Tensor target, Runnable kernel) {
        var _ = Devices.change(target, _ -> kernel.run());
        target.storage().changed();
    }

    /** Say that a tensor changed, after it got the elements that were computed for it. */
    private static void replace(Tensor target, Tensor computed) {
        if (computed == target) {
            target.storage().changed();
        } else {
            copyInto(target, computed);
        }
    }

    /** Copy a tensor into another, broadcasting and converting, from device to device. */
    static void copyInto(Tensor target, Tensor source) {
        Tensor near = Devices.copy(source, target.device());
        change(
                target,
                () ->
                        Loops.convert(
                                near.dtype().elements(),
                                near.strided(target.dims),
                                target.dtype().elements(),
                                target.strided()));
    }

    /** Write one number everywhere. */
    static void fill(Tensor target, Number value) {
        Promotion.checkFits(target.dtype(), value);
        change(target, () -> Loops.fill(target.dtype().elements(), value, target.strided()));
    }
}
