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
        DType dtype = a.dtype().promote(b.dtype());
        if (function == Binary.DIV) {
            dtype = dtype.orFloating();
        }
        return binary(function, dtype, cast(a, dtype), cast(b, dtype));
    }

    private static <A> Tensor binary(Binary function, DType dtype, Tensor a, Tensor b) {
        int[] shape = Shapes.broadcast(a.dims, b.dims);
        Tensor result = Tensor.fresh(dtype, shape);
        Elements<A> elements = dtype.elements();
        boolean alike = Arrays.equals(a.dims, b.dims);
        if (alike && a.isPlainArray() && b.isPlainArray() && result.isPlainArray()) {
            elements.binary(
                    function,
                    elements.cast(a.base()),
                    a.offset,
                    elements.cast(b.base()),
                    b.offset,
                    elements.cast(result.base()),
                    0,
                    result.numel());
        } else {
            Loops.binary(elements, function, a.strided(shape), b.strided(shape), result.strided());
        }
        return result;
    }

    /** Combine each element with a number. */
    static Tensor binary(Binary function, Tensor a, Number scalar) {
        DType dtype = a.dtype().promote(scalar);
        if (function == Binary.DIV) {
            dtype = dtype.orFloating();
        }
        return withScalar(function, cast(a, dtype), scalar);
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
        if (x.isPlainArray() && result.isPlainArray()) {
            A from = elements.cast(x.base());
            A to = elements.cast(result.base());
            elements.unary(function, from, x.offset, to, 0, result.numel());
        } else {
            Loops.unary(elements, function, x.strided(), result.strided());
        }
        return result;
    }

    /** Apply a function whose results are fractions. */
    static Tensor floating(Unary function, Tensor x) {
        return unary(function, cast(x, x.dtype().orFloating()));
    }

    static Tensor pow(Tensor x, Number exponent) {
        Tensor base = cast(x, x.dtype().promote(exponent));
        if (!base.dtype().isFloating()) {
            return cast(pow(cast(base, DType.FLOAT64), exponent), base.dtype());
        }
        Tensor result = Tensor.fresh(base.dtype(), base.dims);
        Loops.pow(
                base.dtype().elements(), base.strided(), exponent.doubleValue(), result.strided());
        return result;
    }

    /** Return a contiguous copy. */
    static Tensor copy(Tensor x) {
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        Loops.copy(x.dtype().elements(), x.strided(), result.strided());
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
        Tensor source = cast(other, target.dtype());
        Loops.addScaled(
                target.dtype().elements(), alpha, source.strided(target.dims), target.strided());
        target.storage().changed();
    }

    /** Multiply a tensor in place. */
    static <A> void scaleInPlace(Tensor target, Number factor) {
        Elements<A> elements = target.dtype().elements();
        A one = elements.array(1);
        elements.set(one, 0, factor);
        var repeated = new Strided(one, 0, new int[] {target.numel()}, new int[] {0});
        Loops.binary(elements, Binary.MUL, target.strided(), repeated, target.strided());
        target.storage().changed();
    }

    /** Copy a tensor into another, broadcasting and converting. */
    static void copyInto(Tensor target, Tensor source) {
        Loops.convert(
                source.dtype().elements(),
                source.strided(target.dims),
                target.dtype().elements(),
                target.strided());
        target.storage().changed();
    }

    /** Write one number everywhere. */
    static void fill(Tensor target, Number value) {
        Loops.fill(target.dtype().elements(), value, target.strided());
        target.storage().changed();
    }
}
