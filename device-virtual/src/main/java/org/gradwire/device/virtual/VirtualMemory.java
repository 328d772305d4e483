package org.gradwire.device.virtual;

import org.gradwire.spi.device.DeviceMemory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** Memory of one virtual device. */
final class VirtualMemory implements DeviceMemory {
    private static final int ALIGNMENT = 64;
    private static final byte RUBBISH = -1; // NaN in each floating type

    private final VirtualDevices devices;
    private final int index;
    private final MemorySegment segment;
    private final AtomicBoolean released = new AtomicBoolean();

    VirtualMemory(VirtualDevices devices, int index, long bytes) {
        this.devices = devices;
        this.index = index;
        this.segment = Arena.ofAuto().allocate(bytes, ALIGNMENT).fill(RUBBISH);
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public long bytes() {
        return segment.byteSize();
    }

    /** {@return the memory, for kernels} */
    MemorySegment segment() {
        if (released.get()) {
            throw new IllegalStateException(
                    "memory of cuda:%d was used after its release".formatted(index));
        }
        return segment;
    }

    @Override
    public void copyFromHost(MemorySegment source, long offset) {
        MemorySegment.copy(source, 0, segment(), offset, source.byteSize());
    }

    @Override
    public void copyToHost(long offset, MemorySegment target) {
        MemorySegment.copy(segment(), offset, target, 0, target.byteSize());
    }

    @Override
    public void copyTo(long offset, DeviceMemory target, long targetOffset, long bytes) {
        if (!(target instanceof VirtualMemory other) || other.devices != devices) {
            throw new IllegalArgumentException(
                    "%s is not memory of these devices; copy by way of the host".formatted(target));
        }
        MemorySegment.copy(segment(), offset, other.segment(), targetOffset, bytes);
    }

    @Override
    public void clear() {
        segment().fill((byte) 0);
    }

    @Override
    public void release() {
        if (released.compareAndSet(false, true)) {
            segment.fill(RUBBISH);
        }
    }
}
