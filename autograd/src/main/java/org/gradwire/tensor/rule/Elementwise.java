package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Promotion;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;

/** Elementwise rules. Results have no history. */
public final class Elementwise {

    private Elementwise() {}

    public static Tensor add(Tensor a, Tensor b) {
        return binary(Binary.ADD, a, b);
    }

    /** Apply a binary function to two tensors, broadcast and promoted. */
    public static Tensor binary(Binary function, Tensor a, Tensor b) {
        DType dtype = Promotion.of(function, a, b);
        return binary(function, dtype, cast(a, dtype), cast(b, dtype));
    }

    private static <A> Tensor binary(Binary function, DType dtype, Tensor a, Tensor b) {
        int[] shape = Shapes.broadcast(TensorAccess.dims(a), TensorAccess.dims(b));
        Tensor result = TensorAccess.fresh(dtype, shape);
        Elements<A> elements = DTypeAccess.elements(dtype);
        boolean alike = Arrays.equals(TensorAccess.dims(a), TensorAccess.dims(b));
        if (alike && arePlainArrays(a, b) && TensorAccess.isPlainArray(result)) {
            elements.binary(
                    function,
                    elements.cast(TensorAccess.base(a)),
                    TensorAccess.offset(a),
                    elements.cast(TensorAccess.base(b)),
                    TensorAccess.offset(b),
                    elements.cast(TensorAccess.base(result)),
                    0,
                    result.numel());
        } else {
            StridedLoops.binary(
                    elements,
                    function,
                    TensorAccess.strided(a, shape),
                    TensorAccess.strided(b, shape),
                    TensorAccess.strided(result));
        }
        return result;
    }

    /** Apply a binary function to each element and a number. */
    public static Tensor binary(Binary function, Tensor a, Number scalar) {
        return withScalar(function, cast(a, Promotion.of(function, a, scalar)), scalar);
    }

    private static <A> Tensor withScalar(Binary function, Tensor a, Number scalar) {
        Tensor result = TensorAccess.fresh(a.dtype(), TensorAccess.dims(a));
        Elements<A> elements = DTypeAccess.elements(a.dtype());
        A one = elements.array(1);
        elements.set(one, 0, scalar);
        var repeated = new Strided(one, 0, new int[] {result.numel()}, new int[] {0});
        StridedLoops.binary(
                elements,
                function,
                TensorAccess.strided(a),
                repeated,
                TensorAccess.strided(result));
        return result;
    }

    /** Apply a function that preserves integer types. */
    public static <A> Tensor unary(Unary function, Tensor x) {
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        if (arePlainArrays(x, result)) {
            A from = elements.cast(TensorAccess.base(x));
            A to = elements.cast(TensorAccess.base(result));
            elements.unary(function, from, TensorAccess.offset(x), to, 0, result.numel());
        } else {
            StridedLoops.unary(
                    elements, function, TensorAccess.strided(x), TensorAccess.strided(result));
        }
        return result;
    }

    public static Tensor neg(Tensor x) {
        Promotion.refuseBool(Unary.NEG, x);
        return unary(Unary.NEG, x);
    }

    public static Tensor relu(Tensor x) {
        Promotion.refuseBool(Unary.RELU, x);
        return unary(Unary.RELU, x);
    }

    /** Apply a function with floating-point results. */
    public static Tensor floating(Unary function, Tensor x) {
        return unary(function, cast(x, DTypeAccess.orFloating(x.dtype())));
    }

    public static Tensor pow(Tensor x, Number exponent) {
        Tensor base = cast(x, DTypeAccess.promote(x.dtype(), exponent));
        if (!base.dtype().isFloating()) {
            if (exponent.longValue() < 0) {
                throw new IllegalArgumentException(
                        "Integers to negative integer powers are not allowed. The exponent is "
                                + exponent);
            }
            return MathRules.binary(Binary.POW, base, exponent);
        }
        Tensor result = TensorAccess.fresh(base.dtype(), TensorAccess.dims(base));
        StridedLoops.pow(
                DTypeAccess.elements(base.dtype()),
                TensorAccess.strided(base),
                exponent.doubleValue(),
                TensorAccess.strided(result));
        return result;
    }

