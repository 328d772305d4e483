package org.gradwire.autograd.distributed;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The message that names the sent messages of its receiver that take part in a pass: {@link
 * MessageTypes#DISCOVER_AUTOGRAD_REQ}.
 */
final class DiscoveryMessage {

    private static final int SEND_BYTES = 8;

    private DiscoveryMessage() {}

    static void send(
            ContextState context,
            long passId,
            int to,
            List<Long> messageIds,
            Consumer<@Nullable RuntimeException> whenAnswered) {
        Consumer<Output> body =
                out -> {
                    context.key().write(out);
                    out.writeLong(passId);
                    out.writeInt(messageIds.size());
                    messageIds.forEach(out::writeLong);
                };
        PassMessage.send(context, to, MessageTypes.DISCOVER_AUTOGRAD_REQ, body, whenAnswered);
    }

    /** Handles the message: replies when everything on which the named messages depend is found. */
    static final class Handler implements RequestHandler {
        private final ContextContainer contexts;
        private final DistributedEngine engine;

        Handler(ContextContainer contexts, DistributedEngine engine) {
            this.contexts = contexts;
            this.engine = engine;
        }

        @Override
        public int requestType() {
            return MessageTypes.DISCOVER_AUTOGRAD_REQ;
        }

        /** It only finds the executor that follows the graph. */
        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            Input in = request.body();
            ContextState context = contexts.lookup(ContextKey.read(in));
            long passId = in.readLong();
            PassMessage.take(request, context, passId, () -> explore(request, context, passId));
        }

        private void explore(IncomingRequest request, ContextState context, long passId) {
            Input in = request.body();
            int count = in.readCount(in.remaining(), SEND_BYTES);
            if (count == 0) {
                throw new DecodingException("a discovery names no message");
            }
            List<SendRpcBackward> sends = new ArrayList<>(); // grows only by messages known here
            for (int i = 0; i < count; i++) {
                sends.add(context.send(in.readLong(), request.from()));
            }
            BackwardFailures.whenDone(
                    engine.joinDiscovery(context, passId).explore(sends),
                    failure ->
                            PassMessage.answer(
                                    request, MessageTypes.DISCOVER_AUTOGRAD_RESP, failure));
        }
    }
}
