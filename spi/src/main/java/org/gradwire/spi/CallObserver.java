package org.gradwire.spi;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

/**
 * Learns of the calls of functions that a worker makes and serves, of each from its beginning to
 * its end. Tracing looks at calls this way.
 *
 * <p>An observer belongs to one worker. Its methods are called from many threads; they are short
 * and never block. One that throws is logged, and no call fails by it.
 *
 * <p>Whoever wants a call to carry something to its callee is a {@link CallInterceptor} too: {@link
 * #outgoing} is called before the interceptors see the request, on the same thread.
 */
public interface CallObserver {

    /**
     * Begin to observe a call that this worker makes; the calling thread encodes its request next.
     *
     * @return what learns how the call goes on; null when it is of no interest
     */
    @Nullable CallObservation outgoing(FunctionSchema function, WorkerInfo to);

    /**
     * Begin to observe a call that this worker serves; the calling thread runs the function next,
     * and is in the scopes that interceptors have made for the request.
     *
     * @return what learns how the call goes on; null when it is of no interest
     */
    @Nullable CallObservation served(FunctionSchema function, WorkerInfo from);

    /**
     * {@return a callback that a program gives to a future, made to take along what the calling
     * thread is in to the thread where it runs}
     */
    default Runnable carry(Runnable callback) {
        return callback;
    }
}
