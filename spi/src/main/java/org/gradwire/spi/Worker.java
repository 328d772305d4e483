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
     * Return the inside of a worker.
     *
     * @throws IllegalArgumentException when it is not one of the installed runtime's
     */
    static Worker of(Rpc rpc) {
        if (rpc instanceof Worker worker) {
            return worker;
        }
        throw new IllegalArgumentException(
                rpc.getClass().getName() + " is not a worker of the installed runtime");
    }

    /** {@return the worker as applications see it} */
    Rpc rpc();

    WorkerInfo self();

    /**
     * {@return how many workers had this one's id before it in its group; what it numbers must
     * differ from what they did}
     */
    int incarnation();

    /** {@return whether other workers may join its group after it} */
    boolean inDynamicGroup();

    /** {@return the settings of the worker} */
    Settings settings();

    /**
     * Return the class with a name that a peer sent, without initializing it. Codecs look classes
     * up here: a name that a peer chose must never reach a class loader.
     *
     * @return one that bears a mark of Gradwire, or inherits from one that does; the caller checks
     *     that it is the mark it expects. Empty when there is none
     */
    Optional<Class<?>> findMarkedClass(String name);

    /** {@return the worker's clock and timer, which may be those of a simulation} */
    WorkerTime time();

    /**
     * {@return a number that no peer can guess, for an id by which a worker shows that it was given
     * something; in simulated time it follows from the seed}
     */
    long newSecret();

    /**
     * Return the worker's instance of an extension.
     *
     * @throws IllegalStateException when no extension of this class is installed
     */
    <E extends RpcExtension> E extension(Class<E> type);

    /**
     * Send a request of one's own type.
     *
     * @param body writes what it says; called once, on this thread
     * @param timeout {@link Duration#ZERO} means without end; null means the worker's default
     * @return completes with what the reply says; its callbacks may run on a poller, so they must
     *     be short and must not block
     */
    RpcFuture<Input> request(int to, int type, Consumer<Output> body, @Nullable Duration timeout);

    /**
     * Send a request of one's own type until it is answered. Receivers must expect to see it more
     * than once.
     *
     * @param body writes what it says; called once, on this thread
     * @return completes with what the reply says, or with the failure after the last attempt
     */
    RpcFuture<Input> requestWithRetries(
            int to, int type, Consumer<Output> body, RetryPolicy policy);

    /**
     * {@return whether the calling thread runs a function that a worker of the group called, whose
     * arguments that worker chose}
     */
    boolean isServing();

    /**
     * {@return runs tasks on virtual threads of this worker, on which {@link Rpc#current} works}
     */
    Executor executor();

    /**
     * Run a task later, on a thread of {@link #executor}. It is not run when the worker has stopped
     * by then.
     */
    void executeLater(Duration delay, Runnable task);
}
