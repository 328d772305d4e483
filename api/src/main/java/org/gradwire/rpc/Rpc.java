package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A worker: a named member of a group of processes that call functions on one another.
 *
 * {@snippet :
 * try (Rpc rpc = Rpc.init(RpcOptions.builder("worker0").rank(0).worldSize(2).rendezvous("tcp://127.0.0.1:29500").build())) {
 *     Tensor y = rpc.rpcSync("worker1", Ops::add, a, b);
 * }
 * }
 *
 * <p>A JVM may hold several workers. All methods may be called from any thread. After shutdown
 * every call fails with {@code RPC has not been initialized}.
 */
public interface Rpc extends RpcCalls, AutoCloseable {

    /**
     * Join a group and return when all its members have.
     *
     * @throws RpcConfigurationException when something is missing, unknown or contradictory, or the
     *     backend cannot work here
     * @throws RpcException when the group does not come together in time, or two workers share a
     *     name
     */
    static Rpc init(RpcOptions options) {
        return RpcProvider.installed().init(options);
    }

    /**
     * Return the worker that executes the current thread's function or callback.
     *
     * @throws RpcException on a thread that no worker started
     */
    static Rpc current() {
        return RpcProvider.installed().current();
    }

    /** {@return this worker's name and id} */
    WorkerInfo self();

    /**
     * Return a member of the group by its name.
     *
     * @throws RpcException when there is none
     */
    WorkerInfo worker(String name);

    /**
     * Return a member of the group by its id.
     *
     * @throws RpcException when there is none
     */
    WorkerInfo worker(int id);

    /**
     * Return a member of the group that is known already: for code that takes a worker in any of
     * the three forms.
     *
     * @throws RpcException when the group has no such member
     */
    default WorkerInfo worker(WorkerInfo info) {
        if (!worker(info.id()).equals(info)) {
            throw new RpcException(
                    "%s is no member of this group; it has %s".formatted(info, workers()));
        }
        return info;
    }

    /** {@return the members of the group that can be called, by id} */
    List<WorkerInfo> workers();

    /** {@return how long a call may take that does not say otherwise} */
    Duration rpcTimeout();

    /**
     * Change how long later calls may take that do not say otherwise.
     *
     * @param timeout {@link Duration#ZERO} means without end
     */
    void rpcTimeout(Duration timeout);

    /**
     * Return a reference to a value that this worker owns. Made while a function runs for a call,
     * on its thread, it lets the value keep references that came with the call: see {@link RRef}.
     *
     * @throws TypeMismatchException when the value's class implements a {@link ModuleInterface}:
     *     say which, with {@link #rref(Object, Class)}
     */
    <T extends @Nullable Object> RRef<T> rref(T value);

    /**
     * Return a reference to a module that this worker owns and that others use through an
     * interface. It stays here: a user's {@link RRef#toHere} fails.
     *
     * @param moduleInterface an interface of the module that is marked {@link ModuleInterface}
     * @throws TypeMismatchException when the value implements no such interface, or not this one
     */
    <T> RRef<T> rref(T value, Class<T> moduleInterface);

    /**
     * Return a value as bytes, from which {@link #fromBytes} makes it again, on any worker of the
     * group.
     *
     * @param value anything that may be an argument of a call
     * @throws TypeMismatchException when it may not
     * @throws RpcException when it holds a reference and the thread has no {@link
     *     #savingReferences} open, or the owner of the reference cannot be told
     */
    byte[] toBytes(Object value);

    /**
     * Make a value from what {@link #toBytes} returned. References in it can be made once: the
     * bytes stood for them until now.
     *
     * @param type of the value; {@code Object.class} takes any
     * @return the value, when the owners of all references in it know of them
     * @throws RpcException of kind {@link RpcErrorKind#UNDECODABLE} when the bytes make no sense,
     *     of another when a reference was made from them before, or its owner cannot be told
     * @throws TypeMismatchException when the value is of another type
     */
    <T> T fromBytes(byte[] bytes, Class<T> type);

    /**
     * Let this thread save references with {@link #toBytes}, until the scope is closed.
     *
     * <p>Each reference in the bytes is one more to its owner, and keeps the value alive until the
     * bytes are read. <b>Bytes that nobody reads leak it</b>: the owner keeps the value and reports
     * it at its shutdown.
     */
    RpcScope savingReferences();

