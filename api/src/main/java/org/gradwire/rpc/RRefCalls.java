package org.gradwire.rpc;

import org.gradwire.rpc.RpcFunction.Action1;
import org.gradwire.rpc.RpcFunction.Action2;
import org.gradwire.rpc.RpcFunction.Action3;
import org.gradwire.rpc.RpcFunction.Action4;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Calls of methods of the value behind a reference, on its owner: five verbs, each for methods of
 * up to three arguments in addition to the value. {@link Call} takes more, and keywords.
 *
 * {@snippet :
 * RRef<Agent> agent = rpc.remote("worker1", Agent::new, 42L);
 * double reward = agent.rpcSync(Agent::play, 100);
 * }
 *
 * <p>The value is not copied: the method runs on the owner, with the object itself. Any remote
 * function may be called whose first parameter takes the value: an instance method of its class, or
 * a static method. A method marked {@link AsyncExecution} is awaited there. A failure to make the
 * value fails the call.
 *
 * <p>The counterpart of the proxies {@code rref.rpc_sync().f(x)}.
 *
 * @param <T> type of the value
 */
public interface RRefCalls<T extends @Nullable Object> {

    /**
     * Call a method of the value and return at once.
     *
     * @param method and its arguments, without the first one, which is the value
     * @return as {@link RpcCalls#rpcAsync(String, Call)}
     * @throws IllegalArgumentException when the arguments do not fit the method's schema or cannot
     *     be sent
     * @throws RpcException when the reference was closed
     */
    <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method);

    /**
     * Call a method of the value and wait for its result.
     *
     * <p>As {@link #rpcAsync(Call)} followed by {@link RpcFuture#join()}.
     */
    default <R extends @Nullable Object> R rpcSync(Call<R> method) {
        return rpcAsync(method).join();
    }

    /**
     * Call a method of the value and leave its result on the owner.
     *
     * @return as {@link RpcCalls#remote(String, Call)}
     */
    <R extends @Nullable Object> RRef<R> remote(Call<R> method);

    /**
     * Return the same calls with another timeout.
     *
     * @param timeout of each call, more than zero
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    RRefCalls<T> withTimeout(Duration timeout);

    /** Return the same calls without a timeout: {@link RpcCalls#withoutTimeout}. */
    RRefCalls<T> withoutTimeout();

    /** Return the same calls with retry: {@link RpcCalls#withRetry}. */
    RRefCalls<T> withRetry(RetryPolicy policy);

    /** Call a method of the value and wait for its result; see {@link #rpcSync(Call)}. */
    default <R extends @Nullable Object> R rpcSync(Function1<? super T, R> method) {
        return rpcSync(Call.of(method));
    }

    /** Call a method of the value and wait for its result; see {@link #rpcSync(Call)}. */
    default <A extends @Nullable Object, R extends @Nullable Object> R rpcSync(
            Function2<? super T, A, R> method, A a) {
        return rpcSync(Call.of(method, a));
    }

    /** Call a method of the value and wait for its result; see {@link #rpcSync(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            R rpcSync(Function3<? super T, A, B, R> method, A a, B b) {
        return rpcSync(Call.of(method, a, b));
    }

    /** Call a method of the value and wait for its result; see {@link #rpcSync(Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(Function4<? super T, A, B, C, R> method, A a, B b, C c) {
        return rpcSync(Call.of(method, a, b, c));
    }

    /** Call a method of the value; see {@link #rpcAsync(Call)}. */
    default <R extends @Nullable Object> RpcFuture<R> rpcAsync(Function1<? super T, R> method) {
        return rpcAsync(Call.of(method));
    }

    /** Call a method of the value; see {@link #rpcAsync(Call)}. */
    default <A extends @Nullable Object, R extends @Nullable Object> RpcFuture<R> rpcAsync(
            Function2<? super T, A, R> method, A a) {
        return rpcAsync(Call.of(method, a));
    }

    /** Call a method of the value; see {@link #rpcAsync(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RpcFuture<R> rpcAsync(Function3<? super T, A, B, R> method, A a, B b) {
        return rpcAsync(Call.of(method, a, b));
    }

    /** Call a method of the value; see {@link #rpcAsync(Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(Function4<? super T, A, B, C, R> method, A a, B b, C c) {
        return rpcAsync(Call.of(method, a, b, c));
    }

    /** Call a method of the value and leave its result there; see {@link #remote(Call)}. */
    default <R extends @Nullable Object> RRef<R> remote(Function1<? super T, R> method) {
        return remote(Call.of(method));
    }

    /** Call a method of the value and leave its result there; see {@link #remote(Call)}. */
    default <A extends @Nullable Object, R extends @Nullable Object> RRef<R> remote(
            Function2<? super T, A, R> method, A a) {
        return remote(Call.of(method, a));
    }

    /** Call a method of the value and leave its result there; see {@link #remote(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RRef<R> remote(Function3<? super T, A, B, R> method, A a, B b) {
        return remote(Call.of(method, a, b));
    }

    /** Call a method of the value and leave its result there; see {@link #remote(Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(Function4<? super T, A, B, C, R> method, A a, B b, C c) {
        return remote(Call.of(method, a, b, c));
    }

    /** Call a method without result and wait for its end; see {@link #rpcSync(Call)}. */
    default void runSync(Action1<? super T> method) {
        rpcSync(Call.of(method));
    }

    /** Call a method without result and wait for its end; see {@link #rpcSync(Call)}. */
    default <A extends @Nullable Object> void runSync(Action2<? super T, A> method, A a) {
        rpcSync(Call.of(method, a));
    }

    /** Call a method without result and wait for its end; see {@link #rpcSync(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object> void runSync(
            Action3<? super T, A, B> method, A a, B b) {
        rpcSync(Call.of(method, a, b));
    }

    /** Call a method without result and wait for its end; see {@link #rpcSync(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
            void runSync(Action4<? super T, A, B, C> method, A a, B b, C c) {
        rpcSync(Call.of(method, a, b, c));
    }

    /** Call a method without result; see {@link #rpcAsync(Call)}. */
    default RpcFuture<@Nullable Void> runAsync(Action1<? super T> method) {
        return rpcAsync(Call.of(method));
    }

    /** Call a method without result; see {@link #rpcAsync(Call)}. */
    default <A extends @Nullable Object> RpcFuture<@Nullable Void> runAsync(
            Action2<? super T, A> method, A a) {
        return rpcAsync(Call.of(method, a));
    }

    /** Call a method without result; see {@link #rpcAsync(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(Action3<? super T, A, B> method, A a, B b) {
        return rpcAsync(Call.of(method, a, b));
    }

    /** Call a method without result; see {@link #rpcAsync(Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(Action4<? super T, A, B, C> method, A a, B b, C c) {
        return rpcAsync(Call.of(method, a, b, c));
    }
}
