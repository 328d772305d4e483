package org.gradwire.tensor.operator;

import org.gradwire.spi.device.ElementType;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.AutocastMode;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The type in which an operator runs under automatic mixed precision. Source: PyTorch, <a
 * href="https://docs.pytorch.org/docs/stable/amp.html#cuda-op-specific-behavior">CUDA Op-Specific
 * Behavior</a>.
 */
public enum AutocastPolicy {
    /** The type of its tensors. */
    NONE(Set.of()),

    /** The reduced type of the scope. */
    REDUCED(
            Set.of(
                    "addmm",
                    "addmv",
                    "baddbmm",
                    "bmm",
                    "conv1d",
                    "conv2d",
                    "conv3d",
                    "conv_transpose1d",
                    "conv_transpose2d",
                    "einsum",
                    "linalg_multi_dot",
                    "linear",
                    "matmul",
                    "mm",
                    "mv",
                    "prelu")),

    /** Float32. */
    SINGLE(
            Set.of(
                    "acos",
                    "asin",
                    "binary_cross_entropy_with_logits",
                    "cdist",
                    "cosh",
                    "cosine_embedding_loss",
                    "cross_entropy_loss",
                    "cumprod",
                    "cumsum",
                    "dist",
                    "exp",
                    "expm1",
                    "group_norm",
                    "hinge_embedding_loss",
                    "huber_loss",
                    "kl_div",
                    "l1_loss",
                    "layer_norm",
                    "log",
                    "log10",
                    "log1p",
                    "log2",
                    "log_softmax",
                    "logsumexp",
                    "margin_ranking_loss",
                    "mse_loss",
                    "nll_loss",
                    "nll_loss_nd",
                    "norm",
                    "poisson_nll_loss",
                    "pow",
                    "prod",
                    "reciprocal",
                    "rsqrt",
                    "sinh",
                    "smooth_l1_loss",
                    "soft_margin_loss",
                    "softmax",
                    "softplus",
                    "square",
                    "sum",
                    "tan",
                    "triplet_margin_loss")),

    /** The widest type of its tensors. */
    WIDEST(
            Set.of(
                    "addcdiv",
                    "addcmul",
                    "atan2",
                    "cat",
                    "dot",
                    "index_put",
                    "scatter_add",
                    "stack",
                    "tensordot")),

    /** None: it fails. */
    REFUSED(Set.of("binary_cross_entropy"));

    private final Set<String> operators;

    AutocastPolicy(Set<String> operators) {
        this.operators = operators;
    }

    /** {@return the names of its operators, without namespace} */
    Set<String> operators() {
        return operators;
    }

    /**
     * {@return the policy of an operator}
     *
     * @param name with its namespace and without its overload
     */
    static AutocastPolicy of(String name) {
        String bare = name.startsWith("aten::") ? name.substring("aten::".length()) : name;
        return Arrays.stream(values())
                .filter(policy -> policy.operators.contains(bare))
                .findFirst()
                .orElse(NONE);
    }

    /** {@return the type of products in a scope} */
    public static DType dtype(AutocastMode mode) {
        return mode.type() == ElementType.FLOAT16 ? DType.FLOAT16 : DType.BFLOAT16;
    }

    /** {@return the arguments of a call, with tensors in the type of the policy; recorded} */
    @Nullable Object[] cast(@Nullable Object[] args) {
        ThreadState state = ThreadState.current();
        AutocastMode mode = state.autocast;
        if (mode == null) {
            return args;
        }
        DType target =
                switch (this) {
                    case NONE -> null;
                    case REDUCED -> dtype(mode);
                    case SINGLE -> DType.FLOAT32;
                    case WIDEST -> widest(args);
                    case REFUSED ->
                            throw new IllegalStateException(
                                    "bceLoss is unsafe under Autocast: float16 cannot represent probabilities near 0 and 1; use bceWithLogits, or call bceLoss in a scope of Autocast.disable() with float32 tensors");
                };
        return target == null ? args : cast(args, target, mode, state.gradEnabled);
    }

    /** {@return the type that holds all reduced ones among others; null for one reduced type} */
    private static @Nullable DType widest(@Nullable Object[] args) {
        boolean single = any(args, tensor -> tensor.dtype() == DType.FLOAT32);
        boolean half = any(args, tensor -> tensor.dtype() == DType.FLOAT16);
        boolean brain = any(args, tensor -> tensor.dtype() == DType.BFLOAT16);
        return single || (half && brain) ? DType.FLOAT32 : null;
    }

    private static @Nullable Object[] cast(
            @Nullable Object[] args, DType target, AutocastMode mode, boolean records) {
        @Nullable Object[] cast = args.clone();
        for (int i = 0; i < cast.length; i++) {
            if (args[i] instanceof Tensor tensor) {
                cast[i] = cast(tensor, target, mode, records);
            } else if (args[i] instanceof List<?> list) {
                cast[i] =
                        list.stream()
                                .map(element ->
                                        element instanceof Tensor tensor
                                                ? cast(tensor, target, mode, records)
                                                : element)
                                .toList();
            }
        }
        return cast;
    }

    private static Tensor cast(Tensor tensor, DType target, AutocastMode mode, boolean records) {
        if (!isCast(tensor) || tensor.dtype() == target) {
            return tensor;
        }
        boolean isParameter = records && tensor.requiresGrad() && tensor.isLeaf();
        return isParameter && target == dtype(mode)
                ? copyOf(tensor, target, mode)
                : Ops.to(tensor, target);
    }

    /**
     * A copy of a parameter.
     *
     * @param version of the parameter's memory
     * @param ownVersion of the copy's memory
     */
    private record Copy(Tensor tensor, int version, int ownVersion) {}

    /** {@return the copy of a parameter, a new one where its memory or that of the copy changed} */
    private static Tensor copyOf(Tensor parameter, DType target, AutocastMode mode) {
        int version = TensorAccess.storage(parameter).version();
        if (mode.copyOf(parameter) instanceof Copy known
                && known.version == version
                && known.ownVersion == TensorAccess.storage(known.tensor).version()) {
            return known.tensor;
        }
        Tensor copy = ThreadState.current().inAutocastScope(() -> Ops.to(parameter, target));
        TensorAccess.storage(copy).share(); // no pass may write to it
        mode.keep(parameter, new Copy(copy, version, TensorAccess.storage(copy).version()));
        return copy;
    }

    private static boolean isCast(Tensor tensor) {
        return !tensor.isSparse()
                && (tensor.dtype() == DType.FLOAT32 || DTypeAccess.isReduced(tensor.dtype()));
    }

    private static boolean any(@Nullable Object[] args, Predicate<Tensor> test) {
        for (Object arg : args) {
            boolean found =
                    arg instanceof Tensor tensor
                            ? test.test(tensor)
                            : arg instanceof List<?> list && any(list.toArray(), test);
            if (found) {
                return true;
            }
        }
        return false;
    }
}