    /**
     * Use another codec for the calls of user functions that this thread makes through this worker,
     * until the scope is closed. Then it is the built-in one again, also when another codec was in
     * use before: such scopes do not nest.
     *
     * @param name of a codec that {@link RpcOptions.Builder#udfCodec} has registered
     * @throws IllegalArgumentException when there is none
     */
    RpcScope useUdfCodec(String name);

    /** Return a new future that the caller completes. */
    <T extends @Nullable Object> RpcPromise<T> promise();

    /** {@return the runner of script functions on this worker} */
    Script script();

    /** Open a scope that waits for the calls this thread makes in it. */
    WaitAll waitAll();

    /**
     * Return a future of the values of several futures.
     *
     * @return completes with the values, in the order of the futures, or fails as soon as one of
     *     them fails
     */
    default <T extends @Nullable Object> RpcFuture<List<T>> collectAll(
            Collection<? extends RpcFuture<? extends T>> futures) {
        return new CollectedFutures<T>(promise(), List.copyOf(futures)).result();
    }

    /**
     * Wait for several futures.
     *
     * @return their values, in the order of the futures
     * @throws RuntimeException the first failure, without waiting for the rest
     */
    default <T extends @Nullable Object> List<T> waitAll(
            Collection<? extends RpcFuture<? extends T>> futures) {
        return this.<T>collectAll(futures).join();
    }

    /**
     * Return this worker's instance of a class, made at the first request: state that belongs to
     * the worker rather than to the JVM.
     *
     * @param initial called at most once for each class
     */
    <T> T local(Class<T> type, Supplier<? extends T> initial);

    /** Wait until every worker of the group has called this; see {@link #barrier(Set)}. */
    default void barrier() {
        barrier(Set.of());
    }

    /**
     * Wait until every named worker has called this with the same names.
     *
     * @param names this worker's among them; empty means all
     * @throws RpcException when a worker does not arrive within the call timeout
     */
    void barrier(Set<String> names);

    /**
     * Exchange values among all workers; see {@link #allGather(Object, Set, Duration)}. Each
     * message has the call timeout; waiting for the others has no end as long as they live.
     */
    <T extends @Nullable Object> Map<String, T> allGather(T value);

    /**
     * Give one value and receive that of every named worker.
     *
     * <p>All of them must call this, in the same order where the same set is used repeatedly; calls
     * over different sets do not disturb one another.
     *
     * @param names this worker's among them; empty means all
     * @param timeout {@link Duration#ZERO} means without end, as long as the peers live
     * @return the values by worker name, equal everywhere
     * @throws RpcException when a worker does not arrive in time or is lost; the message names it
     */
    <T extends @Nullable Object> Map<String, T> allGather(
            T value, Set<String> names, Duration timeout);

    /** {@return figures about the worker's inside, by the keys of docs/debug-info.md} */
    Map<String, String> debugInfo();

    /**
     * Leave the group in an orderly way: wait until all its members do so too, let every call and
     * callback under way end, give up all references, then stop.
     *
     * <p>Every member must call it, on a thread of the program: not within a function that a peer
     * called, nor within a callback, which it would wait for. While waiting this worker keeps
     * serving. It stops in any case, also when an error is thrown. Further calls do nothing.
     *
     * @throws RpcException when a member was lost, or did not follow within the time, or references
     *     leaked and leaks are errors; or it was called within a call
     */
    default void shutdown() {
        shutdown(Duration.ZERO);
    }

    /**
     * As {@link #shutdown()}, but wait no longer than this for the others.
     *
     * @param timeout {@link Duration#ZERO} means without end
     */
    void shutdown(Duration timeout);

    /**
     * Leave at once. Own and peers' calls under way fail, those of peers with {@link
     * RpcConnectionException}. Further calls do nothing.
     *
     * @throws RpcException after all is stopped, when others still use values of this worker and
     *     leaks are errors
     */
    void shutdownNow();

    /** As {@link #shutdown()}. */
    @Override
    default void close() {
        shutdown();
    }
}
