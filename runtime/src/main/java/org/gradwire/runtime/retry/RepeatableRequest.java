package org.gradwire.runtime.retry;

import org.gradwire.spi.Message;

/** A request of a peer that may arrive more than once. */
public interface RepeatableRequest {

    /** {@return the id of the peer} */
    int from();

    /** Pass the reply through a cache entry, for repetitions of this request. */
    void replyThrough(CachedReply entry);

    /** Send the reply to an earlier request. */
    void repeat(Message reply);

    /** Fail the request, and log the failure. */
    void fail(Throwable failure);

    /** Fail the request without a warning in the log: the failure is expected. */
    void refuse(Throwable failure);
}
