package org.gradwire.runtime.call;

import org.gradwire.runtime.flow.Flows;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.spi.PeerLog;

/**
 * The parts of a worker that replies need.
 *
 * @param incoming counts the requests without a reply yet
 * @param failedCalls logs functions that failed
 * @param failedRequests logs requests that failed before they reached a function
 */
record ReplyServices(
        CallServices calls,
        MessageFactory messages,
        Flows flows,
        InFlightCounter incoming,
        PeerLog failedCalls,
        PeerLog failedRequests) {

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.calls");

    ReplyServices(CallServices calls, Flows flows, InFlightCounter incoming) {
        this(
                calls,
                new MessageFactory(calls.codec()),
                flows,
                incoming,
                new PeerLog(LOGGER),
                new PeerLog(LOGGER));
    }
}
