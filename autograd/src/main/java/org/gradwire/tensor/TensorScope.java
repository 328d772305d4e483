package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gives the native memory of the tensors that a thread makes inside it back when it is closed,
 * instead of when they are collected. Worth it around each step of a loop over large tensors.
 *
 * {@snippet :
 * try (var scope = TensorScope.open()) {
 *     Tensor loss = model.forward(batch);
 *     loss.backward();
 *     last = scope.keep(loss.detach());
 * }
 * }
 *
 * <p>Kept are tensors given to {@link #keep}, what is in {@link Tensor#grad} at the end, and memory
 * that a message still needs. A loop that forgets the gradients within the scope, after the
 * optimizer's step, gives them back too. Any other tensor with native memory fails with a clear
 * error when it is used after the scope. Small tensors live on the heap and are not concerned.
 *
 * <p>Scopes nest. One belongs to the thread that opened it.
 */
public final class TensorScope implements AutoCloseable {
    private final ThreadState state;
    private final @Nullable TensorScope outer;
    private final List<NativeStorage> made = new ArrayList<>();
    private boolean closed;

    private TensorScope(ThreadState state) {
        this.state = state;
        this.outer = state.scope;
        state.scope = this;
    }

    /** Open a scope for this thread. */
    public static TensorScope open() {
        return new TensorScope(ThreadState.current());
    }

    /**
     * Return what a computation gives that runs as if no scope were open: for tensors that outlive
     * every step, such as what an optimizer keeps of its parameters.
     */
    public static <T extends @Nullable Object> T outside(Supplier<T> computation) {
        ThreadState state = ThreadState.current();
        TensorScope open = state.scope;
        state.scope = null;
        try {
            return computation.get();
        } finally {
            state.scope = open;
        }
    }

    void add(NativeStorage storage) {
        storage.enter(this);
        made.add(storage);
    }

    /**
     * Let a tensor outlive this scope. It then belongs to the scope around this one, if there is
     * any.
     *
     * @return the tensor
     */
    public Tensor keep(Tensor tensor) {
        if (tensor.storage() instanceof SparseStorage sparse) {
            keep(sparse.indices());
            keep(sparse.values());
        }
        if (tensor.storage() instanceof NativeStorage storage && storage.scope() == this) {
            storage.enter(null);
            if (outer != null) {
                outer.add(storage);
            }
        }
        return tensor;
    }

    /**
     * Give back what was not kept. Closing twice does nothing.
     *
     * @throws IllegalStateException when another thread calls it, or a scope inside is still open
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (state != ThreadState.current() || state.scope != this) {
            throw new IllegalStateException(
                    "a TensorScope must be closed by the thread that opened it, inner ones first");
        }
        closed = true;
        state.scope = outer;
        for (NativeStorage storage : made) {
            storage.leave(this);
        }
        made.clear();
    }
}
