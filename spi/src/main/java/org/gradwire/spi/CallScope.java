package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/**
 * The context of an interceptor in which a request runs, such as an autograd context. A scope may
 * be entered on several threads at the same time.
 */
public interface CallScope {

    /**
     * Enter the scope on the calling thread.
     *
     * @return the argument of {@link #exit}
     */
    @Nullable Object enter();

    /** Exit the scope on the calling thread, and restore the previous one. */
    void exit(@Nullable Object entered);

    /**
     * Intercept the reply to a request of this scope, after its value was written, on the thread
     * that sends the reply.
     *
     * @param header the header of the interceptor's {@link CallInterceptor#replyType} to write
     * @return whether a header was written
     */
    boolean onReplyOut(Output reply, Output header);
}
