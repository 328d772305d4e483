package org.gradwire.tensor.operator;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;

import java.util.Locale;
import java.util.Objects;

/**
 * Type promotion, as PyTorch's {@code result_type}: a tensor that has dimensions counts before one
 * that has none, and that before a Java number. What counts less matters only where its category
 * (bool, integral, floating) is a later one.
 */
public final class Promotion {
    private static final String BOOL_INSTEAD = "To invert a mask, use logicalNot().";

    private Promotion() {}

    /** {@return the type that results from combining two tensors} */
    public static DType of(Tensor a, Tensor b) {
        DType left = a.dtype();
        DType right = b.dtype();
        if (left == right) {
            return left;
        }
        boolean leftCounts = TensorAccess.dims(a).length > 0;
        if (leftCounts == TensorAccess.dims(b).length > 0) {
            return left.promote(right);
        }
        return leftCounts ? DTypeAccess.over(left, right) : DTypeAccess.over(right, left);
    }

    /** {@return the type that results from combining three tensors at once} */
    public static DType of(Tensor a, Tensor b, Tensor c) {
        DType dimensioned = null;
        DType single = null;
        for (Tensor tensor : new Tensor[] {a, b, c}) {
            DType dtype = tensor.dtype();
            if (TensorAccess.dims(tensor).length > 0) {
                dimensioned = dimensioned == null ? dtype : dimensioned.promote(dtype);
            } else {
                single = single == null ? dtype : single.promote(dtype);
            }
        }
        if (dimensioned == null || single == null) {
            return Objects.requireNonNull(single == null ? dimensioned : single);
        }
        return DTypeAccess.over(dimensioned, single);
    }

    /** {@return the type that results from combining two numbers} */
    public static DType of(Number a, Number b) {
        return DTypeAccess.of(a).promote(DTypeAccess.of(b));
    }

    /**
     * {@return the type in which a function of two tensors is computed}
     *
     * @throws IllegalArgumentException when there is none
     */
    public static DType of(Binary function, Tensor a, Tensor b) {
        if (function == Binary.SUB && (a.dtype() == DType.BOOL || b.dtype() == DType.BOOL)) {
            throw new IllegalArgumentException(
                    a.dtype() == b.dtype()
                            ? "sub does not take two bool tensors; use logicalXor()"
                            : "sub does not take a bool tensor. " + BOOL_INSTEAD);
        }
        DType dtype = of(a, b);
        return function == Binary.DIV ? DTypeAccess.orFloating(dtype) : dtype;
    }

    /** As {@link #of(Binary, Tensor, Tensor)}, of a tensor and a number. */
    public static DType of(Binary function, Tensor a, Number b) {
        if (function == Binary.SUB && a.dtype() == DType.BOOL) {
            throw new IllegalArgumentException("sub does not take a bool tensor. " + BOOL_INSTEAD);
        }
        DType dtype = DTypeAccess.promote(a.dtype(), b);
        return function == Binary.DIV ? DTypeAccess.orFloating(dtype) : dtype;
    }

    /** Refuse a tensor of bool where a function of one number has no meaning for it. */
    public static void refuseBool(Unary function, Tensor x) {
        if (x.dtype() != DType.BOOL) {
            return;
        }
        switch (function) {
            case NEG ->
                    throw new IllegalArgumentException(
                            "neg does not take a bool tensor. " + BOOL_INSTEAD);
            case RELU ->
                    throw new IllegalArgumentException("Boolean inputs not supported for relu");
            case ABS, FLOOR, CEIL, ROUND, TRUNC ->
                    throw new IllegalArgumentException(
                            "\"%s\" not implemented for 'Bool'; convert the tensor with to(dtype)"
                                    .formatted(function.name().toLowerCase(Locale.ROOT)));
            default -> {}
        }
    }

    /**
     * Check that a result may be written into a tensor.
     *
     * @return the type of the result
     */
    public static DType inPlace(DType result, Tensor target) {
        if (!result.canCast(target.dtype())) {
            throw new IllegalArgumentException(
                    "result type %s can't be cast to the desired output type %s"
                            .formatted(
                                    DTypeAccess.tensorType(result),
                                    DTypeAccess.tensorType(target.dtype())));
        }
        return result;
    }

    /** Check the factor of an operand that is added to something of a type. */
    public static void checkAlpha(DType dtype, Number alpha) {
        if (!dtype.isFloating() && DTypeAccess.of(alpha).isFloating()) {
            throw new IllegalArgumentException(
                    "For integral input tensors, argument alpha must not be a floating point number.");
        }
    }

    /**
     * Check that a number which is to become an element of a type is in the range of that, if it
     * holds integers, of which fractions are cut off, or has 16 bits.
     */
    public static void checkFits(DType dtype, Number value) {
        boolean fits =
                switch (dtype) {
                    case INT32 -> isWithin(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case INT64 -> isWithin(value, Long.MIN_VALUE, Long.MAX_VALUE);
                    case FLOAT16, BFLOAT16 -> isFinite(dtype, value);
                    case FLOAT32, FLOAT64, BOOL -> true;
                };
        if (!fits) {
            throw new IllegalArgumentException(
                    "value cannot be converted to type %s without overflow: %s"
                            .formatted(dtype, value));
        }
    }

    private static boolean isFinite(DType dtype, Number value) {
        return Double.isFinite(DTypeAccess.nearest(dtype, value))
                || !Double.isFinite(value.doubleValue());
    }

    private static boolean isWithin(Number value, long least, long most) {
        return switch (value) {
            case Byte _, Short _, Integer _, Long _ ->
                    value.longValue() >= least && value.longValue() <= most;
            default -> value.doubleValue() >= least && value.doubleValue() <= most;
        };
    }
}
