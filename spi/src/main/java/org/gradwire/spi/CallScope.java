package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/**
 * What an interceptor ties to the running of a request: an autograd context, say. A scope may be
 * entered on several threads, also at the same time.
 */
public interface CallScope {

    /**
     * Tie the scope to the calling thread.
     *
     * @return what to give to {@link #exit}
     */
    @Nullable Object enter();

    /** Untie the scope from the calling thread, and restore what was there before. */
    void exit(@Nullable Object entered);

    /**
     * Look at the reply to a request of this scope, after its value was written. Runs on whichever
     * thread answers.
     *
     * @param header where to write the header of the interceptor's {@link
     *     CallInterceptor#replyType}
     * @return whether a header was written
     */
    boolean onReplyOut(Output reply, Output header);
}
