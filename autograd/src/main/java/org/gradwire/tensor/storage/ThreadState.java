package org.gradwire.tensor.storage;

import org.gradwire.tensor.Device;
import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

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

    /** The scope of memory in which that one was opened; copies for all of it belong there. */
    public @Nullable MemoryScope autocastScope;

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

    /** {@return the result of a computation whose operators convert nothing} */
    public <T> T withoutAutocast(Supplier<T> computation) {
        AutocastMode before = autocast;
        autocast = null;
        try {
            return computation.get();
        } finally {
            autocast = before;
        }
    }

    /**
     * {@return the result of a computation for another worker, on a thread that may wait for a
     * call: it is recorded, and converts nothing, whatever the mode of the thread}
     */
    public <T> T forAnotherWorker(Supplier<T> computation) {
        if (gradEnabled && autocast == null) {
            return computation.get();
        }
        boolean before = gradEnabled;
        gradEnabled = true;
        try {
            return withoutAutocast(computation);
        } finally {
            gradEnabled = before;
        }
    }

    /** {@return the result of a computation whose memory belongs to {@link #autocastScope}} */
    public <T> T inAutocastScope(Supplier<T> computation) {
        MemoryScope before = scope;
        scope = autocastScope;
        try {
            return computation.get();
        } finally {
            scope = before;
        }
    }
}
