package org.gradwire.backend.tensorpipe;

import java.util.concurrent.atomic.LongAdder;

/** The metrics of an agent, for {@link org.gradwire.spi.RpcAgent#debugInfo}. Thread-safe. */
final class AgentMetrics {
    final LongAdder messagesSent = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder messagesReceived = new LongAdder();
    final LongAdder bytesReceived = new LongAdder();
    final LongAdder singleCopiesOffered = new LongAdder();
    final LongAdder singleCopiesRead = new LongAdder();
    final LongAdder singleCopiesFailed = new LongAdder();
    final LongAdder framesRejected = new LongAdder();
    final LongAdder messagesRefused = new LongAdder();
    final LongAdder logsRefused = new LongAdder();
    final LongAdder callbacksThrown = new LongAdder();
}
