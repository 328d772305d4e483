package org.gradwire.spi;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

/**
 * Observes the calls that a worker makes and serves, each from its beginning to its end, for
 * tracing.
 *
 * <p>An observer belongs to one worker. Its methods are called from many threads; they are short
 * and never block. An exception of an observer is logged and fails no call.
 *
 * <p>An observer that sends data with a call also implements {@link CallInterceptor}: {@link
 * #outgoing} is called before the interceptors see the request, on the same thread.
 */
public interface CallObserver {

    /**
     * Begin to observe a call that this worker makes; the calling thread encodes its request next.
     *
     * @return the observation; null to ignore the call
     */
    @Nullable CallObservation outgoing(FunctionSchema function, WorkerInfo to);

    /**
     * Begin to observe a call that this worker serves; the calling thread runs the function next,
     * and is in the scopes that interceptors have made for the request.
     *
     * @return the observation; null to ignore the call
     */
    @Nullable CallObservation served(FunctionSchema function, WorkerInfo from);

    /**
     * {@return a callback of a future, wrapped so that it runs in the context of the calling
     * thread}
     */
    default Runnable carry(Runnable callback) {
        return callback;
    }
}
