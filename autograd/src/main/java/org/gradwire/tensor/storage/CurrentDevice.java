package org.gradwire.tensor.storage;

import org.gradwire.tensor.Device;

import java.util.function.Supplier;

/** The device on which the calling thread runs kernels and allocates. */
public final class CurrentDevice {
    private CurrentDevice() {}

    /** Run kernels on a device, on which they also allocate. */
    public static <T> T on(Device device, Supplier<T> kernels) {
        ThreadState state = ThreadState.current();
        Device before = state.device;
        if (before.equals(device)) {
            return kernels.get();
        }
        return device.isCpu()
                ? onHost(kernels, state, before)
                : onDevice(device, kernels, state, before);
    }

    private static <T> T onHost(Supplier<T> kernels, ThreadState state, Device before) {
        state.device = Device.CPU;
        try {
            return kernels.get();
        } finally {
            state.device = before;
        }
    }

    private static <T> T onDevice(
            Device device, Supplier<T> kernels, ThreadState state, Device before) {
        var _ = Devices.installed().provider(device); // it exists
        state.device = device;
        state.hostCopies.enter();
        boolean done = false;
        try {
            T result = kernels.get();
            done = true;
            return result;
        } finally {
            state.device = before;
            state.hostCopies.leave(done);
        }
    }

    /** Run an operator's kernels on a device; its name is that of host copies it makes. */
    public static <T> T on(Device device, String operator, Supplier<T> kernels) {
        ThreadState state = ThreadState.current();
        String before = state.operator;
        state.operator = operator;
        try {
            return on(device, kernels);
        } finally {
            state.operator = before;
        }
    }
}
