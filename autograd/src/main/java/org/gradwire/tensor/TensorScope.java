package org.gradwire.tensor;

import org.gradwire.tensor.storage.MemoryScope;
import org.gradwire.tensor.storage.SparseStorage;
import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Scope that releases the native memory of the tensors that its thread makes when it is closed,
 * instead of when they are collected. Useful around each step of a loop over large tensors.
 *
 * {@snippet :
 * try (var scope = TensorScope.open()) {
 *     Tensor loss = model.forward(batch);
 *     loss.backward();
 *     last = scope.keep(loss.detach());
 * }
 * }
 *
 * <p>Tensors that a worker receives are made by no thread of the program: pass those that are used
 * only within the scope to {@link #add}, so that they are released with it.
 *
 * {@snippet :
 * try (var scope = TensorScope.open()) {
 *     Tensor product = scope.add(rpc.rpcSync("worker1", Ops::matmul, a, b));
 *     sum = sum + product.sum().item();
 * }
 * }
 *
 * <p>Kept are tensors given to {@link #keep}, what is in {@link Tensor#grad} at the end, and memory
 * that a message still needs. A loop that forgets the gradients within the scope, after the
 * optimizer's step, releases them too. Any other tensor with native memory fails with a clear error
 * when it is used after the scope. Small tensors live on the heap and are not concerned.
 *
 * <p>Scopes nest. One belongs to the thread that opened it.
 */
public final class TensorScope implements AutoCloseable {
    private final MemoryScope memory = MemoryScope.open();

    private TensorScope() {}

    /** Open a scope for this thread. */
    public static TensorScope open() {
        return new TensorScope();
    }

    /**
     * Return the result of a computation that runs outside all scopes: for tensors that outlive
     * every step, such as an optimizer's state.
     */
    public static <T extends @Nullable Object> T outside(Supplier<T> computation) {
        return MemoryScope.outside(computation);
    }

    /**
     * Move a tensor to the enclosing scope, if there is any, so that it outlives this one.
     *
     * @return the tensor
     */
    public Tensor keep(Tensor tensor) {
        if (tensor.storage() instanceof SparseStorage sparse) {
            keep(sparse.indices());
            keep(sparse.values());
        }
        memory.keep(tensor.storage());
        return tensor;
    }

    /**
     * Add a tensor that was made outside to this scope, such as the result of a call that is not
     * used elsewhere. Without effect for one that belongs to a scope already.
     *
     * @return the tensor
     * @throws IllegalStateException when another thread calls it, or the scope is closed
     */
    public Tensor add(Tensor tensor) {
        if (tensor.storage() instanceof SparseStorage sparse) {
            add(sparse.indices());
            add(sparse.values());
        }
        memory.add(tensor.storage());
        return tensor;
    }

    /**
     * Leave this scope as {@link #close} does, but defer the release.
     *
     * @return releases the memory that was not kept; any thread may run it, once
     * @throws IllegalStateException as {@link #close}
     */
    public Runnable leave() {
        return memory.leave();
    }

    /**
     * Release the memory that was not kept. Closing twice does nothing.
     *
     * @throws IllegalStateException when another thread calls it, or a scope inside is still open
     */
    @Override
    public void close() {
        memory.close();
    }
}
