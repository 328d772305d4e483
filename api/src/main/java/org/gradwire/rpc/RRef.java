package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A reference to a value on the worker that owns it (the <em>owner</em>); every other worker with a
 * reference is a <em>user</em>.
 *
 * <p>The owner keeps the value alive while a reference to it is open on any worker. A reference may
 * be an argument or a result of any call, alone or inside containers; a function starts only after
 * all references in its arguments are confirmed by their owners. The protocol is that of PyTorch's
 * <a href="https://pytorch.org/docs/stable/rpc/rref.html">Remote Reference Protocol</a>, made safe
 * against repeated and late messages.
 *
 * <p><b>Methods of the value</b> are called on the owner, without a copy: {@link RRefCalls}.
 *
 * <p><b>Release.</b> {@link #close()} releases the reference at once. An unreachable reference is
 * released after the garbage collector has found it; one still open at its worker's shutdown is
 * released then, and named in a warning.
 *
 * <p><b>Arguments.</b> A reference that a function receives, as an argument or inside one, is open
 * until the function has ended; that of an {@linkplain AsyncExecution asynchronous} one, until its
 * future is complete. Returning or sending it creates another reference. A function that stores it
 * calls {@link #retain()}. A value that the function leaves on its worker keeps these references
 * open as long as it is referenced itself: the result of a {@code remote} call, and a value that
 * the function passes to {@link Rpc#rref(Object)}, whose own reference counts until it is closed,
 * or collected after it was returned. Of lists, sets, maps, arrays, optionals and {@link WireValue}
 * records these are the references inside; tensors, numbers and strings have none; any other object
 * keeps all references of the call, since it may contain them. References in the result of a call
 * belong to its caller.
 *
 * @param <T> type of the value
 */
public interface RRef<T extends @Nullable Object> extends RRefCalls<T>, AutoCloseable {

    /** {@return whether this worker owns the value} */
    boolean isOwner();

    /** {@return whether the owner has confirmed this reference; always true on the owner} */
    boolean confirmedByOwner();

    /** {@return the worker that holds the value} */
    WorkerInfo owner();

    /**
     * Return the value: on the owner the object itself, on a user a copy fetched from there. Waits
     * until the value exists.
     *
     * @throws RuntimeException the failure of the function that makes the value
     * @throws RpcException when the reference was deleted, its creation failed, or the owner is
     *     lost; or, on a user, when the value is a module declared as its {@link ModuleInterface}
     */
    T toHere();

    /**
     * Return the value as {@link #toHere()}, with a timeout for the fetch. The owner ignores it.
     *
     * @param timeout more than zero
     * @throws RpcTimeoutException if no reply arrives in time
     * @throws IllegalArgumentException if the timeout is zero or negative
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
     * null} for null. Queries the owner once, and waits until the value exists.
     *
     * @throws RuntimeException the failure of the function that was to make the value
     * @throws RpcException as {@link #toHere()}
     */
    default String typeName() {
        return typeNameAsync().join();
    }

    /** {@return completes with {@link #typeName()}; the same future while it has not failed} */
    RpcFuture<String> typeNameAsync();

    /**
     * Return a future of the owner's confirmation of this reference.
     *
     * <p>It completes when the owner knows of the reference. Where this worker asked for the value
     * by {@code remote}, that is when the function has ended, also with an exception, which {@link
     * #toHere} throws. It fails with the failure of the request: with {@link RpcTimeoutException}
     * when the time of the {@code remote} call is up, and when this worker is shut down before.
     *
     * @return on a user the same future each time; already complete for a value of this worker that
     *     no {@code remote} call to itself makes
     */
    RpcFuture<@Nullable Void> confirmation();

    /**
     * Keep this reference open after the call that brought it; the program must close it. For a
     * function that stores an argument, or uses it on another thread later. Does nothing if the
     * reference belongs to the program already.
     *
     * {@snippet :
     * @RemoteCallable public static void register(RRef<Agent> agent) {
     *     AGENTS.add(agent.retain());
     * }
     * }
     *
     * @return this reference
     * @throws RpcException if it was closed, or released, before
     */
    RRef<T> retain();

    /**
     * Release the reference. The owner is notified a few milliseconds later, in a batch. Further
     * calls do nothing; further use of the reference fails. Never blocks.
     */
    @Override
    void close();
}
