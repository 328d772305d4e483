package org.gradwire.tensor.kernel.memory;

import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of native memory, in slabs aligned to cache lines.
 *
 * <p>A slab returns when it is released, or when its segment is no longer reachable. As the
 * collector does not see how much native memory small objects keep, the pool asks for a collection
 * whenever {@code gradwire.tensor.native-soft-limit} more bytes are in use than after the last one,
 * or half of that when no slab of the requested size is free, since memory that was never touched
 * is slow: up to a millisecond for each megabyte in a virtual machine. It waits for one before it
 * would pass {@code gradwire.tensor.native-limit}.
 *
 * <p>Safe for use by many threads.
 */
public final class NativeMemory {
    private static final int ALIGNMENT = 64;
    private static final long HUGE_PAGE = 2L << 20;
    private static final int COLLECTIONS_BEFORE_FAILURE = 4;

    private final CLibrary library;
    private final long softLimit;
    private final long limit;
    private final Map<Long, ConcurrentLinkedDeque<Long>> free = new ConcurrentHashMap<>();
    private final Map<Long, Return> unclaimed = new ConcurrentHashMap<>(); // by address
    private final AtomicLong inUse = new AtomicLong();
    private final AtomicLong cached = new AtomicLong();
    private final AtomicLong inUseAfterCollection = new AtomicLong();
    private final AtomicBoolean collecting = new AtomicBoolean();

    private NativeMemory(CLibrary library, long softLimit, long limit) {
        this.library = library;
        this.softLimit = softLimit;
        this.limit = limit;
    }

    /** Return a pool with the given limits; null where native memory may not be used. */
    static @Nullable NativeMemory create(long softLimit, long limit) {
        return CLibrary.load()
                .map(library -> new NativeMemory(library, softLimit, limit))
                .orElse(null);
    }

    /**
     * {@return the pool of this JVM; null where native memory may not be used}
     *
     * @throws RpcConfigurationException when a setting of it is invalid
     */
    public static @Nullable NativeMemory installed() {
        if (Installed.REFUSED != null) {
            throw new RpcConfigurationException(String.valueOf(Installed.REFUSED.getMessage()));
        }
        return Installed.POOL;
    }

    private static final class Installed {
        static final @Nullable NativeMemory POOL;

        /** The exception for an invalid setting, which each use throws. */
        static final @Nullable RpcConfigurationException REFUSED;

        static {
            NativeMemory pool = null;
            RpcConfigurationException refused = null;
            try {
                var settings = new ProcessSettings();
                pool = create(settings.nativeSoftLimit(), settings.nativeLimit());
            } catch (RpcConfigurationException e) {
                refused = e;
            }
            POOL = pool;
            REFUSED = refused;
        }
    }

    /** Memory of one storage. */
    public static final class Slab {
        private final MemorySegment segment;
        private final Return way;

        private Slab(MemorySegment segment, Return way) {
            this.segment = segment;
            this.way = way;
        }

        /** {@return the memory; not collected while it is reachable} */
        public MemorySegment segment() {
            return segment;
        }

        /**
         * Release the memory now. The segment must not be used afterwards. Further calls do
         * nothing.
         */
        public void release() {
            way.run();
        }
    }

    /** Releases a slab, once. Must not refer to the segment. */
    private static final class Return extends AtomicBoolean implements Runnable {
        private static final long serialVersionUID = 1L;

        private final transient NativeMemory pool;
        private final long address;
        private final long bytes; // that were asked for
        private final long size;

        Return(NativeMemory pool, long address, long bytes, long size) {
            this.pool = pool;
            this.address = address;
            this.bytes = bytes;
            this.size = size;
        }

        @Override
        public void run() {
            if (compareAndSet(false, true)) {
                pool.unclaimed.remove(address, this);
                pool.takeBack(address, size);
            }
        }
    }

    /** {@return the bytes of all slabs in use} */
    public long bytesInUse() {
        return inUse.get();
    }

    /** {@return the bytes of free slabs, kept for reuse} */
    public long bytesCached() {
        return cached.get();
    }

    /**
     * Return an uninitialized slab.
     *
     * @throws OutOfMemoryError when the limit is reached, or the system has no more
     */
    @SuppressWarnings("restricted") // the memory was allocated with this size
    public Slab allocate(long bytes) {
        long size = sizeClass(Math.max(bytes, ALIGNMENT));
        reserve(size);
        long address = take(size);
        var way = new Return(this, address, bytes, size);
        MemorySegment segment =
                MemorySegment.ofAddress(address).reinterpret(bytes, Arena.ofAuto(), _ -> way.run());
        return new Slab(segment, way);
    }

