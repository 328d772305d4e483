package org.gradwire.tensor;

import org.gradwire.tensor.kernel.NativeMemory;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/** A storage in native memory, with a count of those who need it. */
final class NativeStorage extends Storage {
    private final MemorySegment segment;
    private final NativeMemory.@Nullable Slab slab;
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger gradients = new AtomicInteger(); // tensors whose gradient it is
    private volatile boolean released;
    private @Nullable TensorScope scope;

    NativeStorage(DType dtype, int length, NativeMemory.Slab slab, @Nullable Execution execution) {
        super(dtype, length, execution);
        this.slab = slab;
        this.segment = slab.segment();
    }

    /** A storage over foreign memory, which is not ours to give back. */
    NativeStorage(DType dtype, int length, MemorySegment segment) {
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
                    "this tensor's memory was given back when its TensorScope was closed, or the call of a @Scoped function was over; keep it with scope.keep(tensor), use it inside, or take the mark off the function");
        }
        if (slab == null && !segment.scope().isAlive()) {
            throw new IllegalStateException(
                    "the Arena of the memory under this tensor was closed; keep it open for as long as the tensor is used, or copy the memory with Tensor.copyOf");
        }
        return segment;
    }

    @Override
    Object base() {
        return segment();
    }

    @Override
    public void retain() {
        int count;
        do {
            count = holders.get();
            if (count == 0) {
                throw new IllegalStateException("this memory was given back already");
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

    void enter(@Nullable TensorScope newScope) {
        scope = newScope;
    }

    /** End the life that the scope gave it, unless it was kept or is a tensor's gradient. */
    void leave(TensorScope closing) {
        if (scope == closing) {
            scope = null;
            if (gradients.get() == 0) {
                released = true;
                release();
            }
        }
    }

    /** {@return whether it is ours to give back, and belongs to no scope} */
    boolean isLoose() {
        return slab != null && scope == null && !released;
    }

    /** {@return the scope that will give it back} */
    @Nullable TensorScope scope() {
        return scope;
    }

    @Override
    void giveBack() {
        if (slab != null && gradients.get() == 0) {
            scope = null;
            release();
        }
    }

    @Override
    void escape() {
        scope = null;
    }

    @Override
    void beginGradient() {
        gradients.incrementAndGet();
    }

    @Override
    void endGradient() {
        gradients.decrementAndGet();
    }
}
