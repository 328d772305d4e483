package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads large buffers out of a peer's process on two threads at the same time: the calling one, and
 * one of its own. One core does not use up what the memory can do, and the threads that wait for
 * the buffer leave theirs idle.
 *
 * <p>Both take part after part. So where no core is free for the second thread the first one reads
 * all, and waits for nothing but a part that the second one has begun.
 */
final class SharedRead {
    /**
     * From here on it pays on all processors that were measured. Where the memory is fast, waking
     * the second thread takes as long as reading half of this.
     */
    private static final long LEAST = 2L << 20;

    private static final long PART = 128L * 1024;
    private static final long LONG_YIELD_NANOS = 200_000;

    /** For each so many bytes the core may be left to who computes once, up to a bound. */
    private static final long BYTES_PER_LONG_YIELD = 2L << 20;

    private static final long MOST_LONG_YIELDS = 8;
    private static final boolean HAS_CORES = Runtime.getRuntime().availableProcessors() > 1;

    private final Copier second;
    private @Nullable MemoryLocation lastLocation; // these two are the second thread's
    private @Nullable RemoteMemory lastMemory;

    SharedRead(String name) {
        second = new Copier(name);
    }

    /** One buffer, of which threads read what no other has begun. */
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

        /** Let nobody begin another part. */
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
         * Let those run who wait for a core: a small call shall not wait for the whole buffer.
         *
         * @return false when they took it for long, as those do who compute; each time costs a
         *     slice of theirs
         */
        private static boolean yieldShortly() {
            long start = System.nanoTime();
            LibC.yieldCore();
            return System.nanoTime() - start < LONG_YIELD_NANOS;
        }
    }

    /**
     * Fill native memory from a peer's.
     *
     * @param memory the peer's, for this thread
     * @return 0, or an error number
     */
    int read(RemoteMemory memory, MemoryLocation location, long address, MemorySegment to) {
        if (!HAS_CORES || to.byteSize() < LEAST) {
            return memory.read(address, to);
        }
        var buffer = new Buffer(address, to);
        second.execute(() -> help(buffer, location), () -> {});
        buffer.read(memory);
        if (!buffer.mayHelp.compareAndSet(true, false)) {
            buffer.helped.join(); // a call into the kernel, which ends
        }
        return buffer.failure.get();
    }

    private void help(Buffer buffer, MemoryLocation location) {
        if (!buffer.mayHelp.compareAndSet(true, false)) {
            return; // all is read
        }
        try {
            buffer.read(memoryOf(location));
        } catch (RuntimeException | Error e) {
            buffer.fail(RemoteMemory.GUARD_MISSING);
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

    /** End after the read that is under way, if one is. */
    void stop() {
        second.stop();
    }
}
