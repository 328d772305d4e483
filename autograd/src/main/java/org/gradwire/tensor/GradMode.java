package org.gradwire.tensor;

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
