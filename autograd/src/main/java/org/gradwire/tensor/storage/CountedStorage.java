package org.gradwire.tensor.storage;

import org.gradwire.tensor.DType;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicInteger;

/** Reference-counted storage, whose memory is released with the last holder. */
public abstract sealed class CountedStorage extends Storage permits NativeStorage, DeviceStorage {
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger gradients = new AtomicInteger(); // tensors whose gradient it is
    private volatile boolean released;
    private @Nullable MemoryScope scope;

    CountedStorage(DType dtype, int length, @Nullable NodeRun nodeRun) {
        super(dtype, length, nodeRun);
    }

    /** {@return whether the memory is released with the last holder; false for foreign memory} */
    abstract boolean isOwned();

    /** Release the memory; called once. */
    abstract void free();

    /** Check that the memory was not released. */
    final void requireHeld() {
        if (released) {
            throw new IllegalStateException(
                    "this tensor's memory was released when its TensorScope was closed, or the call of a @NonRetaining function was over; keep it with scope.keep(tensor), use it inside, or take the mark off the function");
        }
    }

    @Override
    public final void retain() {
        int count;
        do {
            count = holders.get();
            if (count == 0) {
                throw new IllegalStateException("this memory was released already");
            }
        } while (!holders.compareAndSet(count, count + 1));
    }

    @Override
    public final void release() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("released more often than retained");
        }
        if (left == 0 && isOwned()) {
            released = true;
            free();
        }
    }

    final void enter(@Nullable MemoryScope newScope) {
        scope = newScope;
    }

    /** Release the scope's reference, unless it was kept or is a tensor's gradient. */
    final void leave(MemoryScope closing) {
        if (scope == closing) {
            scope = null;
            if (gradients.get() == 0) {
                released = true;
                release();
            }
        }
    }

    /** {@return whether it is owned, and belongs to no scope} */
    final boolean isLoose() {
        return isOwned() && scope == null && !released;
    }

    /** {@return the scope that will release it} */
    final @Nullable MemoryScope scope() {
        return scope;
    }

    @Override
    public final void giveBack() {
        if (isOwned() && gradients.get() == 0) {
            scope = null;
            release();
        }
    }

    @Override
    public final void escape() {
        scope = null;
    }

    @Override
    public final void beginGradient() {
        gradients.incrementAndGet();
    }

    @Override
    public final void endGradient() {
        gradients.decrementAndGet();
    }
}
