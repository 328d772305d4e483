package org.gradwire.autograd;

import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * The thread's gradient recording mode. On by default.
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
     * Return the result of a computation without recording it, such as the output of a model in
     * inference.
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

    /** Restore the previous mode. Must be called on the thread that opened the scope. */
    @Override
    public void close() {
        state.gradEnabled = before;
    }
}
