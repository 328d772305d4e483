package org.gradwire.tensor.operator;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.OperatorRow.Forward;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.GradientArithmetic;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A call of an operator with float16 or bfloat16 tensors. Its rule gets wider copies, computes in
 * float32, as PyTorch's kernels do, and its results are rounded once.
 *
 * <p>Where types are mixed, float32, or the second of the two reduced types, becomes float64, so
 * that the rule promotes and refuses types as it does for those two.
 */
public final class ReducedPrecision {
    /** Names of numbers that PyTorch turns into tensors of the operator's type first. */
    private static final Set<String> OPERANDS = Set.of("self", "other", "exponent", "min", "max");

    private final @Nullable Object[] args;
    private final Set<DType> floats = EnumSet.noneOf(DType.class);
    private final DType promoted;
    private @Nullable DType first; // the reduced type of the first tensor that has one

    /** Determine the types of a call's arguments. */
    ReducedPrecision(@Nullable Object[] args) {
        this.args = args;
        DType dimensioned = null;
        DType single = null;
        for (Tensor tensor : tensors(args)) {
            DType dtype = tensor.dtype();
            if (dtype.isFloating()) {
                floats.add(dtype);
                first = first == null && DTypeAccess.isReduced(dtype) ? dtype : first;
                if (TensorAccess.dims(tensor).length > 0) {
                    dimensioned = dimensioned == null ? dtype : dimensioned.promote(dtype);
                } else {
                    single = single == null ? dtype : single.promote(dtype);
                }
            }
        }
        this.promoted = Objects.requireNonNull(dimensioned == null ? single : dimensioned);
    }

    private static List<Tensor> tensors(@Nullable Object[] args) {
        return Arrays.stream(args)
                .<Object>mapMulti((arg, sink) -> {
                    if (arg instanceof List<?> list) {
                        list.forEach(sink);
                    } else if (arg != null) {
                        sink.accept(arg);
                    }
                })
                .filter(Tensor.class::isInstance)
                .map(Tensor.class::cast)
                .toList();
    }

    /** {@return a tensor as the rules of gradients see it} */
    public static Tensor widened(Tensor tensor) {
        return GradientArithmetic.cast(tensor, DTypeAccess.opmath(tensor.dtype()));
    }

    /** {@return gradients as the rules of gradients see them} */
    static @Nullable Tensor[] widened(@Nullable Tensor[] gradients) {
        var wide = new @Nullable Tensor[gradients.length];
        for (int i = 0; i < wide.length; i++) {
            Tensor gradient = gradients[i];
            wide[i] = gradient == null ? null : widened(gradient);
        }
        return wide;
    }

    /** {@return the arguments, with numbers among the operands rounded to the operator's type} */
    @Nullable Object[] withRoundedNumbers(Signature signature) {
        if (!DTypeAccess.isReduced(promoted)) {
            return args;
        }
        @Nullable Object[] rounded = args.clone();
        for (int i = 0; i < rounded.length; i++) {
            if (rounded[i] instanceof Number number
                    && signature.isScalar(i)
                    && DTypeAccess.of(number).isFloating()
                    && OPERANDS.contains(signature.schema().parameters().get(i).name())) {
                rounded[i] = DTypeAccess.nearest(promoted, number);
            }
        }
        return rounded;
    }

    /**
     * Compute in wider types.
     *
     * @return the result of the rule, rounded
     */
    Object apply(Forward rule) {
        @Nullable Object[] wide = each(GradientArithmetic::cast);
        int[] versions = versions(wide);
        Object computed;
        try {
            computed = rule.apply(new Args(wide));
        } catch (RuntimeException e) {
            throw named(rule, e);
        }
        keepChanges(wide, versions);
        return computed instanceof Computed(Object result, Object extra)
                ? new Computed(rounded(result, wide), extra)
                : rounded(computed, wide);
    }

    /**
     * Compute an operator that is made of others in wider types. The conversions are recorded.
     *
     * @return the result of the rule, rounded
     */
    Object applyRecorded(Forward rule) {
        @Nullable Object[] wide = each(Ops::to);
        try {
            Tensor result = (Tensor) rule.apply(new Args(wide));
            return result.dtype().isFloating() ? Ops.to(result, down(result.dtype())) : result;
        } catch (RuntimeException e) {
            throw named(rule, e);
        }
    }

