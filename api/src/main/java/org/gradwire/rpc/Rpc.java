package org.gradwire.rpc;

import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberSubscription;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

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
     * Join a group and return when all its members have joined.
     *
     * @throws RpcConfigurationException if a setting is missing, unknown or contradictory, or the
     *     backend cannot work here
     * @throws RpcException if the group does not form in time, or two workers share a name
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
     * @throws RpcException if the group has no such member
     */
    WorkerInfo worker(String name);

    /**
     * Return a member of the group by its id.
     *
     * @throws RpcException if the group has no such member
     */
    WorkerInfo worker(int id);

    /** {@return the members of the group that can be called, by id} */
    List<WorkerInfo> workers();

    /**
     * Return the members of the group whose names match a pattern, to call them together.
     *
     * @param pattern in which {@code *} matches any text, also none, and {@code ?} one character
     * @throws RpcException if no member matches; the message names the members
     */
    WorkerGroup workers(String pattern);

    /**
     * Return members of the group by their names, to call them together.
     *
     * @param names in any order, each once
     * @throws RpcException if the group has no such member
     * @throws IllegalArgumentException if there are none, or a name occurs twice
     */
    WorkerGroup workers(Collection<String> names);

    /**
     * {@return the members of the group by its last change that this worker knows, including those
     * to which it is connecting}
     */
    GroupView view();

    /**
     * {@return the number of members with which the programs of a dynamic group continue after a
     * loss, by the setting {@code gradwire.quorum}; the number of workers in a static group}
     */
    int quorum();

    /** {@return whether workers join and leave the group at any time} */
    boolean isDynamic();

    /**
     * Wait until the members of a dynamic group satisfy a condition.
     *
     * {@snippet :
     * GroupView view = rpc.awaitView(v -> v.members().size() >= 4, Duration.ofMinutes(1));
     * }
     *
     * @param timeout more than zero
     * @return the first view that satisfies it
     * @throws RpcTimeoutException if none does in time
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    GroupView awaitView(Predicate<GroupView> condition, Duration timeout);

    /**
     * Notify a listener of each later change of the group's members: one at a time, in the order of
     * their views, which is the same on all members. It runs on its own thread, and may block and
     * make calls. To miss no change, call {@link #view} after this method: its number shows which
     * events it includes.
     *
     * {@snippet :
     * rpc.onMember(event -> LOG.log(Level.INFO, "{0}", event)); // worker1 LOST (incarnation 2), view 5 of [worker0]
     * }
     *
     * @throws RpcException in a static group, whose members do not change; set {@code
     *     gradwire.group=dynamic}
     */
    MemberSubscription onMember(Consumer<? super MemberEvent> listener);

    /** {@return the default timeout of calls; empty if the worker was configured without one} */
    Optional<Duration> rpcTimeout();

    /**
     * Set the default timeout of later calls.
     *
     * @param timeout more than zero; for single calls without a timeout see {@link #withoutTimeout}
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    void rpcTimeout(Duration timeout);

    /**
     * Return a reference to a value that this worker owns. Within a function that a peer called,
     * the value keeps the references among the function's arguments open: see {@link RRef}.
     *
     * @throws TypeMismatchException if the value's class implements a {@link ModuleInterface}: name
     *     it with {@link #rref(Object, Class)}
     */
    <T extends @Nullable Object> RRef<T> rref(T value);

    /**
     * Return a reference to a module that this worker owns and that others use through an
     * interface. The module stays here: a user's {@link RRef#toHere} fails.
     *
     * @param moduleInterface an interface of the module that is marked {@link ModuleInterface}
     * @throws TypeMismatchException if the value does not implement this interface, or it is not
     *     marked
     */
    <T> RRef<T> rref(T value, Class<T> moduleInterface);

    /** {@return the serialization of this worker's values} */
    Serialization serialization();

    /** {@return the objects that belong to this worker rather than to the JVM} */
    WorkerLocals locals();

    /** Return a new future for the program to complete. */
    <T extends @Nullable Object> RpcPromise<T> promise();

    /**
     * Return a future that completes as a stage of the JDK does, for functions marked {@link
     * AsyncExecution} whose result comes from a library of {@link
     * java.util.concurrent.CompletableFuture}s.
     *
     * <p>A failure keeps its type if it is a {@link RuntimeException}; any other becomes the cause
     * of an {@link RpcException}. Cancelling the future does not cancel the stage. The other
     * direction is {@link RpcFuture#toCompletableFuture}.
     *
     * {@snippet :
     * @AsyncExecution
     * @RemoteCallable
     * public static RpcFuture<String> fetch(String uri) {
     *     return Rpc.current().future(CLIENT.sendAsync(request(uri), BodyHandlers.ofString()).thenApply(HttpResponse::body));
     * }
     * }
     */
    default <T extends @Nullable Object> RpcFuture<T> future(CompletionStage<? extends T> stage) {
        return CollectedFutures.Stages.follow(this.<T>promise(), stage);
    }

    /** {@return the runner of script functions on this worker} */
    Script script();

    /**
     * Open a scope that collects the calls this thread makes, and waits for them when it is closed.
     * For existing futures see {@link #collectAll}.
     */
    WaitAll waitAll();

    /**
     * Return a future of the values of several futures.
     *
     * {@snippet :
     * List<Tensor> outputs = rpc.collectAll(calls).join();
     * }
     *
     * @return completes with the values, in the order of the futures, or fails as soon as one of
     *     them fails
     */
    default <T extends @Nullable Object> RpcFuture<List<T>> collectAll(
            Collection<? extends RpcFuture<? extends T>> futures) {
        return new CollectedFutures<T>(promise(), List.copyOf(futures)).result();
    }

    /** Wait until every worker of the group has called this method; see {@link #barrier(Set)}. */
    default void barrier() {
        barrier(Set.of());
    }

    /**
     * Wait until every named worker has called this method with the same names.
     *
     * @param names this worker's among them; empty means all
     * @throws RpcException if a worker does not arrive within the call timeout
     */
    void barrier(Set<String> names);

    /** Exchange values among all workers; see {@link #allGather(Object, Set)}. */
    default <T extends @Nullable Object> Map<String, T> allGather(T value) {
        return allGather(value, Set.of());
    }

    /**
     * Send one value to every named worker, and return the values of all. Each message has the call
     * timeout; the wait for the other workers ends only when all values have arrived or a worker is
     * lost.
     *
     * {@snippet :
     * Map<String, Double> losses = rpc.allGather(loss);
     * }
     *
     * <p>All of them must call this method, in the same order if the same set is used repeatedly;
     * calls over different sets are independent.
     *
     * @param names this worker's among them; empty means all
     * @return the values by worker name, equal everywhere
     * @throws RpcException if a worker is lost; the message names it
     */
    <T extends @Nullable Object> Map<String, T> allGather(T value, Set<String> names);

    /**
     * Exchange values as {@link #allGather(Object, Set)}, with a timeout.
     *
     * @param timeout more than zero
     * @throws RpcException if a worker does not arrive in time or is lost; the message names it
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    <T extends @Nullable Object> Map<String, T> allGather(
            T value, Set<String> names, Duration timeout);

    /** {@return the metrics of this worker, by the keys of docs/debug-info.md} */
    Map<String, String> debugInfo();

    /**
     * Leave the group in an orderly way: wait until all its members do so too, let calls and
     * callbacks in flight end, release all references, then stop.
     *
     * <p>Every member must call it, on a thread of the program: not within a function that a peer
     * called, nor within a callback, since it waits for both. This worker serves calls while it
     * waits. It stops in any case, also when an error is thrown. Further calls do nothing.
     *
     * @throws RpcException if a member was lost; if references leaked and leaks are errors; or
     *     within a call
     */
    void shutdown();

    /**
     * As {@link #shutdown()}, but wait no longer than this for the others.
     *
     * @param timeout more than zero
     * @throws RpcException also if a member did not follow in time
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    void shutdown(Duration timeout);

    /**
     * Leave at once. Calls in flight fail, those of peers with {@link RpcConnectionException}.
     * Further calls do nothing.
     *
     * @throws RpcException after everything is stopped, if others still use values of this worker
     *     and leaks are errors
     */
    void shutdownNow();

    /** Leave the group as {@link #shutdown()}. */
    @Override
    default void close() {
        shutdown();
    }
}
