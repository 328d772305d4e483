package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Promotion;
import org.gradwire.tensor.storage.MemoryOverlap;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.SparseStorage;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * In-place rules. Each checks before it changes, so that a refused one changes nothing, and counts
 * as one change of the storage.
 */
public final class InPlace {

    private InPlace() {}

    /** Add a multiple of a tensor. */
    public static void add(Tensor target, Tensor other, Number alpha) {
        MemoryOverlap.check(target, other);
        if (target.isSparse() || other.isSparse()) {
            GradientArithmetic.addInPlace(target, other, alpha);
        } else {
            requireShape(target, other);
            Elementwise.addInPlace(target, MemoryOverlap.apart(target, other), alpha);
        }
    }

    /** Subtract a multiple of a tensor. */
    public static void sub(Tensor target, Tensor other, Number alpha) {
        var _ = Promotion.of(Binary.SUB, target, other);
        boolean fraction = alpha instanceof Double || alpha instanceof Float;
        add(target, other, fraction ? (Number) (-alpha.doubleValue()) : -alpha.longValue());
    }

    /** {@return a multiple of a tensor, recorded} */
    public static Tensor times(Tensor other, Number alpha) {
        return alpha.doubleValue() == 1 ? other : other.mul(alpha);
    }

    /** Apply a binary function with a tensor, which broadcasts. */
    public static void binary(Binary function, Tensor target, Tensor other) {
        MemoryOverlap.check(target, other);
        combine(function, target, MemoryOverlap.apart(target, other));
        TensorAccess.storage(target).changed();
    }

    /** Apply a binary function with a number. */
    public static void binary(Binary function, Tensor target, Number other) {
        var _ = Promotion.of(function, target, other);
        MemoryOverlap.check(target);
        boolean zeroStaysZero = function == Binary.MUL || function == Binary.DIV;
        if (zeroStaysZero && TensorAccess.storage(target) instanceof SparseStorage held) {
            binary(function, held.values(), other);
        } else {
            combine(function, target, number(target, other));
            TensorAccess.storage(target).changed();
        }
    }

    private static Tensor number(Tensor target, Number other) {
        return Factories.number(DTypeAccess.promote(target.dtype(), other), other);
    }

    private static void combine(Binary function, Tensor target, Tensor other) {
        DType dtype = Promotion.of(function, target, other);
        requireFit(target, dtype, other);
        if (dtype == target.dtype() && hasKernels(dtype)) {
            Strided to = TensorAccess.strided(target);
            Strided from =
                    TensorAccess.strided(Elementwise.cast(other, dtype), TensorAccess.dims(target));
            StridedLoops.binary(DTypeAccess.elements(dtype), function, to, from, to);
        } else {
            copy(MathRules.binary(function, target, other), target);
        }
    }

    private static boolean hasKernels(DType dtype) {
        return dtype.isFloating() || dtype == DType.INT64;
    }

    private static void copy(Tensor source, Tensor target) {
        StridedLoops.convert(
                DTypeAccess.elements(source.dtype()),
                TensorAccess.strided(source, TensorAccess.dims(target)),
                DTypeAccess.elements(target.dtype()),
                TensorAccess.strided(target));
    }

    /** Apply a function that keeps the type. */
    public static void unary(Unary function, Tensor target) {
        MemoryOverlap.check(target);
        Promotion.refuseBool(function, target);
        if (hasKernels(target.dtype())) {
            Strided all = TensorAccess.strided(target);
            StridedLoops.unary(DTypeAccess.elements(target.dtype()), function, all, all);
        } else {
            copy(MathRules.unary(function, target), target);
        }
        TensorAccess.storage(target).changed();
    }

    /** Apply a function with floating-point results. */
    public static void floating(Unary function, Tensor target) {
        requireFit(target, DTypeAccess.orFloating(target.dtype()));
        unary(function, target);
    }

    /** Raise to a power. */
    public static void pow(Tensor target, Number exponent) {
        MemoryOverlap.check(target);
        requireFit(target, DTypeAccess.promote(target.dtype(), exponent));
        copy(Ops.pow(target.detach(), exponent), target);
        TensorAccess.storage(target).changed();
    }

    /** Keep elements within bounds. */
    public static void clamp(Tensor target, @Nullable Number min, @Nullable Number max) {
        MemoryOverlap.check(target);
        Tensor bounded = Ops.clamp(target.detach(), min, max);
        requireFit(target, bounded.dtype());
        copy(bounded, target);
        TensorAccess.storage(target).changed();
    }

    /** Add a multiple of a product, or of a quotient. */
    public static void addCombined(
            Binary function, Tensor target, Tensor first, Tensor second, Number value) {
        MemoryOverlap.check(target, first, second);
        DType dtype = DTypeAccess.opmath(MathRules.checkCombined(function, target, first, second));
        Tensor left = Elementwise.cast(first, dtype);
        Tensor combined = MathRules.binary(function, left, Elementwise.cast(second, dtype));
        requireFit(target, dtype, combined);
        Elementwise.addInPlace(target, combined, MathRules.factor(dtype, value));
    }

    /** Interpolate linearly toward a tensor, with one weight. */
    public static void lerp(Tensor target, Tensor end, Number weight) {
        MemoryOverlap.check(target, end);
        replace(target, Ops.lerp(target.detach(), end.detach(), weight));
    }

    /** Interpolate linearly toward a tensor, with a tensor of weights. */
    public static void lerp(Tensor target, Tensor end, Tensor weight) {
        MemoryOverlap.check(target, end, weight);
        replace(target, Ops.lerp(target.detach(), end.detach(), weight.detach()));
    }

    private static void replace(Tensor target, Tensor result) {
        requireFit(target, result.dtype(), result);
        copy(result, target);
        TensorAccess.storage(target).changed();
    }

    /** Copy the elements of a tensor, converted. */
    public static void copyFrom(Tensor target, Tensor source) {
        MemoryOverlap.check(target, source);
        requireShape(target, source);
        Elementwise.copyInto(target, MemoryOverlap.apart(target, source));
    }

    /** Require that a result fits a tensor by its shape and type. */
    public static void requireFit(Tensor target, DType result, Tensor other) {
        requireShape(target, other);
        requireFit(target, result);
    }

    private static void requireShape(Tensor target, Tensor other) {
        int[] shape = Shapes.broadcast(TensorAccess.dims(target), TensorAccess.dims(other));
        if (!Arrays.equals(shape, TensorAccess.dims(target))) {
            throw new IllegalArgumentException(
                    "output with shape %s doesn't match the broadcast shape %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(target)),
                                    Arrays.toString(shape)));
        }
    }

    private static void requireFit(Tensor target, DType result) {
        Promotion.inPlace(result, target);
    }
}
