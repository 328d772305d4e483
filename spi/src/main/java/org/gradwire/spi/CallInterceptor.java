package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/**
 * Sees every call that leaves or enters a worker, and may add a header of its own to the messages.
 * Distributed autograd records its graph this way.
 *
 * <p>A message with a header has the type of the interceptor and carries the plain message inside.
 * Where several interceptors add one, they nest in the order of their {@link #requestType}s, the
 * largest outermost; a reply mirrors its request.
 *
 * <p>A call, and the reply that brings its result, have the {@link org.gradwire.rpc.FunctionSchema}
 * of the function {@linkplain Output#noted noted}. The fetch of a value, and its reply, have none.
 *
 * <p>An interceptor belongs to one worker. Its methods are called from many threads; they are short
 * and never block.
 */
public interface CallInterceptor {

    /** {@return the type of requests that carry this interceptor's header} */
    int requestType();

    /** {@return the type of replies that carry this interceptor's header} */
    int replyType();

    /**
     * Look at a request that is about to leave; runs on the caller's thread after the arguments
     * were written.
     *
     * @param request what was written and noted, and where it goes
     * @param contextual whether the call wants to carry this thread's context although it may have
     *     nothing to record: true for all but builtin operators
     * @param header where to write the header; it can be read with the counterpart methods
     * @return whether a header was written
     */
    boolean onRequestOut(Output request, boolean contextual, Output header);

    /**
     * Look at a request that came in with this interceptor's header, after its arguments were read.
     *
     * @param request what was read and noted, and where it came from
     * @return the scope in which the request is to run
     */
    CallScope onRequestIn(Input request, Input header);

    /**
     * {@return the scope for a function whose request came in without this interceptor's header;
     * null when it needs none}
     *
     * <p>A thread that waits for a call may serve another one meanwhile, and is then still in its
     * own scope.
     */
    default @Nullable CallScope scopeWithoutHeader() {
        return null;
    }

    /** Look at a reply that came in with this interceptor's header, after its value was read. */
    void onReplyIn(Input reply, Input header);

    /**
     * {@return the scope that the calling thread is in, to take it along to another thread; null
     * when it is in none}
     */
    @Nullable CallScope currentScope();
}
