package org.gradwire.nn;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Objects;

/**
 * Bounds gradients in place, between {@code backward} and an optimizer's step. The counterparts of
 * {@code torch.nn.utils.clip_grad_norm_} and {@code clip_grad_value_}.
 */
public final class GradientClipping {
    private static final double EPSILON = 1e-6;

    private GradientClipping() {}

    /** Clip by the Euclidean norm; see {@link #clipGradNorm_(List, double, double, boolean)}. */
    public static double clipGradNorm_(List<Tensor> parameters, double maxNorm) {
        return clipGradNorm_(parameters, maxNorm, 2, /* errorIfNonfinite= */ false);
    }

    /**
     * Scale all gradients so that their total norm, as of one vector, is at most a bound. Smaller
     * gradients are unchanged.
     *
     * @param parameters those without a gradient are skipped
     * @param normType the order of the norm; {@link Double#POSITIVE_INFINITY} for the largest
     *     absolute element, {@link Double#NEGATIVE_INFINITY} for the smallest. Of sparse gradients,
     *     each stored element counts once
     * @param errorIfNonfinite whether an infinite or NaN norm is refused; otherwise it scales the
     *     gradients
     * @return the norm before; 0 without gradients
     * @throws IllegalStateException when the norm is refused; nothing was changed
     */
    public static double clipGradNorm_(
            List<Tensor> parameters, double maxNorm, double normType, boolean errorIfNonfinite) {
        List<Tensor> gradients =
                parameters.stream().map(Tensor::grad).filter(Objects::nonNull).toList();
        try (var _ = GradMode.noGrad()) {
            double norm = norm(gradients, normType);
            if (errorIfNonfinite && !Double.isFinite(norm)) {
                throw new IllegalStateException(
                        "The total norm of order %s for gradients of the parameters is not finite, so it cannot be clipped: %s; look for the cause with AnomalyMode, or pass errorIfNonfinite=false to scale by it"
                                .formatted(normType, norm));
            }
            double factor = Math.min(1, maxNorm / (norm + EPSILON));
            gradients.forEach(gradient -> gradient.mul_(factor));
            return norm;
        }
    }

    private static Tensor elements(Tensor gradient) {
        return gradient.isSparse() ? gradient.coalesce().values() : gradient;
    }

    private static double norm(List<Tensor> gradients, double order) {
        double[] norms =
                gradients.stream()
                        .map(GradientClipping::elements)
                        .filter(elements -> elements.numel() > 0)
                        .mapToDouble(elements -> norm(elements, order))
                        .toArray();
        return norms.length == 0 ? 0 : norm(Tensor.of(norms), order);
    }

    private static double norm(Tensor values, double order) {
        if (Double.isInfinite(order)) {
            return (order > 0 ? values.abs().max() : values.abs().min()).item();
        }
        return values.norm(order).item();
    }

    /**
     * Clamp each element of all gradients to {@code -clipValue} and {@code clipValue}. A sparse
     * gradient is coalesced.
     *
     * @param parameters those without a gradient are skipped
     */
    public static void clipGradValue_(List<Tensor> parameters, double clipValue) {
        try (var _ = GradMode.noGrad()) {
            for (Tensor parameter : parameters) {
                Tensor gradient = parameter.grad();
                if (gradient != null && gradient.isSparse()) {
                    Tensor single = gradient.coalesce();
                    single.values().clamp_(-clipValue, clipValue);
                    parameter.grad(single);
                } else if (gradient != null) {
                    gradient.clamp_(-clipValue, clipValue);
                }
            }
        }
    }
}
