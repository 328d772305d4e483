package org.gradwire.runtime.call;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.function.IntSupplier;

/** Replies with the number of calls that are queued on this worker. */
final class QueueDepthHandler implements RequestHandler {
    private final IntSupplier waiting;

    QueueDepthHandler(IntSupplier waiting) {
        this.waiting = waiting;
    }

    @Override
    public int requestType() {
        return MessageTypes.QUEUE_DEPTH_REQ;
    }

    @Override
    public boolean runsOnPoller() {
        return true;
    }

    @Override
    public void handle(IncomingRequest request) {
        request.reply(MessageTypes.QUEUE_DEPTH_ACK, out -> out.writeInt(waiting.getAsInt()));
    }
}
