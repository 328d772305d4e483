package org.gradwire.tensor.storage;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.kernel.element.DeviceBase;

import java.lang.foreign.MemorySegment;

/** Storage on a device other than the host. */
final class DeviceStorage extends CountedStorage implements DeviceBase {
    private final Device device;
    private final DeviceProvider provider;
    private final DeviceMemory memory;
    private final Object period; // see HostCopies
    private boolean undefined; // nothing was written yet

    private DeviceStorage(
            DType dtype,
            int length,
            ThreadState state,
            DeviceProvider provider,
            DeviceMemory memory) {
        super(dtype, length, state.nodeRun);
        this.device = state.device;
        this.provider = provider;
        this.memory = memory;
        this.period = state.hostCopies.period();
    }

    /** Return new memory of the device that the thread is on. */
    static DeviceStorage allocate(DType dtype, int length, ThreadState state, boolean cleared) {
        long bytes = (long) length * dtype.bytes();
        Device device = state.device;
        DeviceProvider provider = Devices.installed().provider(device);
        DeviceMemory memory = provider.allocate(device.index(), bytes);
        var storage = new DeviceStorage(dtype, length, state, provider, memory);
        storage.undefined = !cleared;
        if (cleared) {
            memory.clear();
        }
        if (state.scope != null) {
            state.scope.enter(storage);
        }
        return storage;
    }

    @Override
    boolean isOwned() {
        return true;
    }

    @Override
    void free() {
        memory.release();
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public void changed() {
        super.changed();
        ThreadState.current().hostCopies.changing(this);
    }

    /** {@return the memory itself, whether or not a copy on the host is newer} */
    DeviceMemory memory() {
        return memory;
    }

    /** {@return in which period of its thread's {@link HostCopies} this was made} */
    Object period() {
        return period;
    }

    /** {@return whether nothing was written yet} */
    boolean isUndefined() {
        return undefined;
    }

    /** All of the memory was written. */
    void defined() {
        undefined = false;
    }

    @Override
    public DeviceKernels kernels() {
        return provider.kernels();
    }

    @Override
    public DeviceMemory readable() {
        requireEntered(ThreadState.current());
        return source();
    }

    @Override
    public DeviceMemory writable() {
        requireEntered(ThreadState.current());
        return target();
    }

    /** {@return the memory with its newest contents, to copy from} */
    DeviceMemory source() {
        requireHeld();
        ThreadState.current().hostCopies.beforeRead(this);
        return memory;
    }

    /** {@return the memory, to copy to} */
    DeviceMemory target() {
        requireHeld();
        ThreadState.current().hostCopies.beforeWrite(this);
        undefined = false;
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
    public Object operandBase() {
        return this;
    }

    @Override
    public Object onHost() {
        return base();
    }

    @Override
    public Object base() {
        return copied().base();
    }

    @Override
    public MemorySegment bytes() {
        return copied().segment();
    }

    private Storage copied() {
        requireHeld();
        ThreadState state = ThreadState.current();
        requireEntered(state);
        return state.hostCopies.of(this, state);
    }

    private void requireEntered(ThreadState state) {
        if (!state.device.equals(device)) {
            throw new IllegalStateException(
                    "the memory of %s was touched by %s"
                            .formatted(
                                    device,
                                    state.device.isCpu()
                                            ? "host code; copy it to the host"
                                            : "a kernel that runs for " + state.device));
        }
    }
}
