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

/**
 * The calls of {@link RpcCalls} to a worker that is known as a {@link WorkerInfo}: {@link
 * Rpc#worker}, {@link Rpc#workers} and {@link RRef#owner} return one. They do what those with the
 * worker's name do.
 */
public interface MemberCalls {

    /**
     * Call a function on a worker and return at once; see {@link RpcCalls#rpcAsync(String, Call)}.
     *
     * @param to member of the group; this worker is one as well
     * @throws RpcException when the group has no such member
     */
    <R extends @Nullable Object> RpcFuture<R> rpcAsync(WorkerInfo to, Call<R> call);

    /**
     * Call a function on a worker and wait for its result.
     *
     * <p>As {@link #rpcAsync(WorkerInfo, Call)} followed by {@link RpcFuture#join()}.
     */
    default <R extends @Nullable Object> R rpcSync(WorkerInfo to, Call<R> call) {
        return rpcAsync(to, call).join();
    }

    /**
     * Call a function on a worker and leave its result there; see {@link RpcCalls#remote(String,
     * Call)}.
     *
     * @param to member of the group; this worker is one as well
     * @throws RpcException when the group has no such member
     */
    <R extends @Nullable Object> RRef<R> remote(WorkerInfo to, Call<R> call);

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <R extends @Nullable Object> R rpcSync(WorkerInfo to, Function0<R> function) {
        return rpcSync(to, Call.ofOwn(function));
    }

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <A extends @Nullable Object, R extends @Nullable Object> R rpcSync(
            WorkerInfo to, Function1<A, R> function, A a) {
        return rpcSync(to, Call.ofOwn(function, a));
    }

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            R rpcSync(WorkerInfo to, Function2<A, B, R> function, A a, B b) {
        return rpcSync(to, Call.ofOwn(function, a, b));
    }

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(WorkerInfo to, Function3<A, B, C, R> function, A a, B b, C c) {
        return rpcSync(to, Call.ofOwn(function, a, b, c));
    }

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(WorkerInfo to, Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return rpcSync(to, Call.ofOwn(function, a, b, c, d));
    }

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(
                    WorkerInfo to, Function5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
        return rpcSync(to, Call.ofOwn(function, a, b, c, d, e));
    }

    /**
     * Call a function on a worker and wait for its result; see {@link #rpcSync(WorkerInfo, Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            R rpcSync(
                    WorkerInfo to,
                    Function6<A, B, C, D, E, F, R> function,
                    A a,
                    B b,
                    C c,
                    D d,
                    E e,
                    F f) {
        return rpcSync(to, Call.ofOwn(function, a, b, c, d, e, f));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <R extends @Nullable Object> RpcFuture<R> rpcAsync(
            WorkerInfo to, Function0<R> function) {
        return rpcAsync(to, Call.ofOwn(function));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object, R extends @Nullable Object> RpcFuture<R> rpcAsync(
            WorkerInfo to, Function1<A, R> function, A a) {
        return rpcAsync(to, Call.ofOwn(function, a));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RpcFuture<R> rpcAsync(WorkerInfo to, Function2<A, B, R> function, A a, B b) {
        return rpcAsync(to, Call.ofOwn(function, a, b));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(WorkerInfo to, Function3<A, B, C, R> function, A a, B b, C c) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(
                    WorkerInfo to, Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c, d));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(
                    WorkerInfo to, Function5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
        return rpcAsync(to, Call.ofOwn(function, a, b, c, d, e));
    }

    /** Call a function on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> rpcAsync(
                    WorkerInfo to,
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
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
     */
    default <R extends @Nullable Object> RRef<R> remote(WorkerInfo to, Function0<R> function) {
        return remote(to, Call.ofOwn(function));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
     */
    default <A extends @Nullable Object, R extends @Nullable Object> RRef<R> remote(
            WorkerInfo to, Function1<A, R> function, A a) {
        return remote(to, Call.ofOwn(function, a));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
     */
    default <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RRef<R> remote(WorkerInfo to, Function2<A, B, R> function, A a, B b) {
        return remote(to, Call.ofOwn(function, a, b));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(WorkerInfo to, Function3<A, B, C, R> function, A a, B b, C c) {
        return remote(to, Call.ofOwn(function, a, b, c));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(WorkerInfo to, Function4<A, B, C, D, R> function, A a, B b, C c, D d) {
        return remote(to, Call.ofOwn(function, a, b, c, d));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
     */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    R extends @Nullable Object>
            RRef<R> remote(
                    WorkerInfo to, Function5<A, B, C, D, E, R> function, A a, B b, C c, D d, E e) {
        return remote(to, Call.ofOwn(function, a, b, c, d, e));
    }

    /**
     * Call a function on a worker and leave its result there; see {@link #remote(WorkerInfo,
     * Call)}.
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
                    WorkerInfo to,
                    Function6<A, B, C, D, E, F, R> function,
                    A a,
                    B b,
                    C c,
                    D d,
                    E e,
                    F f) {
        return remote(to, Call.ofOwn(function, a, b, c, d, e, f));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default void runSync(WorkerInfo to, Action0 action) {
        rpcSync(to, Call.ofOwn(action));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object> void runSync(WorkerInfo to, Action1<A> action, A a) {
        rpcSync(to, Call.ofOwn(action, a));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object> void runSync(
            WorkerInfo to, Action2<A, B> action, A a, B b) {
        rpcSync(to, Call.ofOwn(action, a, b));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
            void runSync(WorkerInfo to, Action3<A, B, C> action, A a, B b, C c) {
        rpcSync(to, Call.ofOwn(action, a, b, c));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            void runSync(WorkerInfo to, Action4<A, B, C, D> action, A a, B b, C c, D d) {
        rpcSync(to, Call.ofOwn(action, a, b, c, d));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object>
            void runSync(WorkerInfo to, Action5<A, B, C, D, E> action, A a, B b, C c, D d, E e) {
        rpcSync(to, Call.ofOwn(action, a, b, c, d, e));
    }

    /** Call an action on a worker and wait for its end; see {@link #rpcSync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object>
            void runSync(
                    WorkerInfo to, Action6<A, B, C, D, E, F> action, A a, B b, C c, D d, E e, F f) {
        rpcSync(to, Call.ofOwn(action, a, b, c, d, e, f));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default RpcFuture<@Nullable Void> runAsync(WorkerInfo to, Action0 action) {
        return rpcAsync(to, Call.ofOwn(action));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object> RpcFuture<@Nullable Void> runAsync(
            WorkerInfo to, Action1<A> action, A a) {
        return rpcAsync(to, Call.ofOwn(action, a));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(WorkerInfo to, Action2<A, B> action, A a, B b) {
        return rpcAsync(to, Call.ofOwn(action, a, b));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <A extends @Nullable Object, B extends @Nullable Object, C extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    WorkerInfo to, Action3<A, B, C> action, A a, B b, C c) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    WorkerInfo to, Action4<A, B, C, D> action, A a, B b, C c, D d) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c, d));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    WorkerInfo to, Action5<A, B, C, D, E> action, A a, B b, C c, D d, E e) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c, d, e));
    }

    /** Call an action on a worker; see {@link #rpcAsync(WorkerInfo, Call)}. */
    default <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    E extends @Nullable Object,
                    F extends @Nullable Object>
            RpcFuture<@Nullable Void> runAsync(
                    WorkerInfo to, Action6<A, B, C, D, E, F> action, A a, B b, C c, D d, E e, F f) {
        return rpcAsync(to, Call.ofOwn(action, a, b, c, d, e, f));
    }
}
