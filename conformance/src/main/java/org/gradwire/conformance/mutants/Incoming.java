package org.gradwire.conformance.mutants;

import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

/** A request and the listener it is delivered to. */
record Incoming(AgentListener listener, int from, Message message, ReplySink replies) {

    void handIn() {
        listener.onRequest(from, message, replies);
    }

    Incoming with(Message newMessage) {
        return new Incoming(listener, from, newMessage, replies);
    }

    Incoming with(ReplySink newReplies) {
        return new Incoming(listener, from, message, newReplies);
    }

    Incoming from(int other) {
        return new Incoming(listener, other, message, replies);
    }
}
