package org.gradwire.tensor.storage;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;

import java.lang.foreign.MemorySegment;

/** Storage on a device other than the host, managed by its provider; releasing does nothing. */
final class DeviceStorage extends Storage {
    private final Device device;
    private final DeviceMemory memory;

    private DeviceStorage(DType dtype, int length, ThreadState state, DeviceMemory memory) {
        super(dtype, length, state.nodeRun);
        this.device = state.device;
        this.memory = memory;
    }

    /** Return new memory of the device that the thread is on. */
    static DeviceStorage allocate(DType dtype, int length, ThreadState state, boolean cleared) {
        long bytes = (long) length * dtype.bytes();
        Device device = state.device;
        DeviceMemory memory = Devices.installed().provider(device).allocate(device.index(), bytes);
        if (cleared) {
            memory.segment().fill((byte) 0);
        }
        return new DeviceStorage(dtype, length, state, memory);
    }

    @Override
    public Device device() {
        return device;
    }

    DeviceMemory memory() {
        return memory;
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public MemorySegment segment() {
        throw new IllegalStateException(
                "the memory of %s cannot be used by the host; copy the tensor first: to(Device.CPU)"
                        .formatted(device));
    }

    @Override
    public void retain() {}

    @Override
    public void release() {}

    @Override
    public void escape() {}

    @Override
    public void beginGradient() {}

    @Override
    public void endGradient() {}

    @Override
    public Object base() {
        return memory.segment();
    }
}
