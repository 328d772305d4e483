package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Whether operators on this thread record what gradients need. On by default.
 *
 * {@snippet :
 * try (var _ = GradMode.noGrad()) {
 *     weight.add_(weight.grad(), -0.01);
 * }
 * }
 */
public final class GradMode implements AutoCloseable {
    private final ThreadState state;
    private final boolean before;

    private GradMode(boolean enabled) {
        state = ThreadState.current();
        before = state.gradEnabled;
        state.gradEnabled = enabled;
    }

    /** Stop recording on this thread until the scope is closed. */
    public static GradMode noGrad() {
        return new GradMode(false);
    }

    /**
     * Return what a computation gives without recording it, such as the output of a model that is
     * only used.
     *
     * {@snippet :
     * Tensor output = GradMode.noGrad(() -> model.forward(batch));
     * }
     */
    public static <T extends @Nullable Object> T noGrad(Supplier<T> computation) {
        try (var _ = noGrad()) {
            return computation.get();
        }
    }

    /** Record on this thread until the scope is closed. */
    public static GradMode enableGrad() {
        return new GradMode(true);
    }

    /** {@return whether operators on this thread record} */
    public static boolean enabled() {
        return ThreadState.current().gradEnabled;
    }

    /** Go back to what held before. Must be called on the thread that opened the scope. */
    @Override
    public void close() {
        state.gradEnabled = before;
    }
}
