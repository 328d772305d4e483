package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * The message that carries gradients from a receive function to its send function: {@link
 * MessageTypes#BACKWARD_AUTOGRAD_REQ}.
 */
final class GradientMessage {
    private static final int MAX_GRADIENTS = 1 << 20;

    private GradientMessage() {}

    static void send(
            ContextState context,
            BackwardPass pass,
            int to,
            long messageId,
            Tensor[] gradients,
            boolean retainGraph,
            Consumer<@Nullable RuntimeException> whenAnswered) {
        Consumer<Output> body =
                out -> {
                    context.key().write(out);
                    out.writeLong(messageId);
                    out.writeLong(pass.id());
                    out.writeBoolean(retainGraph);
                    out.writeInt(gradients.length);
                    for (Tensor gradient : gradients) {
                        // The receiver moves it to its tensor's device.
                        out.writeValue(gradient.detach().to(Device.CPU));
                    }
                };
        PassMessage.send(context, to, MessageTypes.BACKWARD_AUTOGRAD_REQ, body, whenAnswered);
    }

    /**
     * Handles gradients. The first message of a pass makes this worker take part in it; each copy
     * of it gets its reply when that part is done, with everything that it caused elsewhere. The
     * others get theirs immediately.
     */
    static final class Handler implements RequestHandler {
        private final ContextContainer contexts;
        private final DistributedEngine engine;

        Handler(ContextContainer contexts, DistributedEngine engine) {
            this.contexts = contexts;
            this.engine = engine;
        }

        @Override
        public int requestType() {
            return MessageTypes.BACKWARD_AUTOGRAD_REQ;
        }

        /** It only finds the executor that runs the graph. */
        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            Input in = request.body();
            ContextState context = contexts.lookup(ContextKey.read(in));
            long messageId = in.readLong();
            long passId = in.readLong();
            PassMessage.take(
                    request, context, passId, () -> feed(request, context, messageId, passId));
        }

        private void feed(
                IncomingRequest request, ContextState context, long messageId, long passId) {
            Input in = request.body();
            boolean retainGraph = in.readBoolean();
            SendRpcBackward send = context.send(messageId, request.from());
            @Nullable Tensor[] gradients = readGradients(in, send);
            BackwardPass pass = engine.join(context, passId, messageId, retainGraph);
            if (pass.answersAtEnd(messageId)) {
                pass.whenEnded(failure -> answer(request, failure));
            } else {
                answer(request, null);
            }
            pass.take(messageId, send, gradients);
        }

        private static void answer(IncomingRequest request, @Nullable RuntimeException failure) {
            PassMessage.answer(request, MessageTypes.BACKWARD_AUTOGRAD_RESP, failure);
        }

        private static @Nullable Tensor[] readGradients(Input in, SendRpcBackward send) {
            int count = in.readCount(MAX_GRADIENTS);
            int expected = send.nextEdges().size();
            if (count != expected) {
                throw new RpcException(
                        "%d gradients arrived for a message that carried %d tensors"
                                .formatted(count, expected));
            }
            var gradients = new @Nullable Tensor[count];
            for (int i = 0; i < count; i++) {
                if (!(in.readValue() instanceof Tensor gradient)) {
                    throw new DecodingException("gradient " + i + " is not a tensor");
                }
                gradients[i] = gradient;
            }
            return gradients;
        }
    }
}
