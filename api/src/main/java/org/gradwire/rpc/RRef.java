package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A reference to a value on the worker that owns it (the <em>owner</em>); every other worker that
 * holds one is a <em>user</em>.
 *
 * <p>The owner keeps the value alive while any reference to it is open, wherever it was sent. A
 * reference may be an argument or a result of any call, alone or inside containers; a function
 * starts only after all references in its arguments are confirmed by their owners. The protocol is
 * that of PyTorch's <a href="https://pytorch.org/docs/stable/rpc/rref.html">Remote Reference
 * Protocol</a>, made safe against repeated and late messages.
 *
 * <p><b>Methods of the value</b> are called on the owner, without a copy: {@link ReferentCalls}.
 *
 * <p><b>Release.</b> {@link #close()} gives the reference up at once. One that becomes unreachable
 * is given up some time after the garbage collector finds it.
 *
 * @param <T> type of the value
 */
public interface RRef<T extends @Nullable Object> extends ReferentCalls<T>, AutoCloseable {

    /** {@return whether this worker owns the value} */
    boolean isOwner();

    /** {@return whether the owner knows of this reference; always true on the owner} */
    boolean confirmedByOwner();

    /** {@return the worker that holds the value} */
    WorkerInfo owner();

    /** {@return the name of the worker that holds the value} */
    default String ownerName() {
        return owner().name();
    }

    /**
     * Return the value: on the owner the object itself, on a user a copy fetched from there. Waits
     * until the value exists.
     *
     * @throws RuntimeException the failure of the function that was to make the value
     * @throws RpcException when the reference was deleted, its creation failed, or the owner is
     *     lost; or on a user, when the value is a module that was declared as its {@link
     *     ModuleInterface}
     */
    T toHere();

    /**
     * As {@link #toHere()}, with a timeout of its own for the fetch. The owner ignores it.
     *
     * @param timeout {@link Duration#ZERO} means without end
     */
    T toHere(Duration timeout);

    /**
     * Return the value on its owner, without a copy. Waits until it exists.
     *
     * @throws RpcException on a user
     */
    T localValue();

    /**
     * Return the full name of the class of the value, as {@link Class#getName} gives it, or {@code
     * null} for null. Asked of the owner once, and waits until the value exists.
     *
     * @throws RuntimeException the failure of the function that was to make the value
     * @throws RpcException as {@link #toHere()}
     */
    default String typeName() {
        return typeNameAsync().join();
    }

    /**
     * As {@link #typeName()}, waiting no longer than this.
     *
     * @throws RpcTimeoutException when the owner has not answered by then
     */
    default String typeName(Duration timeout) {
        return typeNameAsync().join(timeout);
    }

    /** {@return completes with {@link #typeName()}; the same future while it has not failed} */
    RpcFuture<String> typeNameAsync();

    /**
     * {@return completes when the owner knows of this reference, and so with the value when this
     * worker asked for it by {@code remote}; fails when the request did}
     */
    RpcFuture<@Nullable Void> confirmation();

    /**
     * Give the reference up. Its owner hears of it a moment later, together with others. Further
     * calls do nothing; further use of the value fails. Never blocks.
     */
    @Override
    void close();
}
