package org.gradwire.rpc.member;

/** The registration of a listener of {@link MemberEvent}s. Thread-safe. */
public interface MemberSubscription extends AutoCloseable {

    /** End the notifications; one that has begun continues. Further calls do nothing. */
    @Override
    void close();
}
