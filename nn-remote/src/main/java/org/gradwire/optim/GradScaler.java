package org.gradwire.optim;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Scales losses, so that gradients in float16 do not become zero, and skips steps whose gradients
 * are not finite. The counterpart of {@code torch.amp.GradScaler}; for {@code Autocast} with
 * float16. With bfloat16, which has the range of float32, none is needed.
 *
 * {@snippet :
 * var scaler = new GradScaler();
 * for (Batch batch : batches) {
 *     optimizer.zeroGrad();
 *     Tensor loss;
 *     try (var _ = Autocast.enable(DType.FLOAT16)) {
 *         loss = loss(batch);
 *     }
 *     scaler.scale(loss).backward();
 *     scaler.step(optimizer);
 *     scaler.update();
 * }
 * }
 *
 * <p>The scale shrinks after a skipped step, and grows after some steps without one. To look at
 * gradients or to clip them before a step, call {@link #unscale} first.
 *
 * <p>For gradients of {@link Tensor#grad()}, not for those of a distributed context. Not
 * thread-safe.
 */
public final class GradScaler {
    private static final double FIRST_SCALE = 65_536;
    private static final String SCALE = "scale";
    private static final String GROWTH_STEPS = "growth_steps";

    private final Options options;
    private final Map<Optimizer<?>, Progress> optimizers = new HashMap<>();
    private double scale;
    private int growthSteps;

    /** The calls for an optimizer since the last {@link #update}. */
    private static final class Progress {
        private boolean isFinite;
        private boolean hasStepped;
    }

    /**
     * The options of a scaler; see {@link #options()}.
     *
     * @param scale the first one, positive
     * @param growthFactor above 1
     * @param backoffFactor between 0 and 1
     * @param growthInterval the steps in sequence, none of them skipped, after which the scale
     *     grows
     */
    public record Options(
            double scale, double growthFactor, double backoffFactor, int growthInterval) {

        /**
         * Check the options.
         *
         * @throws IllegalArgumentException when one is out of its range
         */
        public Options {
            check(scale > 0 && Double.isFinite(scale), "a finite scale above 0", scale);
            check(growthFactor > 1, "a growth factor above 1", growthFactor);
            check(
                    backoffFactor > 0 && backoffFactor < 1,
                    "a backoff factor between 0 and 1",
                    backoffFactor);
            check(growthInterval > 0, "a positive growth interval", growthInterval);
        }

        private static void check(boolean holds, String expected, double actual) {
            if (!holds) {
                throw new IllegalArgumentException(
                        "GradScaler: expected %s, got %s".formatted(expected, actual));
            }
        }

        /** Return the same options with another initial scale. */
        public Options scale(double scale) {
            return new Options(scale, growthFactor, backoffFactor, growthInterval);
        }

        /** Return the same options with another factor of growth. */
        public Options growthFactor(double growthFactor) {
            return new Options(scale, growthFactor, backoffFactor, growthInterval);
        }

        /** Return the same options with another factor after a skipped step. */
        public Options backoffFactor(double backoffFactor) {
            return new Options(scale, growthFactor, backoffFactor, growthInterval);
        }

        /** Return the same options with another number of steps before the scale grows. */
        public Options growthInterval(int growthInterval) {
            return new Options(scale, growthFactor, backoffFactor, growthInterval);
        }
    }

    /** Create a scaler with PyTorch's options. */
    public GradScaler() {
        this(options());
    }

    /** Create a scaler with options. */
    public GradScaler(Options options) {
        this.options = options;
        this.scale = options.scale;
    }

    /** {@return PyTorch's options: a scale of 65536, factors of 2 and 0.5, an interval of 2000} */
    public static Options options() {
        return new Options(FIRST_SCALE, 2, 0.5, 2000);
    }

    /** {@return the current scale} */
    public double scale() {
        return scale;
    }

    /** {@return a loss times the scale} */
    public Tensor scale(Tensor loss) {
        return loss.mul(scale);
    }

    /**
     * Divide the gradients of an optimizer's parameters by the scale.
     *
     * @throws IllegalStateException when they were divided since the last {@link #update}, or none
     *     of the parameters has a gradient
     * @throws IllegalArgumentException when a gradient is of float16: parameters have to be wider
     */
    public void unscale(Optimizer<?> optimizer) {
        if (optimizers.containsKey(optimizer)) {
            throw new IllegalStateException(
                    "the gradients of %s were unscaled already; call update() after each step"
                            .formatted(optimizer.getClass().getSimpleName()));
        }
        List<Tensor> gradients =
                optimizer.parameters().stream()
                        .map(Tensor::grad)
                        .filter(Objects::nonNull)
                        .map(gradient -> gradient.isSparse() ? gradient.heldValues() : gradient)
                        .toList();
        if (gradients.isEmpty()) {
            throw new IllegalStateException(
                    "no parameter of %s has a gradient; call backward() on the scaled loss first"
                            .formatted(optimizer.getClass().getSimpleName()));
        }
        if (gradients.stream().anyMatch(gradient -> gradient.dtype() == DType.FLOAT16)) {
            throw new IllegalArgumentException(
                    "attempting to unscale float16 gradients; keep the parameters in float32 and use Autocast");
        }
        var progress = new Progress();
        progress.isFinite = areFinite(gradients);
        optimizers.put(optimizer, progress);
    }

    /** Divide gradients by the scale; the host waits for each device once. */
    private boolean areFinite(List<Tensor> gradients) {
        Map<Device, Tensor> finite = new HashMap<>();
        try (var _ = GradMode.noGrad();
                var _ = TensorScope.open()) {
            for (Tensor gradient : gradients) {
                gradient.mul_(1 / scale);
                finite.merge(
                        gradient.device(), gradient.isfinite().all(), (a, b) -> a.logicalAnd(b));
            }
            return finite.values().stream().allMatch(all -> all.itemAsLong() != 0);
        }
    }

    /**
     * Take a step of an optimizer, unless one of its gradients is not finite. The gradients are
     * {@linkplain #unscale unscaled} first if they were not.
     *
     * @return whether the step was taken
     * @throws IllegalStateException when there was one since the last {@link #update}, or no
     *     parameter has a gradient
     * @throws IllegalArgumentException when a gradient is of float16
     */
    public boolean step(Optimizer<?> optimizer) {
        if (!optimizers.containsKey(optimizer)) {
            unscale(optimizer);
        }
        Progress progress = Objects.requireNonNull(optimizers.get(optimizer));
        if (progress.hasStepped) {
            throw new IllegalStateException(
                    "step() has been called for this %s since the last update()"
                            .formatted(optimizer.getClass().getSimpleName()));
        }
        progress.hasStepped = true;
        if (progress.isFinite) {
            optimizer.step();
        }
        return progress.isFinite;
    }

    /**
     * Shrink the scale if a step was skipped since the last call, or count towards its growth.
     *
     * @throws IllegalStateException when there was no step and no {@link #unscale} since
     */
    public void update() {
        if (optimizers.isEmpty()) {
            throw new IllegalStateException(
                    "update() without a step since the last one; call it once after the steps of all optimizers");
        }
        if (!optimizers.values().stream().allMatch(progress -> progress.isFinite)) {
            scale *= options.backoffFactor;
            growthSteps = 0;
        } else if (growthSteps < options.growthInterval - 1) {
            growthSteps++;
        } else {
            double grown = scale * options.growthFactor;
            scale = Double.isFinite((float) grown) ? grown : scale;
            growthSteps = 0;
        }
        optimizers.clear();
    }

    /** {@return the scale and the steps towards its growth, to be saved} */
    public Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        state.put(SCALE, Tensor.scalar(DType.FLOAT64, scale));
        state.put(GROWTH_STEPS, Tensor.scalar(DType.INT64, growthSteps));
        return state;
    }

    /**
     * Load what {@link #stateDict} returned.
     *
     * @throws IllegalArgumentException when an entry is missing or out of its range; nothing was
     *     changed
     */
    public void loadStateDict(Map<String, Tensor> state) {
        double loaded = number(state, SCALE);
        double steps = number(state, GROWTH_STEPS);
        if (!(loaded > 0)
                || Double.isInfinite(loaded)
                || !(steps >= 0)
                || steps > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "GradScaler: expected a finite scale above 0 and a number of steps, got %s and %s"
                            .formatted(loaded, steps));
        }
        scale = loaded;
        growthSteps = (int) steps;
    }

    private static double number(Map<String, Tensor> state, String key) {
        Tensor value = state.get(key);
        if (value == null || value.numel() != 1) {
            throw new IllegalArgumentException(
                    "GradScaler: expected a number named %s, got %s".formatted(key, value));
        }
        return value.item();
    }
}
