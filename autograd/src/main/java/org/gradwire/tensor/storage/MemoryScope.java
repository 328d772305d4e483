package org.gradwire.tensor.storage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The storages of a {@link org.gradwire.tensor.TensorScope}: those that its thread makes while it
 * is the innermost scope, and those that are added. Confined to the thread that opened it.
 */
public final class MemoryScope implements AutoCloseable {
    private final ThreadState state;
    private final @Nullable MemoryScope outer;
    private List<CountedStorage> made = List.of();
    private boolean closed;

    private MemoryScope(ThreadState state) {
        this.state = state;
        this.outer = state.scope;
        state.scope = this;
    }

    /** Open a scope for the calling thread. */
    public static MemoryScope open() {
        return new MemoryScope(ThreadState.current());
    }

    /** Return the result of a computation whose storages belong to no scope. */
    public static <T extends @Nullable Object> T outside(Supplier<T> computation) {
        ThreadState state = ThreadState.current();
        MemoryScope open = state.scope;
        state.scope = null;
        try {
            return computation.get();
        } finally {
            state.scope = open;
        }
    }

    /** Add a storage that the thread has made. */
    void enter(CountedStorage storage) {
        storage.enter(this);
        if (made.isEmpty()) {
            made = new ArrayList<>();
        }
        made.add(storage);
    }

    /** Move a storage to the enclosing scope, if there is any; no effect on those of others. */
    public void keep(Storage storage) {
        if (storage instanceof CountedStorage counted && counted.scope() == this) {
            counted.enter(null);
            if (outer != null) {
                outer.enter(counted);
            }
        }
    }

    /**
     * Add a storage that belongs to no scope; no effect on others.
     *
     * @throws IllegalStateException if another thread calls it, or the scope is closed
     */
    public void add(Storage storage) {
        if (closed || state != ThreadState.current()) {
            throw new IllegalStateException(
                    "a TensorScope takes tensors from the thread that opened it, until it is closed");
        }
        if (storage instanceof CountedStorage counted && counted.isLoose()) {
            enter(counted);
        }
    }

    /**
     * Leave this scope as {@link #close} does, but defer the release.
     *
     * @return releases the memory that was not kept; any thread may run it, once
     * @throws IllegalStateException as {@link #close}
     */
    public Runnable leave() {
        end();
        return this::giveBack;
    }

    /**
     * Release the memory that was not kept. Closing twice does nothing.
     *
     * @throws IllegalStateException if another thread calls it, or a scope inside is still open
     */
    @Override
    public void close() {
        if (!closed) {
            end();
            giveBack();
        }
    }

    private void end() {
        if (state != ThreadState.current() || state.scope != this) {
            throw new IllegalStateException(
                    "a TensorScope must be closed by the thread that opened it, inner ones first");
        }
        closed = true;
        state.scope = outer;
    }

    private void giveBack() {
        for (CountedStorage storage : made) {
            storage.leave(this);
        }
        made = List.of();
    }
}
