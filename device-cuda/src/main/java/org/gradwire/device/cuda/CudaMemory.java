package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceMemory;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Memory of one device. The stream that used it last is remembered, and another one that uses it
 * waits for the work of that, on the device.
 */
final class CudaMemory implements DeviceMemory {
    private static final Cleaner CLEANER = Cleaner.create();

    private final CudaDevice device;
    private final long bytes;
    private final Holding holding;
    private final Cleaner.Cleanable cleanable;

    /** The block, and the stream that used it last. Must not refer to the memory. */
    private static final class Holding implements Runnable {
        private final CudaDevice device;
        private final Block block;
        private CudaStream last;
        private boolean released;

        Holding(CudaDevice device, Block block, CudaStream stream) {
            this.device = device;
            this.block = block;
            this.last = stream;
        }

        synchronized long use(CudaStream stream) {
            if (released) {
                throw new IllegalStateException(
                        "memory of cuda:%d was used after its release".formatted(device.index()));
            }
            if (last != stream) {
                stream.await(last);
                last = stream;
            }
            return block.address;
        }

        synchronized Export exported(String device, long offset, long bytes) {
            CudaStream stream = last;
            return new Export(
                    device,
                    stream.device.allocator().exported(block),
                    block.address - block.segment + offset,
                    bytes,
                    stream.recordForOthers());
        }

        synchronized void await(MemorySegment event) {
            if (!released) {
                device.enter();
                DriverQueue.await(last.handle(), event);
            }
        }

        synchronized void used(CudaStream stream) {
            if (last != stream) {
                last.await(stream);
            }
        }

        @Override
        public synchronized void run() {
            if (!released) {
                released = true;
                block.stream = last;
                device.allocator().free(block);
            }
        }
    }

    CudaMemory(CudaDevice device, long bytes) {
        CudaStream stream = device.stream();
        this.device = device;
        this.bytes = bytes;
        this.holding = new Holding(device, device.allocator().allocate(bytes, stream), stream);
        this.cleanable = CLEANER.register(this, holding);
    }

    /** {@return the address, after the work of others that use it; for work of a stream} */
    long use(CudaStream stream) {
        return holding.use(stream);
    }

    /** {@return the description of a part for another process, after all work so far} */
    Export exported(String identity, long offset, long size) {
        return holding.exported(identity, checked(offset, size), size);
    }

    /** Order the following work after an event of another process. */
    void await(MemorySegment event) {
        holding.await(event);
    }

    /**
     * Note that the work for which {@link #use} was called is in its stream. If another stream used
     * the memory in between, its further work waits for the work of this one, as the next users of
     * the memory wait for the other stream only.
     */
    void used(CudaStream stream) {
        try {
            holding.used(stream);
        } finally {
            Reference.reachabilityFence(this); // or else the memory could be reused before
        }
    }

    CudaDevice device() {
        return device;
    }

    @Override
    public int index() {
        return device.index();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void copyFromHost(MemorySegment source, long offset) {
        CudaStream stream = device.stream();
        try {
            long address = use(stream) + checked(offset, source.byteSize());
            stream.staging().copyToDevice(source, address);
        } finally {
            used(stream);
        }
    }

    @Override
    public void copyToHost(long offset, MemorySegment target) {
        CudaStream stream = device.stream();
        try {
            long address = use(stream) + checked(offset, target.byteSize());
            stream.staging().copyToHost(address, target);
        } finally {
            used(stream);
        }
    }

    @Override
    public void copyTo(long offset, DeviceMemory target, long targetOffset, long size) {
        if (!(target instanceof CudaMemory other)) {
            throw new IllegalArgumentException(
                    "%s is not memory of a CUDA device; copy by way of the host".formatted(target));
        }
        CudaStream stream = device.stream();
        try {
            long from = use(stream) + checked(offset, size);
            long to = other.use(stream) + other.checked(targetOffset, size);
            copy(other.device, to, device, from, size, stream);
        } finally {
            used(stream);
            other.used(stream);
        }
    }

    /** Copy from one address to another, in a stream of either device. */
    static void copy(
            CudaDevice target,
            long to,
            CudaDevice source,
            long from,
            long size,
            CudaStream stream) {
        stream.device.enter();
        if (target == source) {
            DriverMemory.copyWithin(to, from, size, stream.handle());
        } else {
            DriverMemory.copyAcross(
                    to, target.context(), from, source.context(), size, stream.handle());
        }
    }

    private long checked(long offset, long size) {
        return Objects.checkFromIndexSize(offset, size, bytes);
    }

    @Override
    public void clear() {
        CudaStream stream = device.stream();
        if (bytes > 0) {
            try {
                long address = use(stream);
                device.enter();
                DriverMemory.clear(address, bytes, stream.handle());
            } finally {
                used(stream);
            }
        }
    }

    @Override
    public void release() {
        cleanable.clean();
    }
}
