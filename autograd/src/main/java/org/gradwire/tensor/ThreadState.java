package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

/** What a thread that computes with tensors is in. Touched by that thread only. */
final class ThreadState {
    private static final ThreadLocal<ThreadState> STATES =
            ThreadLocal.withInitial(ThreadState::new);

    /** Whether operators record what they do. */
    boolean gradEnabled = true;

    /** Whether nodes remember where they were recorded, and NaN counts as a failure. */
    boolean detectAnomaly;

    boolean checkNan;

    /** What was allocated so far, in all; profiled operators look at it before and after. */
    long allocatedBytes;

    /** Where kernels run now, and where what they allocate lies. */
    Device device = Device.CPU;

    /** The innermost scope of memory. */
    @Nullable TensorScope scope;

    /** The execution of a node that the thread is in; marks what is made by it. */
    @Nullable Execution execution;

    private ThreadState() {}

    static ThreadState current() {
        return STATES.get();
    }
}