    /**
     * Return uninitialized memory as a plain segment. The later owner of the segment may {@link
     * #claim} the slab.
     *
     * @throws OutOfMemoryError as {@link #allocate}
     */
    public MemorySegment allocateUnclaimed(long bytes) {
        Slab slab = allocate(bytes);
        unclaimed.put(slab.way.address, slab.way);
        return slab.segment;
    }

    /**
     * Return the slab of a segment from {@link #allocateUnclaimed}, to the first caller only; null
     * for any other segment, including slices.
     */
    public @Nullable Slab claim(MemorySegment segment) {
        Return way = unclaimed.get(segment.address());
        if (way == null
                || way.bytes != segment.byteSize()
                || !unclaimed.remove(segment.address(), way)) {
            return null;
        }
        return new Slab(segment, way);
    }

    /** Round up to one of four sizes for each power of two. */
    private static long sizeClass(long bytes) {
        long step = Math.max(Long.highestOneBit(bytes) >> 2, ALIGNMENT);
        return (bytes + step - 1) / step * step;
    }

    private void reserve(long size) {
        long now = inUse.addAndGet(size);
        if (now > limit) {
            collectUntilBelowLimit(size);
        } else {
            collectAfter(softLimit);
        }
    }

    /** Request a collection if usage has grown by the soft limit since the last one. */
    private void collectAfter(long growth) {
        if (inUse.get() > inUseAfterCollection.get() + growth
                && collecting.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("gradwire-native-memory").start(this::collect);
        }
    }

    private void collect() {
        try {
            long before = inUse.get();
            System.gc();
            waitForCleaner(before);
            inUseAfterCollection.set(inUse.get());
        } finally {
            collecting.set(false);
        }
    }

    private void collectUntilBelowLimit(long size) {
        for (int i = 0; i < COLLECTIONS_BEFORE_FAILURE; i++) {
            long before = inUse.get();
            System.gc();
            waitForCleaner(before);
            if (inUse.get() <= limit) {
                return;
            }
        }
        long held = inUse.addAndGet(-size);
        throw new OutOfMemoryError(
                "tensors hold %d MiB of native memory, %d MiB more would pass %s=%d MiB; release tensors sooner (TensorScope) or raise the limit"
                        .formatted(
                                held >> 20, size >> 20, ProcessSettings.NATIVE_LIMIT, limit >> 20));
    }

    /** The cleaner runs after the collection; wait until it begins to release memory. */
    private void waitForCleaner(long before) {
        boolean interrupted = false;
        for (int i = 0; i < 10 && inUse.get() >= before; i++) {
            try {
                Thread.sleep(1 + i);
            } catch (InterruptedException _) {
                interrupted = true;
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private long take(long size) {
        var stack = free.get(size);
        Long address = stack == null ? null : stack.pollFirst();
        if (address != null) {
            cached.addAndGet(-size);
            return address;
        }
        collectAfter(softLimit / 2);
        long alignment = size >= HUGE_PAGE ? HUGE_PAGE : ALIGNMENT;
        long fresh = library.allocate(alignment, (size + alignment - 1) / alignment * alignment);
        if (fresh == 0) {
            inUse.addAndGet(-size);
            throw new OutOfMemoryError("the system has no " + size + " bytes of native memory");
        }
        if (size >= HUGE_PAGE) {
            library.adviseHugePages(fresh, size / HUGE_PAGE * HUGE_PAGE);
        }
        return fresh;
    }

    private void takeBack(long address, long size) {
        inUse.addAndGet(-size);
        free.computeIfAbsent(size, _ -> new ConcurrentLinkedDeque<>()).addFirst(address);
        if (cached.addAndGet(size) > softLimit) {
            shrink(size);
        }
    }

    /**
     * Return memory to the system until the pool is within its limit: slabs of other sizes first,
     * since the size released last is in use. Otherwise slabs of an unused size would fill the
     * pool, and all others would be allocated again, page by page.
     */
    private void shrink(long sizeInUse) {
        for (long size : free.keySet()) {
            while (size != sizeInUse && cached.get() > softLimit && freeOne(size)) {
                // one more
            }
        }
        while (cached.get() > softLimit && freeOne(sizeInUse)) {
            // one more
        }
    }

    private boolean freeOne(long size) {
        ConcurrentLinkedDeque<Long> stack = free.get(size);
        Long address = stack == null ? null : stack.pollLast();
        if (address == null) {
            return false;
        }
        cached.addAndGet(-size);
        library.free(address);
        return true;
    }
}
