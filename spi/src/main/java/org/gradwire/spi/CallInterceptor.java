package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/**
 * Intercepts every outbound and inbound call of a worker, and may add a header to its messages.
 * Distributed autograd records its graph this way.
 *
 * <p>A message with a header has the type of the interceptor and carries the plain message inside.
 * Headers of several interceptors nest in the order of their {@link #requestType}s, the largest
 * outermost; a reply mirrors its request.
 *
 * <p>A call, and the reply with its result, have the {@link org.gradwire.rpc.FunctionSchema} of the
 * function {@linkplain Output#attached attached}. The fetch of a value, and its reply, have none.
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
     * Intercept an outbound request, on the caller's thread, after its arguments were written.
     *
     * @param request its attachments and destination
     * @param contextual whether the call carries this thread's context even without anything to
     *     record: true for all except builtin operators
     * @param header the header to write
     * @return whether it was written
     */
    boolean onRequestOut(Output request, boolean contextual, Output header);

    /**
     * Intercept an inbound request with this interceptor's header, after its arguments were read.
     *
     * @param request its attachments and source
     * @return the scope of the request's function
     */
    CallScope onRequestIn(Input request, Input header);

    /**
     * {@return the scope of a function whose request has no header of this interceptor; null if it
     * needs none}
     *
     * <p>A thread that waits for a call may meanwhile serve another one, and is then still in its
     * own scope.
     */
    default @Nullable CallScope scopeWithoutHeader() {
        return null;
    }

    /** Intercept an inbound reply with this interceptor's header, after its value was read. */
    void onReplyIn(Input reply, Input header);

    /**
     * {@return the scope of the calling thread, to enter it on another thread; null if there is
     * none}
     */
    @Nullable CallScope currentScope();
}
