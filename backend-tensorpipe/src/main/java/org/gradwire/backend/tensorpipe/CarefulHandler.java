package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;

/** Calls a handler so that what it throws ends nothing but its own call. */
record CarefulHandler(ReplyHandler handler, Statistics statistics) implements ReplyHandler {

    @Override
    public void onReply(Message reply) {
        Callbacks.run(statistics, () -> handler.onReply(reply));
    }

    @Override
    public void onFailure(RuntimeException failure) {
        Callbacks.run(statistics, () -> handler.onFailure(failure));
    }
}
