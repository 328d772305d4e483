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
 * is given up some time after the garbage collector finds it; one that is still open when its
 * worker leaves is given up then, and named in a warning.
 *
 * <p><b>Arguments.</b> A reference that a function receives, as an argument or inside one, is open
 * until the function has ended; that of an {@linkplain AsyncExecution asynchronous} one, until its
 * future is complete. Returning it, and sending it on, make references of their own. A function
 * that stores it calls {@link #retain()}. What the function leaves on its worker keeps references
 * as long as itself, and gives them up when nobody refers to it any more: the result of a {@code
 * remote} call, and a value that the function passes to {@link Rpc#rref(Object)}, whose own
 * reference counts until it is closed, or collected after it was returned. Of lists, sets, maps,
 * arrays, optionals and {@link WireValue} records these are the references inside; tensors, numbers
 * and strings have none; any other object keeps all references of the call, since it may have been
 * made of them. References in the result of a call belong to its caller.
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
     * Return how the request that brought this reference ended; the same on the owner as on a user.
     *
     * <p>It completes when the owner knows of the reference. Where this worker asked for the value
     * by {@code remote}, that is when the function has ended, also when it threw: what it threw is
     * the failure of the value, which {@link #toHere} throws. It fails with the failure of the
     * request: with {@link RpcTimeoutException} when the time of the {@code remote} call is up, and
     * when this worker is shut down before.
     *
     * @return the same future each time on a user; complete already for a value of this worker that
     *     it did not ask itself to make
     */
    RpcFuture<@Nullable Void> confirmation();

    /**
     * Keep this reference when the call that it came with has ended: it is the program's to close
     * then. A function does so with an argument that it stores, or uses on another thread later.
     * Does nothing to a reference that is the program's already.
     *
     * @return this reference
     * @throws RpcException when it was closed, or given up, before
     */
    RRef<T> retain();

    /**
     * Give the reference up. Its owner hears of it a moment later, together with others. Further
     * calls do nothing; further use of the value fails. Never blocks.
     */
    @Override
    void close();
}