    private @Nullable Object[] each(BiFunction<Tensor, DType, Tensor> cast) {
        @Nullable Object[] wide = args.clone();
        for (int i = 0; i < wide.length; i++) {
            if (args[i] instanceof Tensor tensor) {
                wide[i] = wide(tensor, cast);
            } else if (args[i] instanceof List<?> list) {
                wide[i] = list.stream().map(t -> (Object) wide((Tensor) t, cast)).toList();
            }
        }
        return wide;
    }

    private Tensor wide(Tensor tensor, BiFunction<Tensor, DType, Tensor> cast) {
        DType dtype = tensor.dtype();
        if (!dtype.isFloating()) {
            return tensor;
        }
        boolean number =
                TensorAccess.dims(tensor).length == 0
                        && DTypeAccess.isReduced(promoted)
                        && dtype != promoted;
        return cast.apply(number ? cast.apply(tensor, promoted) : tensor, up(dtype));
    }

    private DType up(DType dtype) {
        boolean single = floats.contains(DType.FLOAT32);
        return switch (dtype) {
            case FLOAT16, BFLOAT16 -> dtype == first || single ? DType.FLOAT32 : DType.FLOAT64;
            case FLOAT32 -> floats.contains(DType.FLOAT64) ? DType.FLOAT32 : DType.FLOAT64;
            default -> dtype;
        };
    }

    /** {@return the reduced type of a result that a rule computed in a wider type} */
    private DType down(DType dtype) {
        boolean single = floats.contains(DType.FLOAT32);
        boolean wide = floats.contains(DType.FLOAT64);
        boolean both = floats.contains(DType.FLOAT16) && floats.contains(DType.BFLOAT16);
        if (dtype == DType.FLOAT64) {
            return wide ? dtype : single ? DType.FLOAT32 : promoted;
        }
        if (dtype != DType.FLOAT32) {
            return dtype;
        }
        if (single && (wide || both)) {
            return DTypeAccess.isReduced(promoted) ? promoted : dtype;
        }
        return Objects.requireNonNull(first);
    }

    private Object rounded(Object result, @Nullable Object[] wide) {
        if (result instanceof Tensor tensor) {
            return rounded(tensor, wide);
        }
        return ((List<?>) result).stream().map(t -> (Object) rounded((Tensor) t, wide)).toList();
    }

    @SuppressWarnings("ReferenceEquality") // whether the rule returned its argument
    private Tensor rounded(Tensor result, @Nullable Object[] wide) {
        for (int i = 0; i < wide.length; i++) {
            if (wide[i] == result && args[i] instanceof Tensor own) {
                return own;
            }
        }
        return result.dtype().isFloating()
                ? GradientArithmetic.cast(result, down(result.dtype()))
                : result;
    }

    private static int[] versions(@Nullable Object[] wide) {
        int[] versions = new int[wide.length];
        for (int i = 0; i < wide.length; i++) {
            versions[i] =
                    wide[i] instanceof Tensor tensor ? TensorAccess.storage(tensor).version() : 0;
        }
        return versions;
    }

    /** Copy changes that a rule made in its copies back to the arguments, such as running means. */
    @SuppressWarnings("ReferenceEquality") // whether it is a copy
    private void keepChanges(@Nullable Object[] wide, int[] versions) {
        for (int i = 0; i < wide.length; i++) {
            if (wide[i] != args[i]
                    && wide[i] instanceof Tensor copy
                    && TensorAccess.storage(copy).version() != versions[i]) {
                Elementwise.copyInto(((Tensor) Objects.requireNonNull(args[i])), copy);
            }
        }
    }

    /** {@return the failure with the caller's types in the message, in place of the wider ones} */
    private RuntimeException named(Forward rule, RuntimeException failure) {
        try {
            rule.apply(new Args(args));
        } catch (RuntimeException | AssertionError e) {
            return e.getClass() == failure.getClass() ? (RuntimeException) e : failure;
        }
        return failure;
    }
}
