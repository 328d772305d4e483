package org.gradwire.rpc;

import org.gradwire.rpc.RpcFunction.Action0;
import org.gradwire.rpc.RpcFunction.Action1;
import org.gradwire.rpc.RpcFunction.Action2;
import org.gradwire.rpc.RpcFunction.Action3;
import org.gradwire.rpc.RpcFunction.Action4;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The calls a worker can make: five verbs, each for functions or actions of up to four arguments.
 *
 * <p>{@code rpcSync}, {@code rpcAsync} and {@code remote} take functions; {@code runSync} and
 * {@code runAsync} take actions, which return nothing. The two have different names so that a
 * reference to an overloaded method or constructor stays unambiguous. {@link Call} takes more
 * arguments, keyword arguments and defaults. The callee is named; that of a {@link WorkerInfo} is
 * its {@link WorkerInfo#name}.
 *
 * {@snippet :
 * double mean = rpc.rpcSync("worker1", Jobs::mean, values);
 * RpcFuture<Tensor> sum = rpc.withTimeout(Duration.ofSeconds(5)).rpcAsync("worker1", Ops::add, a, b);
 * RRef<Model> model = rpc.remote("worker1", Call.to(Model::new).args(2, 64, 64, 10, 7L));
 * }
 *
 * <p><b>Arguments</b> are encoded before the method returns, on the caller's thread: arguments that
 * cannot be sent fail here, before any byte is sent. Tensors are not copied: they must stay
 * unmodified until the call is done.
 */
public interface RpcCalls {

    /**
     * Call a function on a worker and return at once.
     *
     * @param to name of the callee; this worker may call itself
     * @param call the function and its arguments
     * @return completes with the function's result or a failure: an {@link RpcTimeoutException}, an
     *     {@link RpcConnectionException} if the callee is lost, or the function's own failure as a
     *     {@link RemoteFailure}
     * @throws IllegalArgumentException if the arguments do not fit the function's schema or cannot
     *     be sent
     * @throws RpcException if the group has no such worker
     */
    <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Call<R> call);

    /**
     * Call a function on a worker and wait for its result.
     *
     * <p>As {@link #rpcAsync(String, Call)} followed by {@link RpcFuture#join()}. An interrupt ends
     * the wait, not the call, which only the future of an asynchronous call can cancel.
     */
    default <R extends @Nullable Object> R rpcSync(String to, Call<R> call) {
        return rpcAsync(to, call).join();
    }

    /**
     * Call a function on a worker and leave its result there.
     *
     * <p>Returns at once. A failure of the function is thrown by {@link RRef#toHere()}; so is a
     * failed or timed-out creation, also when the reference is sent.
     *
     * @return the reference, owned by {@code to}
     * @throws IllegalArgumentException if the arguments do not fit the function's schema or cannot
     *     be sent
     * @throws RpcException if the group has no such worker
     */
    <R extends @Nullable Object> RRef<R> remote(String to, Call<R> call);

    /**
     * Return the same calls with another timeout.
     *
     * @param timeout of each call, more than zero
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    RpcCalls withTimeout(Duration timeout);

    /** Return the same calls without a timeout: only a reply or the loss of the peer ends them. */
    RpcCalls withoutTimeout();

    /**
     * Return the same calls with retry: each request is sent again until its reply arrives, or its
     * policy permits no further attempt.
     *
     * <p>All attempts have the same request id and the same bytes. The callee recognizes the id and
     * replies to a repeated request from its reply cache: a call that succeeds has run its function
     * once, a call that fails at most once. The timeout of the call bounds all attempts together,
     * and cancelling its future ends them.
     *
     * <p>A request is sent again if it could not be sent or its reply did not arrive in time. A
     * failure of the function is a reply. A callee that is lost, or was restarted, fails the call
     * with an {@link RpcConnectionException}: the new process never runs requests of the old one.
     * After the last attempt the call fails with an {@link RpcException} whose cause is the failure
     * of that attempt; the kind {@link RpcErrorKind#REPLY_GONE} says that the reply was no longer
     * in the callee's reply cache.
     *
     * @param policy takes precedence over that of the function ({@link Retry}) and of the
     *     configuration ({@link RpcOptions.Builder#retry}); {@link RetryPolicy#NONE} switches those
     *     off
     */
    RpcCalls withRetry(RetryPolicy policy);

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <R extends @Nullable Object> R rpcSync(String to, Function0<R> function) {
        return rpcSync(to, Call.ofOwn(function));
    }

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <A extends @Nullable Object, R extends @Nullable Object> R rpcSync(
            String to, Function1<A, R> function, A a) {
        return rpcSync(to, Call.ofOwn(function, a));
    }

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            R rpcSync(String to, Function2<A, B, R> function, A a, B b) {
        return rpcSync(to, Call.ofOwn(function, a, b));
    }

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(String to, Function3<A, B, C, R> function, A a, B b, C c) {
        return rpcSync(to, Call.ofOwn(function, a, b, c));
    }

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(String to, Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return rpcSync(to, Call.ofOwn(function, a, b, c, d));
    }

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Function0<R> function) {
        return rpcAsync(to, Call.ofOwn(function));
    }

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <A extends @Nullable Object, R extends @Nullable Object> RpcFuture<R> rpcAsync(
            String to, Function1<A, R> function, A a) {
        return rpcAsync(to, Call.ofOwn(function, a));
    }

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RpcFuture<R> rpcAsync(String to, Function2<A, B, R> function, A a, B b) {
        return rpcAsync(to, Call.ofOwn(function, a, b));
    }

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(String to, Function3<A, B, C, R> function, A a, B b, C c) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c));
    }

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(
                    String to, Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c, d));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <R extends @Nullable Object> RRef<R> remote(String to, Function0<R> function) {
        return remote(to, Call.ofOwn(function));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <A extends @Nullable Object, R extends @Nullable Object> RRef<R> remote(
            String to, Function1<A, R> function, A a) {
        return remote(to, Call.ofOwn(function, a));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RRef<R> remote(String to, Function2<A, B, R> function, A a, B b) {
        return remote(to, Call.ofOwn(function, a, b));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(String to, Function3<A, B, C, R> function, A a, B b, C c) {
        return remote(to, Call.ofOwn(function, a, b, c));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(String to, Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return remote(to, Call.ofOwn(function, a, b, c, d));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default void runSync(String to, Action0 action) {
        rpcSync(to, Call.ofOwn(action));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default <A extends @Nullable Object> void runSync(String to, Action1<A> action, A a) {
        rpcSync(to, Call.ofOwn(action, a));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object> void runSync(
            String to, Action2<A, B> action, A a, B b) {
        rpcSync(to, Call.ofOwn(action, a, b));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
            void runSync(String to, Action3<A, B, C> action, A a, B b, C c) {
        rpcSync(to, Call.ofOwn(action, a, b, c));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            void runSync(String to, Action4<A, B, C, D> action, A a, B b, C c, D d) {
        rpcSync(to, Call.ofOwn(action, a, b, c, d));
    }

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default RpcFuture<@Nullable Void> runAsync(String to, Action0 action) {
        return rpcAsync(to, Call.ofOwn(action));
    }

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default <A extends @Nullable Object> RpcFuture<@Nullable Void> runAsync(
            String to, Action1<A> action, A a) {
        return rpcAsync(to, Call.ofOwn(action, a));
    }

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(String to, Action2<A, B> action, A a, B b) {
        return rpcAsync(to, Call.ofOwn(action, a, b));
    }

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(String to, Action3<A, B, C> action, A a, B b, C c) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c));
    }

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    String to, Action4<A, B, C, D> action, A a, B b, C c, D d) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c, d));
    }
}