    /** Return a contiguous copy. */
    public static Tensor copy(Tensor x) {
        return CurrentDevice.on(x.device(), () -> copied(x));
    }

    private static Tensor copied(Tensor x) {
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        StridedLoops.copy(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(x),
                TensorAccess.strided(result));
        return result;
    }

    /** Return a tensor of few elements computed one by one; both tensors are in arrays. */
    public static <A> Tensor repeated(Tensor x, int[] shape) {
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        A to = elements.cast(TensorAccess.base(result));
        elements.gather(
                elements.cast(TensorAccess.base(x)),
                TensorAccess.offset(x),
                0,
                to,
                0,
                result.numel());
        return result;
    }

    /** Return the tensor itself when it is contiguous, else a copy. */
    public static Tensor contiguous(Tensor x) {
        return x.isContiguous() ? x : copy(x);
    }

    /** Return the tensor itself when it has the type, else a converted copy. */
    public static Tensor cast(Tensor x, DType dtype) {
        if (x.dtype() == dtype) {
            return x;
        }
        Tensor result = TensorAccess.fresh(dtype, TensorAccess.dims(x));
        StridedLoops.convert(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(x),
                DTypeAccess.elements(dtype),
                TensorAccess.strided(result));
        return result;
    }

    /** Add a multiple to a tensor in place. */
    public static void addInPlace(Tensor target, Tensor other, Number alpha) {
        var _ = DevicePlacement.change(target, other, (to, near) -> addNear(to, near, alpha));
    }

    private static void addNear(Tensor target, Tensor other, Number alpha) {
        DType dtype = Promotion.inPlace(Promotion.of(target, other), target);
        Promotion.checkAlpha(dtype, alpha);
        Tensor sum = cast(target, dtype);
        addScaled(DTypeAccess.elements(dtype), alpha, cast(other, dtype), sum);
        replace(target, sum);
    }

    private static <A> void addScaled(Elements<A> elements, Number alpha, Tensor x, Tensor sum) {
        if (arePlainArrays(x, sum) && Arrays.equals(TensorAccess.dims(x), TensorAccess.dims(sum))) {
            A from = elements.cast(TensorAccess.base(x));
            A to = elements.cast(TensorAccess.base(sum));
            elements.addScaled(
                    alpha, from, TensorAccess.offset(x), to, TensorAccess.offset(sum), sum.numel());
        } else {
            StridedLoops.addScaled(
                    elements,
                    alpha,
                    TensorAccess.strided(x, TensorAccess.dims(sum)),
                    TensorAccess.strided(sum));
        }
    }

    private static boolean arePlainArrays(Tensor a, Tensor b) {
        return TensorAccess.isPlainArray(a) && TensorAccess.isPlainArray(b);
    }

    /** Run a kernel that changes a tensor in place, where that is. */
    private static void change(Tensor target, Runnable kernel) {
        var _ =
                DevicePlacement.change(
                        target,
                        changed -> {
                            kernel.run();
                            TensorAccess.storage(changed).changed();
                        });
    }

    /** Mark a tensor as changed, after its elements were written. */
    private static void replace(Tensor target, Tensor computed) {
        if (computed == target) {
            TensorAccess.storage(target).changed();
        } else {
            copyInto(target, computed);
        }
    }

    /** Copy a tensor into another, broadcasting and converting, from device to device. */
    public static void copyInto(Tensor target, Tensor source) {
        Tensor near = DevicePlacement.copy(source, target.device());
        change(
                target,
                () ->
                        StridedLoops.convert(
                                DTypeAccess.elements(near.dtype()),
                                TensorAccess.strided(near, TensorAccess.dims(target)),
                                DTypeAccess.elements(target.dtype()),
                                TensorAccess.strided(target)));
    }

    /** Write one number everywhere. */
    public static void fill(Tensor target, Number value) {
        Promotion.checkFits(target.dtype(), value);
        change(
                target,
                () ->
                        StridedLoops.fill(
                                DTypeAccess.elements(target.dtype()),
                                value,
                                TensorAccess.strided(target)));
    }
}
