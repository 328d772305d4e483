package org.gradwire.autograd;

import org.gradwire.tensor.storage.ThreadState;

/**
 * Detects failures and NaN in backward passes and names the forward call that caused them.
 * Operators recorded in this scope remember their call site; when one of them fails in a backward
 * pass, or returns NaN, the {@link AnomalyException} names that call site. Off by default.
 *
 * {@snippet :
 * try (var _ = AnomalyMode.detect()) {
 *     model.forward(batch).sqrt().sum().backward();
 * }
 * // AnomalyException: Function 'SqrtBackward0' returned nan values in its 0th output.
 * // It was recorded by com.example.Train.step(Train.java:42)
 * }
 *
 * <p>Call sites are part of the graph: a pass that runs later, on another thread, or within a
 * distributed pass, still names the place. A pass that begins in this scope looks for NaN behind
 * all nodes, those recorded outside too; for these it cannot name the call site.
 *
 * <p>Slow, for every operator walks the stack and every gradient is read: for debugging only. Where
 * it is off it costs nothing.
 */
public final class AnomalyMode implements AutoCloseable {
    private final ThreadState state;
    private final boolean detectBefore;
    private final boolean checkNanBefore;

    private AnomalyMode(boolean checkNan) {
        state = ThreadState.current();
        detectBefore = state.detectAnomaly;
        checkNanBefore = state.checkNan;
        state.detectAnomaly = true;
        state.checkNan = checkNan;
    }

    /** Detect failures and NaN on this thread until the scope is closed. */
    public static AnomalyMode detect() {
        return new AnomalyMode(true);
    }

    /**
     * Detect failures on this thread until the scope is closed.
     *
     * @param checkNan whether NaN counts as one
     */
    public static AnomalyMode detect(boolean checkNan) {
        return new AnomalyMode(checkNan);
    }

    /** {@return whether operators on this thread remember their call sites} */
    public static boolean enabled() {
        return ThreadState.current().detectAnomaly;
    }

    /** Restore the previous mode. Must be called on the thread that opened the scope. */
    @Override
    public void close() {
        state.detectAnomaly = detectBefore;
        state.checkNan = checkNanBefore;
    }
}
