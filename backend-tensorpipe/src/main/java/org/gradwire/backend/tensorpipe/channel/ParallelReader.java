package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.os.Futex;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads large buffers from a peer's process on two threads in parallel: the calling one and a
 * helper. One core does not saturate the memory bandwidth, and the threads that wait for the buffer
 * leave their cores idle.
 *
 * <p>Each thread reads the next unread part, repeatedly. If no core is free for the helper, the
 * calling thread reads all parts, and waits for at most one part that the helper has begun.
 */
public final class ParallelReader {
    /**
     * Minimal size for which the helper pays, on all measured processors. With fast memory, its
     * wake-up takes as long as a read of half this size.
     */
    private static final long LEAST = 2L << 20;

    private static final long PART = 128L * 1024;
    private static final long LONG_YIELD_NANOS = 200_000;

    /** Bytes per yield of the core to a computing thread, up to a bound. */
    private static final long BYTES_PER_LONG_YIELD = 2L << 20;

    private static final long MOST_LONG_YIELDS = 8;
    private static final boolean HAS_CORES = Runtime.getRuntime().availableProcessors() > 1;

    private final CopyThread second;
    private @Nullable MemoryLocation lastLocation; // both for the helper only
    private @Nullable RemoteMemory lastMemory;

    public ParallelReader(String name) {
        second = new CopyThread(name);
    }

    /** A buffer, of which each thread reads parts that the other has not begun. */
    private static final class Buffer {
        private final long address;
        private final MemorySegment to;
        private final AtomicLong begun = new AtomicLong();
        private final AtomicInteger failure = new AtomicInteger();
        private final AtomicBoolean mayHelp = new AtomicBoolean(true);
        private final CompletableFuture<@Nullable Void> helped = new CompletableFuture<>();

        Buffer(long address, MemorySegment to) {
            this.address = address;
            this.to = to;
        }

        /** Stop before the next part. */
        void fail(int error) {
            failure.compareAndSet(0, error);
            begun.set(to.byteSize());
        }

        void read(RemoteMemory memory) {
            long patience = Math.clamp(to.byteSize() / BYTES_PER_LONG_YIELD, 1, MOST_LONG_YIELDS);
            for (long from; (from = begun.getAndAdd(PART)) < to.byteSize(); ) {
                long bytes = Math.min(PART, to.byteSize() - from);
                int error = memory.read(address + from, to.asSlice(from, bytes));
                if (error != 0) {
                    fail(error);
                }
                if (patience > 0 && !yieldShortly()) {
                    patience--;
                }
            }
        }

        /**
         * Yield to threads that wait for a core: a small call must not wait for the whole buffer.
         *
         * @return false if they kept the core for long, as computing threads do; each yield to them
         *     costs a time slice
         */
        private static boolean yieldShortly() {
            long start = System.nanoTime();
            Futex.yieldCore();
            return System.nanoTime() - start < LONG_YIELD_NANOS;
        }
    }

    /**
     * Fill native memory from a peer's memory.
     *
     * @param memory the peer's, for the calling thread
     * @return 0, or an error number
     */
    public int read(RemoteMemory memory, MemoryLocation location, long address, MemorySegment to) {
        if (!HAS_CORES || to.byteSize() < LEAST) {
            return memory.read(address, to);
        }
        var buffer = new Buffer(address, to);
        second.execute(() -> help(buffer, location), () -> {});
        buffer.read(memory);
        if (!buffer.mayHelp.compareAndSet(true, false)) {
            buffer.helped.join(); // one system call, which ends
        }
        return buffer.failure.get();
    }

    private void help(Buffer buffer, MemoryLocation location) {
        if (!buffer.mayHelp.compareAndSet(true, false)) {
            return; // all parts are read
        }
        try {
            buffer.read(memoryOf(location));
        } catch (RuntimeException | Error e) {
            buffer.fail(RemoteMemory.CANARY_MISSING);
            throw e;
        } finally {
            buffer.helped.complete(null);
        }
    }

    private RemoteMemory memoryOf(MemoryLocation location) {
        RemoteMemory memory = lastMemory;
        if (memory == null || !location.equals(lastLocation)) {
            memory = new RemoteMemory(location);
            lastMemory = memory;
            lastLocation = location;
        }
        return memory;
    }

    /** Stop after the current read. */
    public void stop() {
        second.stop();
    }
}
