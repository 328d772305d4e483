package org.gradwire.tensor;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.kernel.Masks;
import org.gradwire.tensor.kernel.NativeMemory;
import org.gradwire.tensor.kernel.Strided;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * The memory of a tensor, shared by all views of it: an array, native memory when it is large, or
 * that of another device. That of a sparse tensor stands for its indices and values, has no
 * elements itself, and fails when it is asked for them.
 *
 * <p>Native memory is given back when it can no longer be reached, when the {@link TensorScope} it
 * was made in is closed, when a backward pass is done with the gradient in it, or, if a message
 * {@linkplain #retain retained} it, when that releases it afterwards.
 */
public abstract sealed class Storage
        permits HeapStorage, NativeStorage, DeviceStorage, SparseStorage {
    /**
     * From here on native memory is used. A fresh array costs its clearing and the touching of its
     * pages; a slab that a {@link TensorScope} or a backward pass gave back costs neither.
     * Measured, adding float32 tensors of 256 KiB: 32 us into a fresh array, 16 us into a slab that
     * comes back, 40 us into one that waits for the collector; of 1 MiB: 199, 105 and 175 us.
     */
    static final int NATIVE_FROM_BYTES = 1 << 16;

    private final DType dtype;
    private final int length;
    private final @Nullable Execution execution;
    private int version;
    private int marks; // in the lowest bit whether it is shared, above it the number of histories

    Storage(DType dtype, int length, @Nullable Execution execution) {
        this.dtype = dtype;
        this.length = length;
        this.execution = execution;
    }

    /** Return new memory; its contents may be anything unless it is to be cleared. */
    static Storage allocate(DType dtype, int length, boolean cleared) {
        ThreadState state = ThreadState.current();
        long bytes = (long) length * dtype.bytes();
        state.allocatedBytes += bytes;
        if (!state.device.isCpu()) {
            return DeviceStorage.allocate(dtype, length, state, cleared);
        }
        NativeMemory memory = bytes < NATIVE_FROM_BYTES ? null : NativeMemory.installed();
        if (memory == null) {
            return new HeapStorage(dtype, dtype.elements().array(length), length, state.execution);
        }
        var storage = new NativeStorage(dtype, length, memory.allocate(bytes), state.execution);
        if (cleared) {
            storage.segment().fill((byte) 0);
        }
        if (state.scope != null) {
            state.scope.add(storage);
        }
        return storage;
    }

    /**
     * Return a storage with what an array holds, which nobody else has: over the array itself, or a
     * copy where the thread is on another device.
     */
    static Storage ofArray(DType dtype, Object array, int length) {
        ThreadState state = ThreadState.current();
        var onHost = new HeapStorage(dtype, array, length, state.execution);
        if (state.device.isCpu()) {
            return onHost;
        }
        DeviceStorage storage = DeviceStorage.allocate(dtype, length, state, false);
        long bytes = (long) length * dtype.bytes();
        storage.memory().copyFromHost(onHost.segment().asSlice(0, bytes), 0);
        return storage;
    }

    /**
     * Return a storage over memory that came from elsewhere, without copying it where that is
     * possible: over the array under a heap segment when its type fits, or over a native segment.
     *
     * @param segment must not be written by anyone else from now on
     * @throws IllegalArgumentException when it is to be of bool and has a byte that is not 0 or 1
     */
    public static Storage over(DType dtype, MemorySegment segment) {
        Storage storage = unchecked(dtype, segment);
        int invalid =
                dtype == DType.BOOL
                        ? Masks.firstInvalid(
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
        Object fresh = dtype.elements().array(0);
        boolean whole = array != null && java.lang.reflect.Array.getLength(array) == length;
        if (whole && fresh.getClass().isInstance(array)) {
            return HeapStorage.over(dtype, array, length, segment);
        }
        var copy = new HeapStorage(dtype, dtype.elements().array(length), length, null);
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

    /** {@return whether elements may be written with {@link #write}: they lie in an array} */
    public boolean isArray() {
        return this instanceof HeapStorage;
    }

    /** Write elements into the payload of a message, without an object for each storage. */
    public void write(int from, int count, Output out) {
        ElementsOnWire.write(base(), from, count, out);
    }

    /** Read what {@link #write} has written into a new storage. */
    public static Storage read(DType dtype, int count, Input in) {
        return new HeapStorage(dtype, ElementsOnWire.read(dtype, count, in), count, null);
    }

    /** {@return the type of the elements} */
    public DType dtype() {
        return dtype;
    }

    /** {@return the number of elements} */
    public int length() {
        return length;
    }

    /** {@return where it lies} */
    public Device device() {
        return Device.CPU;
    }

    /** {@return whether it lies in native memory of the host} */
    public abstract boolean isNative();

    /**
     * {@return the memory itself: over an array, or native; not a copy}
     *
     * @throws IllegalStateException when it was released, or lies on another device than the host
     */
    public abstract MemorySegment segment();

    /**
     * Keep the memory from being given back until {@link #release}, whatever becomes of tensors and
     * scopes. May be called from any thread.
     *
     * @throws IllegalStateException when it was given back already
     */
    public abstract void retain();

    /** Undo one {@link #retain}. May be called from any thread. */
    public abstract void release();

    /**
     * Give the memory back now rather than when it is collected, or when the last who {@linkplain
     * #retain retained} it has released it. Only for who alone can see it, once; nothing happens
     * where it is no native memory of ours, or the gradient of a tensor.
     */
    void giveBack() {}

    /** Keep the memory beyond the scope it was made in, if any. */
    abstract void escape();

    /** A tensor has this as its gradient now, which keeps it when its scope is closed. */
    abstract void beginGradient();

    /** Undo one {@link #beginGradient}. */
    abstract void endGradient();

    /** {@return the array or the native segment, for kernels on the device it lies on} */
    abstract Object base();

    /** {@return the memory, for kernels on the device it lies on} */
    final MemorySegment bytes() {
        return base() instanceof MemorySegment segment ? segment : segment();
    }

    /**
     * {@return how often the elements were changed in place; a tensor kept for backward checks it}
     */
    public int version() {
        return version;
    }

    void changed() {
        version++;
    }

    /**
     * Take the place of another one for a tensor, which may have been kept for backward with any of
     * the versions before. No backward pass writes to it, and no scope ends it.
     */
    void replace(Storage other) {
        version = Math.max(version, other.version()) + 1;
        share();
        escape();
    }

    /**
     * Take the place of another one for what the graph keeps, with the elements that it expects.
     */
    void replaceUnchanged(Storage other) {
        version = other.version();
        share();
        escape();
    }

    /** {@return how often a recorded in-place operation gave the elements another history} */
    int histories() {
        return marks >>> 1;
    }

    void newHistory() {
        marks += 2;
    }

    /** Somebody else keeps this: a backward pass must neither write to it nor store it. */
    void share() {
        marks |= 1;
    }

    /** Say whether somebody else keeps this, as far as is known. */
    void shared(boolean known) {
        marks = known ? marks | 1 : marks & ~1;
    }

    /** {@return whether {@link #share} was called} */
    boolean isShared() {
        return (marks & 1) != 0;
    }

    /** {@return whether this was made during an execution of a node} */
    boolean madeDuring(Execution someExecution) {
        return execution == someExecution;
    }

    /** {@return whether another one has the same memory for its elements} */
    boolean shares(Storage other) {
        return other instanceof SparseStorage ? other.shares(this) : this == other;
    }
}
