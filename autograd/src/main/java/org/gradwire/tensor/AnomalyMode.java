package org.gradwire.tensor;

/**
 * Helps to find what made a backward pass fail or produce NaN. Operators that a thread records in
 * this scope remember where the program called them; when one of them fails in a backward pass, or
 * gives NaN, the {@link AnomalyException} names that place. Off by default.
 *
 * {@snippet :
 * try (var _ = AnomalyMode.detect()) {
 *     model.forward(batch).sqrt().sum().backward();
 * }
 * // AnomalyException: Function 'SqrtBackward0' returned nan values in its 0th output.
 * // It was recorded by com.example.Train.step(Train.java:42)
 * }
 *
 * <p>What was remembered travels with the graph: a pass that runs later, on another thread, or
 * within a distributed pass, still names the place. A pass that begins in this scope looks for NaN
 * behind all nodes, those recorded outside too; of these it cannot name the place.
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

    /** {@return whether operators on this thread remember where they were called} */
    public static boolean enabled() {
        return ThreadState.current().detectAnomaly;
    }

    /** Go back to what held before. Must be called on the thread that opened the scope. */
    @Override
    public void close() {
        state.detectAnomaly = detectBefore;
        state.checkNan = checkNanBefore;
    }
}
