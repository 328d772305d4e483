package org.gradwire.rpc;

import org.gradwire.rpc.RpcFunction.Action0;
import org.gradwire.rpc.RpcFunction.Action1;
import org.gradwire.rpc.RpcFunction.Action2;
import org.gradwire.rpc.RpcFunction.Action3;
import org.gradwire.rpc.RpcFunction.Action4;
import org.gradwire.rpc.RpcFunction.Action5;
import org.gradwire.rpc.RpcFunction.Action6;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFunction.Function5;
import org.gradwire.rpc.RpcFunction.Function6;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The calls a worker can make: five verbs, each for functions or actions of up to six arguments.
 *
 * <p>{@code rpcSync}, {@code rpcAsync} and {@code remote} take functions; {@code runSync} and
 * {@code runAsync} take actions, which return nothing. The two have different names so that a
 * reference to an overloaded method or constructor stays unambiguous. Keyword arguments and
 * defaults go through {@link Call}. The callee is given by its name, or as a {@link WorkerInfo}
 * ({@link MemberCalls}).
 *
 * <p><b>Arguments</b> are encoded before the method returns, on the caller's thread: what cannot be
 * sent fails here, before a byte leaves. Tensors are not copied: they must stay unmodified until
 * the call is done.
 */
public interface RpcCalls extends MemberCalls {

    /**
     * Call a function on a worker and return at once.
     *
     * @param to name of the callee; the own name is allowed and takes the same way
     * @param call the function and its arguments
     * @return completes with the function's result, or with what went wrong: an {@link
     *     RpcTimeoutException}, an {@link RpcConnectionException} when the callee is lost, or the
     *     function's own failure as a {@link RemoteFailure}
     * @throws IllegalArgumentException when the arguments do not fit the function's schema or
     *     cannot be sent
     * @throws RpcException when there is no such worker
     */
    <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Call<R> call);

    /**
     * Call a function on a worker and wait for its result.
     *
     * <p>As {@link #rpcAsync(String, Call)} followed by {@link RpcFuture#join()}.
     */
    default <R extends @Nullable Object> R rpcSync(String to, Call<R> call) {
        return rpcAsync(to, call).join();
    }

    /**
     * Call a function on a worker and leave its result there.
     *
     * <p>Returns at once. A failure of the function shows when the value is asked for; when the
     * creation itself fails or times out, the next {@link RRef#toHere()} or sending of the
     * reference says so.
     *
     * @return the reference, owned by {@code to}
     * @throws IllegalArgumentException when the arguments do not fit the function's schema or
     *     cannot be sent
     * @throws RpcException when there is no such worker
     */
    <R extends @Nullable Object> RRef<R> remote(String to, Call<R> call);

    /**
     * Return the same calls with another timeout.
     *
     * @param timeout how long a call may take; {@link Duration#ZERO} means without end
     */
    RpcCalls withTimeout(Duration timeout);

    /**
     * Return the same calls, each sent again until it is answered.
     *
     * <p>All attempts have the same request id and the same bytes. The callee knows the id and
     * answers a request that it has seen with what it has: so a call that succeeds has run its
     * function once, and one that fails has run it at most once. The timeout of the call bounds all
     * attempts together, and cancelling its future ends them.
     *
     * <p>Sent again is what could not be sent or was not answered in time. A failure of the
     * function is an answer. A callee that is gone, or has been restarted, fails the call with an
     * {@link RpcConnectionException}: a new one never runs what was asked of the old one. After the
     * last attempt the call fails with an {@link RpcException} whose cause is the failure of that
     * attempt; one of kind {@link RpcErrorKind#ANSWER_GONE} says that the callee had no room to
     * keep the answer until it was asked again.
     *
     * @param policy counts more than that of the function ({@link Retry}) and of the configuration
     *     ({@link RpcOptions.Builder#retry}); {@link RetryPolicy#NONE} switches those off
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

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(String to, Function5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
        return rpcSync(to, Call.ofOwn(function, a, b, c, d, e));
    }

    /** Call a function on a worker and wait for its result; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(
                    String to,
                    Function6<A, B, C, D, E, F, R> function,
                    A a,
                    B b,
                    C c,
                    D d,
                    E e,
                    F f) {
        return rpcSync(to, Call.ofOwn(function, a, b, c, d, e, f));
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

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(
                    String to, Function5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c, d, e));
    }

    /** Call a function on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(
                    String to,
                    Function6<A, B, C, D, E, F, R> function,
                    A a,
                    B b,
                    C c,
                    D d,
                    E e,
                    F f) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c, d, e, f));
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

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(
                    String to, Function5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
        return remote(to, Call.ofOwn(function, a, b, c, d, e));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(String, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(
                    String to,
                    Function6<A, B, C, D, E, F, R> function,
                    A a,
                    B b,
                    C c,
                    D d,
                    E e,
                    F f) {
        return remote(to, Call.ofOwn(function, a, b, c, d, e, f));
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

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object>
            void runSync(String to, Action5<A, B, C, D, E> action, A a, B b, C c, D d, E e) {
        rpcSync(to, Call.ofOwn(action, a, b, c, d, e));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object>
            void runSync(
                    String to, Action6<A, B, C, D, E, F> action, A a, B b, C c, D d, E e, F f) {
        rpcSync(to, Call.ofOwn(action, a, b, c, d, e, f));
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

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    String to, Action5<A, B, C, D, E> action, A a, B b, C c, D d, E e) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c, d, e));
    }

    /** Call an action on a worker; see {@link #rpcAsync(String, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    String to, Action6<A, B, C, D, E, F> action, A a, B b, C c, D d, E e, F f) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c, d, e, f));
    }
}
