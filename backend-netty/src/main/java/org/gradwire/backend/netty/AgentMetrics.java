package org.gradwire.backend.netty;

import org.gradwire.spi.Message;

import java.util.concurrent.atomic.LongAdder;

/** Counters of messages and connections. Thread-safe. */
final class AgentMetrics {
    final LongAdder messagesSent = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder messagesReceived = new LongAdder();
    final LongAdder bytesReceived = new LongAdder();
    final LongAdder messagesRefused = new LongAdder();
    final LongAdder connectionsRefused = new LongAdder();
    final LongAdder certificatesRenewed = new LongAdder();

    void sent(Message message) {
        messagesSent.increment();
        bytesSent.add(message.byteSize());
    }

    void received(Message message) {
        messagesReceived.increment();
        bytesReceived.add(message.byteSize());
    }
}
