package org.gradwire.tensor.storage;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** Storage in native memory of the host. */
public final class NativeStorage extends CountedStorage {
    private final MemorySegment segment;
    private final NativeMemory.@Nullable Slab slab;

    NativeStorage(DType dtype, int length, NativeMemory.Slab slab, @Nullable NodeRun nodeRun) {
        super(dtype, length, nodeRun);
        this.slab = slab;
        this.segment = slab.segment();
    }

    /** Storage over foreign memory, which is not released. */
    public NativeStorage(DType dtype, int length, MemorySegment segment) {
        super(dtype, length, null);
        this.slab = null;
        this.segment = segment;
    }

    @Override
    boolean isOwned() {
        return slab != null;
    }

    @Override
    void free() {
        if (slab != null) {
            slab.release();
        }
    }

    @Override
    public boolean isNative() {
        return true;
    }

    @Override
    public MemorySegment segment() {
        requireHeld();
        if (slab == null && !segment.scope().isAlive()) {
            throw new IllegalStateException(
                    "the Arena of the memory under this tensor was closed; keep it open for as long as the tensor is used, or copy the memory with Tensor.copyOf");
        }
        return segment;
    }

    @Override
    public Object base() {
        return segment();
    }
}
