package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;
import org.gradwire.tensor.kernel.Unary;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Changes of a tensor itself. Each checks first and changes then, so that a refused one changes
 * nothing, and counts once as a change of the storage.
 */
final class InPlace {

    private InPlace() {}

    /** Add a multiple of a tensor. */
    static void add(Tensor target, Tensor other, Number alpha) {
        Overlaps.check(target, other);
        if (target.isSparse() || other.isSparse()) {
            AnyLayout.addInPlace(target, other, alpha);
        } else {
            requireShape(target, other);
            Elementwise.addInPlace(target, Overlaps.apart(target, other), alpha);
        }
    }

    /** Subtract a multiple of a tensor. */
    static void sub(Tensor target, Tensor other, Number alpha) {
        var _ = Promotion.of(Binary.SUB, target, other);
        boolean fraction = alpha instanceof Double || alpha instanceof Float;
        add(target, other, fraction ? (Number) (-alpha.doubleValue()) : -alpha.longValue());
    }

    /** {@return a multiple of a tensor, recorded} */
    static Tensor times(Tensor other, Number alpha) {
        return alpha.doubleValue() == 1 ? other : other.mul(alpha);
    }

    /** Combine with a tensor, which broadcasts. */
    static void binary(Binary function, Tensor target, Tensor other) {
        Overlaps.check(target, other);
        combine(function, target, Overlaps.apart(target, other));
        target.storage().changed();
    }

    /** Combine each element with a number. */
    static void binary(Binary function, Tensor target, Number other) {
        var _ = Promotion.of(function, target, other);
        Overlaps.check(target);
        boolean zeroStaysZero = function == Binary.MUL || function == Binary.DIV;
        if (zeroStaysZero && target.storage() instanceof SparseStorage held) {
            binary(function, held.values(), other);
        } else {
            combine(function, target, number(target, other));
            target.storage().changed();
        }
    }

    private static Tensor number(Tensor target, Number other) {
        return Tensor.scalar(target.dtype().promote(other), other);
    }

    private static void combine(Binary function, Tensor target, Tensor other) {
        DType dtype = Promotion.of(function, target, other);
        requireFit(target, dtype, other);
        if (dtype == target.dtype() && hasKernels(dtype)) {
            Strided to = target.strided();
            Strided from = Elementwise.cast(other, dtype).strided(target.dims);
            Loops.binary(dtype.elements(), function, to, from, to);
        } else {
            copy(MathRules.binary(function, target, other), target);
        }
    }

    private static boolean hasKernels(DType dtype) {
        return dtype.isFloating() || dtype == DType.INT64;
    }

    private static void copy(Tensor source, Tensor target) {
        Loops.convert(
                source.dtype().elements(),
                source.strided(target.dims),
                target.dtype().elements(),
                target.strided());
    }

    /** Apply a function that keeps the type. */
    static void unary(Unary function, Tensor target) {
        Overlaps.check(target);
        Promotion.refuseBool(function, target);
        if (hasKernels(target.dtype())) {
            Strided all = target.strided();
            Loops.unary(target.dtype().elements(), function, all, all);
        } else {
            copy(MathRules.unary(function, target), target);
        }
        target.storage().changed();
    }

    /** Apply a function whose results are fractions. */
    static void floating(Unary function, Tensor target) {
        requireFit(target, target.dtype().orFloating());
        unary(function, target);
    }

    /** Raise to a power. */
    static void pow(Tensor target, Number exponent) {
        Overlaps.check(target);
        requireFit(target, target.dtype().promote(exponent));
        copy(ArithmeticRows.POW.tensor(target.detach(), exponent), target);
        target.storage().changed();
    }

    /** Keep elements within bounds. */
    static void clamp(Tensor target, @Nullable Number min, @Nullable Number max) {
        Overlaps.check(target);
        Tensor bounded = BoundRows.CLAMP.tensor(target.detach(), min, max);
        requireFit(target, bounded.dtype());
        copy(bounded, target);
        target.storage().changed();
    }

    /** Add a multiple of a product, or of a quotient. */
    static void addCombined(
            Binary function, Tensor target, Tensor first, Tensor second, Number value) {
        Overlaps.check(target, first, second);
        DType dtype = MathRules.checkCombined(function, target, first, second).opmath();
        Tensor left = Elementwise.cast(first, dtype);
        Tensor combined = MathRules.binary(function, left, Elementwise.cast(second, dtype));
        requireFit(target, dtype, combined);
        Elementwise.addInPlace(target, combined, MathRules.factor(dtype, value));
    }

    /** Move toward a tensor, by the same part of the way everywhere. */
    static void lerp(Tensor target, Tensor end, Number weight) {
        Overlaps.check(target, end);
        replace(target, CombinationRows.LERP_NUMBER.tensor(target.detach(), end.detach(), weight));
    }

    /** Move toward a tensor, by parts of the way. */
    static void lerp(Tensor target, Tensor end, Tensor weight) {
        Overlaps.check(target, end, weight);
        replace(
                target,
                CombinationRows.LERP.tensor(target.detach(), end.detach(), weight.detach()));
    }

    private static void replace(Tensor target, Tensor result) {
        requireFit(target, result.dtype(), result);
        copy(result, target);
        target.storage().changed();
    }

    /** Copy the elements of a tensor, converted. */
    static void copyFrom(Tensor target, Tensor source) {
        Overlaps.check(target, source);
        requireShape(target, source);
        Elementwise.copyInto(target, Overlaps.apart(target, source));
    }

    /** Require that a result fits a tensor by its shape and type. */
    static void requireFit(Tensor target, DType result, Tensor other) {
        requireShape(target, other);
        requireFit(target, result);
    }

    private static void requireShape(Tensor target, Tensor other) {
        int[] shape = Shapes.broadcast(target.dims, other.dims);
        if (!Arrays.equals(shape, target.dims)) {
            throw new IllegalArgumentException(
                    "output with shape %s doesn't match the broadcast shape %s"
                            .formatted(Arrays.toString(target.dims), Arrays.toString(shape)));
        }
    }

    private static void requireFit(Tensor target, DType result) {
        Promotion.inPlace(result, target);
    }
}
