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
 * Records the tensors in messages. A message of a thread in a context is wrapped if one of its
 * tensors requires a gradient, or if the called function may return such a tensor. Header: the
 * context's key, and the message id, under which the two sides enter their send and receive
 * function.
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
            return false; // released: the release would not reach the receiver
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
                    "worker %d did not create the id of its recorded message".formatted(source));
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
     * {@return a scope without a context for a thread that serves a call while it waits for its
     * own; null if the thread is in no context}
     */
    @Override
    public @Nullable CallScope scopeWithoutHeader() {
        return contexts.currentOrNull() == null ? null : new Scope(null);
    }

    /** The scope of a request in its context, or in none if it has none or it was released. */
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
