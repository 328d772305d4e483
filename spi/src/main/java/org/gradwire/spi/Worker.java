package org.gradwire.spi;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A worker as its extensions see it. */
public interface Worker {

    /**
     * The policy of control messages: five retries, after 1, 1, 1.5, 2.25 and 3.375 s, of attempts
     * bounded by the worker's default timeout only. PyTorch's default.
     */
    RetryPolicy CONTROL_RETRY_POLICY =
            new RetryPolicy(5, Duration.ofSeconds(1), 1.5, RetryPolicy.UNBOUNDED);

    /**
     * Return the extension view of a worker.
     *
     * @throws IllegalArgumentException if it is not a worker of the installed runtime
     */
    static Worker of(Rpc rpc) {
        if (rpc instanceof Facade facade) {
            return facade.extensionView();
        }
        throw new IllegalArgumentException(
                rpc.getClass().getName() + " is not a worker of the installed runtime");
    }

    /** An {@link Rpc} of the installed runtime, through which extensions find its worker. */
    interface Facade {

        /** {@return the extension view of this worker} */
        Worker extensionView();
    }

    /** {@return the application's view of the worker} */
    Rpc rpc();

    /** {@return the worker's name and id} */
    WorkerInfo self();

    /**
     * {@return the number of earlier workers of the group with this id; ids that the worker assigns
     * must differ from theirs}
     */
    int incarnation();

    /** {@return whether the worker's group is dynamic: other workers may join later} */
    boolean inDynamicGroup();

    /** {@return the settings of the worker} */
    Settings settings();

    /**
     * Return the class for a name that a peer sent, without initializing it. Codecs look up classes
     * here: a name from a peer must never reach a class loader.
     *
     * @return the class if it, or a supertype, has an annotation of Gradwire; the caller checks for
     *     the annotation it expects. Empty if there is no such class
     */
    Optional<Class<?>> findMarkedClass(String name);

    /** {@return the worker's clock and timer, which may be simulated} */
    WorkerTime time();

    /**
     * {@return an unguessable number, for ids that serve as capabilities; in a simulation derived
     * from the seed}
     */
    long newSecret();

    /**
     * Return the worker's instance of an extension.
     *
     * @throws IllegalStateException when no extension of this class is installed
     */
    <E extends RpcExtension> E extension(Class<E> type);

    /**
     * Send a request of an extension's own type.
     *
     * @param body writes the payload; called once, on this thread
     * @param timeout {@link Duration#ZERO} means no timeout; null means the worker's default
     * @return completes with the body of the reply; its callbacks may run on a poller, so they must
     *     be short and must not block
     */
    RpcFuture<Input> request(int to, int type, Consumer<Output> body, @Nullable Duration timeout);

    /**
     * Announce that this thread probably waits again within microseconds; see {@link
     * RpcAgent#linger}.
     */
    default void linger() {}

    /**
     * Send a request of an extension's own type, repeatedly until its reply arrives. Receivers must
     * tolerate duplicates.
     *
     * @param body writes the payload; called once, on this thread
     * @param policy {@link #CONTROL_RETRY_POLICY}, or a policy of the extension
     * @return completes with the body of the reply, or with the failure of the last attempt
     */
    RpcFuture<Input> requestWithRetries(
            int to, int type, Consumer<Output> body, RetryPolicy policy);

    /**
     * {@return whether the calling thread serves a call: runs a function with arguments of a peer}
     */
    boolean isServing();

    /**
     * {@return an executor of virtual threads of this worker, on which {@link Rpc#current} works}
     */
    Executor executor();

    /**
     * Run a task after a delay, on a thread of {@link #executor}, unless the worker has stopped by
     * then.
     */
    void executeLater(Duration delay, Runnable task);
}
