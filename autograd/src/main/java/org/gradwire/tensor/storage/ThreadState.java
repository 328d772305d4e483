package org.gradwire.tensor.storage;

import org.gradwire.tensor.Device;
import org.jspecify.annotations.Nullable;

/** Tensor state of a thread. Confined to that thread. */
public final class ThreadState {
    private static final ThreadLocal<ThreadState> STATES =
            ThreadLocal.withInitial(ThreadState::new);

    /** True if operators record gradients. */
    public boolean gradEnabled = true;

    /** True if nodes record their forward calls. */
    public boolean detectAnomaly;

    /** True if NaN in a gradient is a failure. */
    public boolean checkNan;

    /** The innermost scope of automatic mixed precision; null where operators convert nothing. */
    public @Nullable AutocastMode autocast;

    /** Total bytes allocated so far; profiled operators record the difference. */
    public long allocatedBytes;

    /** The device on which kernels run and allocate. */
    public Device device = Device.CPU;

    /** The innermost operator on a device, as its schema names it. */
    String operator = "none";

    final HostCopies hostCopies = new HostCopies();

    /** The innermost open scope. */
    public @Nullable MemoryScope scope;

    /** The current run of a node; marks the storages made in it. */
    public @Nullable NodeRun nodeRun;

    private ThreadState() {}

    public static ThreadState current() {
        return STATES.get();
    }
}
