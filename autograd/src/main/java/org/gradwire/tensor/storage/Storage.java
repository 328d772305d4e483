package org.gradwire.tensor.storage;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.kernel.MaskLoops;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * The memory of a tensor, shared by all views of it: an array, native memory when it is large, or
 * that of another device. That of a sparse tensor represents its indices and values, and has no
 * elements itself.
 *
 * <p>Native memory is released when it is no longer reachable, when the {@link MemoryScope} it was
 * made in is closed, when a backward pass is done with the gradient in it, or, if a message
 * {@linkplain #retain retained} it, when that releases it afterwards.
 */
public abstract class Storage {
    /**
     * Minimum size of native storages. A fresh array costs its clearing and the touching of its
     * pages; a slab that a {@link MemoryScope} or a backward pass released costs neither. Measured,
     * adding float32 tensors of 256 KiB: 32 us into a fresh array, 16 us into a reused slab, 40 us
     * into one that waits for the collector; of 1 MiB: 199, 105 and 175 us.
     */
    static final int NATIVE_FROM_BYTES = 1 << 16;

    private final DType dtype;
    private final int length;
    private final @Nullable NodeRun nodeRun;
    private int version;
    private int marks; // in the lowest bit whether it is shared, above it the number of histories

    Storage(DType dtype, int length, @Nullable NodeRun nodeRun) {
        this.dtype = dtype;
        this.length = length;
        this.nodeRun = nodeRun;
    }

    /** Return new memory; uninitialized unless it is cleared. */
    public static Storage allocate(DType dtype, int length, boolean cleared) {
        ThreadState state = ThreadState.current();
        long bytes = (long) length * dtype.bytes();
        state.allocatedBytes += bytes;
        return state.device.isCpu()
                ? allocateOnHost(dtype, length, cleared, state, state.scope)
                : DeviceStorage.allocate(dtype, length, state, cleared);
    }

    /** Return new memory of the host, in a scope. */
    static Storage allocateOnHost(
            DType dtype,
            int length,
            boolean cleared,
            ThreadState state,
            @Nullable MemoryScope scope) {
        long bytes = (long) length * dtype.bytes();
        NativeMemory memory = bytes < NATIVE_FROM_BYTES ? null : NativeMemory.installed();
        if (memory == null) {
            return new HeapStorage(
                    dtype, DTypeAccess.elements(dtype).array(length), length, state.nodeRun);
        }
        var storage = new NativeStorage(dtype, length, memory.allocate(bytes), state.nodeRun);
        if (cleared) {
            storage.segment().fill((byte) 0);
        }
        if (scope != null) {
            scope.enter(storage);
        }
        return storage;
    }

    /**
     * Return a storage with the elements of an array, which it owns: over the array itself, or a
     * copy on the thread's device.
     */
    public static Storage ofArray(DType dtype, Object array, int length) {
        ThreadState state = ThreadState.current();
        var onHost = new HeapStorage(dtype, array, length, state.nodeRun);
        if (state.device.isCpu()) {
            return onHost;
        }
        DeviceStorage storage = DeviceStorage.allocate(dtype, length, state, false);
        long bytes = (long) length * dtype.bytes();
        storage.target().copyFromHost(onHost.segment().asSlice(0, bytes), 0);
        return storage;
    }

    /**
     * Return a storage over memory that came from elsewhere, without copying it where that is
     * possible: over the array under a heap segment when its type fits, or over a native segment.
     *
     * @param segment must not be written by the caller afterwards
     * @throws IllegalArgumentException when the type is bool and a byte is not 0 or 1
     */
    public static Storage over(DType dtype, MemorySegment segment) {
        Storage storage = unchecked(dtype, segment);
        int invalid =
                dtype == DType.BOOL
                        ? MaskLoops.firstInvalid(
                                Strided.contiguous(storage.base(), 0, storage.length()))
                        : -1;
        if (invalid >= 0) {
            throw new IllegalArgumentException(
                    "elements of bool are bytes of 0 or 1; the one at %d is neither"
                            .formatted(invalid));
        }
        return storage;
    }

    private static Storage unchecked(DType dtype, MemorySegment segment) {
        int length = Math.toIntExact(segment.byteSize() / dtype.bytes());
        Object array = segment.heapBase().orElse(null);
        if (array == null && segment.isNative()) {
            NativeMemory memory = NativeMemory.installed();
            NativeMemory.Slab slab = memory == null ? null : memory.claim(segment);
            return slab == null
                    ? new NativeStorage(dtype, length, segment)
                    : new NativeStorage(dtype, length, slab, null);
        }
        Object fresh = DTypeAccess.elements(dtype).array(0);
        boolean whole = array != null && java.lang.reflect.Array.getLength(array) == length;
        if (whole && fresh.getClass().isInstance(array)) {
            return HeapStorage.over(dtype, array, length, segment);
        }
        var copy = new HeapStorage(dtype, DTypeAccess.elements(dtype).array(length), length, null);
        MemorySegment.copy(segment, 0, copy.segment(), 0, (long) length * dtype.bytes());
        return copy;
    }

    /**
     * {@return an allocator that receives the buffers of messages into the memory tensors live in}
     */
    public static BufferAllocator allocator() {
        BufferAllocator plain = BufferAllocator.plain();
        NativeMemory memory = NativeMemory.installed();
        if (memory == null) {
            return plain;
        }
        return (kind, bytes) ->
                kind == ElementKind.RAW
                        ? memory.allocateUnclaimed(bytes)
                        : plain.allocate(kind, bytes);
    }

    /** {@return whether elements may be written with {@link #write}: they are in an array} */
    public boolean isArray() {
        return this instanceof HeapStorage;
    }

    /** Write elements into the payload of a message, without an object for each storage. */
    public void write(int from, int count, Output out) {
        SerializedElements.write(base(), from, count, out);
    }

    /** Read elements written by {@link #write} into a new storage. */
    public static Storage read(DType dtype, int count, Input in) {
        return new HeapStorage(
                dtype,
                SerializedElements.read(DTypeAccess.elements(dtype).array(count), count, in),
                count,
                null);
    }

    /** {@return the type of the elements} */
    public DType dtype() {
        return dtype;
    }

    /** {@return the number of elements} */
    public int length() {
        return length;
    }

    /** {@return its device} */
    public Device device() {
        return Device.CPU;
    }

    /** {@return whether it is in native memory of the host} */
    public abstract boolean isNative();

    /**
     * {@return the memory itself: over an array, or native; not a copy}
     *
     * @throws IllegalStateException when it was released, or is on another device than the host
     */
    public abstract MemorySegment segment();

    /**
     * Prevent the release of the memory until {@link #release}, independently of tensors and
     * scopes. May be called from any thread.
     *
     * @throws IllegalStateException when it was released already
     */
    public abstract void retain();

    /** Undo one {@link #retain}. May be called from any thread. */
    public abstract void release();

    /**
     * Release the memory now rather than when it is collected, or after the last {@linkplain
     * #retain retainer} has released it. Only for its exclusive owner, once; without effect unless
     * it is owned native memory, or if it is the gradient of a tensor.
     */
    public void giveBack() {}

    /** Keep the memory after its scope, if any, is closed. */
    public abstract void escape();

    /** A tensor has this as its gradient now, which keeps it when its scope is closed. */
    public abstract void beginGradient();

    /** Undo one {@link #beginGradient}. */
    public abstract void endGradient();

    /** {@return the array or the native segment, for kernels of the host} */
    public abstract Object base();

    /** {@return the memory, for kernels of the host} */
    public MemorySegment bytes() {
        return segment();
    }

    /** {@return the base of a {@link Strided} over this memory} */
    public Object operandBase() {
        return base();
    }

    /**
     * {@return how often the elements were changed in place; a tensor kept for backward checks it}
     */
    public int version() {
        return version;
    }

    public void changed() {
        version++;
    }

    /**
     * Replace another storage of a tensor, which may have been saved for backward with any earlier
     * version. No backward pass writes to it, and no scope ends it.
     */
    public void replace(Storage other) {
        version = Math.max(version, other.version()) + 1;
        share();
        escape();
    }

    /** Replace another storage for saved tensors, with the elements that they expect. */
    public void replaceUnchanged(Storage other) {
        version = other.version();
        share();
        escape();
    }

    /** {@return how often a recorded in-place operation gave the elements another history} */
    public int histories() {
        return marks >>> 1;
    }

    public void newHistory() {
        marks += 2;
    }

    /** Mark as shared: a backward pass must neither write to it nor store it. */
    public void share() {
        marks |= 1;
    }

    /** Set whether this is shared. */
    public void shared(boolean known) {
        marks = known ? marks | 1 : marks & ~1;
    }

    /** {@return whether {@link #share} was called} */
    public boolean isShared() {
        return (marks & 1) != 0;
    }

    /** {@return whether this was made during an execution of a node} */
    public boolean madeDuring(NodeRun run) {
        return nodeRun == run;
    }

    /** {@return the storage that has the elements: this, or that of sparse values} */
    Storage ofElements() {
        return this;
    }

    /** {@return whether another storage shares its memory} */
    public final boolean shares(Storage other) {
        return ofElements().equals(other.ofElements());
    }
}
