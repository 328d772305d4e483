package org.gradwire.device.virtual;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider;

/** Four virtual devices in ordinary memory. */
public final class VirtualDevices implements DeviceProvider {
    private static final int COUNT = 4;

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
    public String description() {
        return COUNT + " virtual devices in the memory of the host";
    }

    @Override
    public DeviceMemory allocate(int index, long bytes) {
        checkIndex(index);
        return new VirtualMemory(this, index, bytes);
    }

    @Override
    public DeviceKernels kernels() {
        return kernels;
    }

    /** {@return zeros: the memory is the host's} */
    @Override
    public MemoryUse memoryUse(int index) {
        checkIndex(index);
        return new MemoryUse(0, 0, 0);
    }

    private static void checkIndex(int index) {
        if (index < 0 || index >= COUNT) {
            throw new IllegalArgumentException(
                    "there is no device %d; expected 0 to %d".formatted(index, COUNT - 1));
        }
    }
}
