package org.gradwire.backend.netty;

import org.gradwire.spi.Message;

import java.util.concurrent.atomic.LongAdder;

/** Counts what goes on. Thread-safe. */
final class Statistics {
    final LongAdder messagesSent = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder messagesReceived = new LongAdder();
    final LongAdder bytesReceived = new LongAdder();
    final LongAdder messagesRefused = new LongAdder();
    final LongAdder connectionsRefused = new LongAdder();

    void sent(Message message) {
        messagesSent.increment();
        bytesSent.add(message.byteSize());
    }

    void received(Message message) {
        messagesReceived.increment();
        bytesReceived.add(message.byteSize());
    }
}
