package org.gradwire.device.cuda;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A GPU, with its context, memory, streams and kernels. */
final class CudaDevice {
    private static final int STREAMS = 32;

    /** Streams of virtual threads: few, as peers take milliseconds to open each. */
    private static final int FIRST_STREAMS = 4;

    private final int index;
    private final Driver.Properties properties;
    private final BlockAllocator allocator;
    private final KernelCache kernels;
    private List<CudaDevice> peers = List.of();
    private volatile @Nullable MemorySegment context; // made at first use, as it takes memory
    private final AtomicReferenceArray<@Nullable CudaStream> streams =
            new AtomicReferenceArray<>(STREAMS);

    CudaDevice(int index, Path cache, long memoryLimit) {
        this.index = index;
        this.properties = Driver.properties(index);
        this.allocator = new BlockAllocator(this, memoryLimit);
        this.kernels = new KernelCache(this, cache);
    }

    int index() {
        return index;
    }

    Driver.Properties properties() {
        return properties;
    }

    /** Set the other devices, before the first use. */
    void peers(List<CudaDevice> all) {
        peers = all;
    }

    MemorySegment context() {
        MemorySegment known = context;
        return known != null ? known : open();
    }

    private MemorySegment open() {
        synchronized (CudaDevice.class) { // two devices let each other access their memory
            MemorySegment known = context;
            if (known == null) {
                known = Driver.retainContext(properties.handle());
                for (CudaDevice peer : peers) {
                    MemorySegment other = peer.context;
                    if (other != null) {
                        Driver.setCurrent(known);
                        Driver.enableAccess(properties.handle(), peer.properties.handle(), other);
                        Driver.setCurrent(other);
                        Driver.enableAccess(peer.properties.handle(), properties.handle(), known);
                    }
                }
                context = known;
            }
            return known;
        }
    }

    BlockAllocator allocator() {
        return allocator;
    }

    KernelCache kernels() {
        return kernels;
    }

    /**
     * Make this device that of the following calls of the driver. A virtual thread may be on
     * another carrier each time it was suspended, so this precedes all calls.
     */
    void enter() {
        Driver.setCurrent(context());
    }

    /** {@return the stream of this thread} */
    CudaStream stream() {
        int slot = slot(Thread.currentThread());
        CudaStream stream = streams.get(slot);
        if (stream == null) {
            synchronized (streams) {
                stream = streams.get(slot);
                if (stream == null) {
                    enter();
                    stream = new CudaStream(this);
                    streams.set(slot, stream);
                }
            }
        }
        return stream;
    }

    private static int slot(Thread thread) {
        return thread.isVirtual()
                ? (int) (thread.threadId() % FIRST_STREAMS)
                : FIRST_STREAMS + (int) (thread.threadId() % (STREAMS - FIRST_STREAMS));
    }

    /** Wait for all work of this JVM. */
    void synchronize() {
        if (context != null) {
            enter();
            Driver.synchronize();
        }
    }

    @Override
    public String toString() {
        return "cuda:%d (%s)".formatted(index, properties.name());
    }
}
