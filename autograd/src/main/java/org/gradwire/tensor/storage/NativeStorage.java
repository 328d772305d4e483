package org.gradwire.tensor.storage;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** Reference-counted storage in native memory. */
public final class NativeStorage extends Storage {
    private final MemorySegment segment;
    private final NativeMemory.@Nullable Slab slab;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger gradients = new AtomicInteger(); // tensors whose gradient it is
    private volatile boolean released;
    private @Nullable TensorScope scope;

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
    public boolean isNative() {
        return true;
    }

    @Override
    public MemorySegment segment() {
        if (released) {
            throw new IllegalStateException(
                    "this tensor's memory was released when its TensorScope was closed, or the call of a @NonRetaining function was over; keep it with scope.keep(tensor), use it inside, or take the mark off the function");
        }
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

    @Override
    public void retain() {
        int count;
        do {
            count = holders.get();
            if (count == 0) {
                throw new IllegalStateException("this memory was released already");
            }
        } while (!holders.compareAndSet(count, count + 1));
    }

    @Override
    public void release() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("released more often than retained");
        }
        if (left == 0 && slab != null) {
            released = true;
            slab.release();
        }
    }

    public void enter(@Nullable TensorScope newScope) {
        scope = newScope;
    }

    /** Release the scope's reference, unless it was kept or is a tensor's gradient. */
    public void leave(TensorScope closing) {
        if (scope == closing) {
            scope = null;
            if (gradients.get() == 0) {
                released = true;
                release();
            }
        }
    }

    /** {@return whether it is owned, and belongs to no scope} */
    public boolean isLoose() {
        return slab != null && scope == null && !released;
    }

    /** {@return the scope that will release it} */
    public @Nullable TensorScope scope() {
        return scope;
    }

    @Override
    public void giveBack() {
        if (slab != null && gradients.get() == 0) {
            scope = null;
            release();
        }
    }

    @Override
    public void escape() {
        scope = null;
    }

    @Override
    public void beginGradient() {
        gradients.incrementAndGet();
    }

    @Override
    public void endGradient() {
        gradients.decrementAndGet();
    }
}
