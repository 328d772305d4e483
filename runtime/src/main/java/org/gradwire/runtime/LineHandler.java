package org.gradwire.runtime;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.function.IntSupplier;

/** Answers how many calls wait in line here. */
final class LineHandler implements RequestHandler {
    private final IntSupplier waiting;

    LineHandler(IntSupplier waiting) {
        this.waiting = waiting;
    }

    @Override
    public int requestType() {
        return MessageTypes.LINE_REQ;
    }

    @Override
    public boolean light() {
        return true;
    }

    @Override
    public void handle(IncomingRequest request) {
        request.reply(MessageTypes.LINE_ACK, out -> out.writeInt(waiting.getAsInt()));
    }
}
