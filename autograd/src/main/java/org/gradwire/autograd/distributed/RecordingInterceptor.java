package org.gradwire.autograd.distributed;

import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Records the tensors that messages carry. A message of a thread in a context is wrapped when one
 * of its tensors requires a gradient, or when what it calls may return such a tensor. Header: the
 * context's key, and an id of the message, under which both sides enter their half of the pair.
 */
final class RecordingInterceptor implements CallInterceptor {
    private final ContextContainer contexts;

    RecordingInterceptor(ContextContainer contexts) {
        this.contexts = contexts;
    }

    @Override
    public int requestType() {
        return MessageTypes.FORWARD_AUTOGRAD_REQ;
    }

    @Override
    public int replyType() {
        return MessageTypes.FORWARD_AUTOGRAD_RESP;
    }

    @Override
    public boolean onRequestOut(Output request, boolean contextual, Output header) {
        ContextState context = contexts.currentOrNull();
        if (context == null) {
            return false;
        }
        boolean always = contextual || AutogradOperators.isCalled(request);
        return recordSent(context, request, always, false, header);
    }

    private boolean recordSent(
            ContextState context, Output message, boolean always, boolean isReply, Output header) {
        SendRpcBackward send = SendRpcBackward.of(message, isReply);
        if (send == null && !always) {
            return false;
        }
        if (!context.addKnownWorker(message.destination())) {
            return false; // it was released, and would not be released there any more
        }
        long messageId = contexts.newMessageId();
        if (send != null) {
            context.addSend(messageId, send);
        }
        context.key().write(header);
        header.writeLong(messageId);
        return true;
    }

    @Override
    public CallScope onRequestIn(Input request, Input header) {
        return new Scope(recordReceived(request, header, true));
    }

    @Override
    public void onReplyIn(Input reply, Input header) {
        recordReceived(reply, header, false);
    }

    private @Nullable ContextState recordReceived(Input message, Input header, boolean isCall) {
        ContextKey key = ContextKey.read(header);
        long messageId = header.readLong();
        int source = message.source();
        if (GlobalIds.creator(messageId) != source) {
            throw new DecodingException(
                    "worker %d did not draw the id of its recorded message".formatted(source));
        }
        ContextState context =
                isCall ? contexts.joinByCall(key, source) : contexts.join(key, source);
        List<Tensor> tensors = message.attached(Tensor.class);
        if (context != null) {
            RecvRpcBackward receive = RecvRpcBackward.of(key, source, messageId, tensors);
            if (receive != null) {
                context.addReceive(receive);
            }
        }
        return context;
    }

    @Override
    public @Nullable CallScope currentScope() {
        ContextState context = contexts.currentOrNull();
        return context == null ? null : new Scope(context);
    }

    /**
     * {@return out of the context of the thread, which serves a call while it waits for its own;
     * null when it is in none}
     */
    @Override
    public @Nullable CallScope scopeWithoutHeader() {
        return contexts.currentOrNull() == null ? null : new Scope(null);
    }

    /** The context that a request runs in; none when it was released before the request came. */
    private final class Scope implements CallScope {
        private final @Nullable ContextState context;

        Scope(@Nullable ContextState context) {
            this.context = context;
        }

        @Override
        public @Nullable Object enter() {
            return contexts.enter(context);
        }

        @Override
        public void exit(@Nullable Object entered) {
            contexts.enter((ContextState) entered);
        }

        @Override
        public boolean onReplyOut(Output reply, Output header) {
            return context != null
                    && !AutogradOperators.isCalled(reply)
                    && recordSent(context, reply, false, true, header);
        }
    }
}
