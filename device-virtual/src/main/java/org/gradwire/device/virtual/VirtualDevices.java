package org.gradwire.device.virtual;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider;
import org.jspecify.annotations.Nullable;

/** Four virtual devices; tracks the device for which each thread runs kernels. */
public final class VirtualDevices implements DeviceProvider {
    private static final int COUNT = 4;

    private final ThreadLocal<@Nullable Integer> running = new ThreadLocal<>();
    private final DeviceKernels kernels = new VirtualKernels();

    /** For {@link java.util.ServiceLoader}. */
    public VirtualDevices() {}

    @Override
    public String type() {
        return "cuda";
    }

    @Override
    public int count() {
        return COUNT;
    }

    @Override
    public DeviceMemory allocate(int index, long bytes) {
        checkIndex(index);
        return new VirtualMemory(this, index, bytes);
    }

    @Override
    public Entered enter(int index) {
        checkIndex(index);
        Integer before = running.get();
        running.set(index);
        return () -> running.set(before);
    }

    @Override
    public DeviceKernels kernels() {
        return kernels;
    }

    private static void checkIndex(int index) {
        if (index < 0 || index >= COUNT) {
            throw new IllegalArgumentException(
                    "there is no device %d; expected 0 to %d".formatted(index, COUNT - 1));
        }
    }

    /**
     * Check that this thread runs kernels for a device.
     *
     * @throws IllegalStateException when it runs them for another, or none
     */
    void requireRunning(int index) {
        Integer now = running.get();
        if (now == null || now != index) {
            throw new IllegalStateException(
                    "the memory of cuda:%d was touched by %s"
                            .formatted(
                                    index,
                                    now == null
                                            ? "host code; copy it to the host"
                                            : "a kernel that runs for cuda:%d".formatted(now)));
        }
    }
}
