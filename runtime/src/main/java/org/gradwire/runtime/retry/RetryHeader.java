package org.gradwire.runtime.retry;

/**
 * The additional header of a retried call's request.
 *
 * @param ended all retried calls of the caller to this callee with lower ids have ended
 * @param place the place where the callee joined the group; a later worker of its id has another
 */
public record RetryHeader(long ended, long place) {}
