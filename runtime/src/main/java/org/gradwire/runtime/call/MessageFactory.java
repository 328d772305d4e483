package org.gradwire.runtime.call;

import org.gradwire.runtime.wire.SharedMessage;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallScope;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/** Encodes messages: writes the body, then the headers of interceptors. Thread-safe. */
public final class MessageFactory {
    private static final Wrapping UNWRAPPED = (_, innermost) -> innermost;

    private final WireCodec codec;
    private final Wrapping wrappingContextual = (out, type) -> wrapRequest(out, type, true);
    private final Wrapping wrappingOther = (out, type) -> wrapRequest(out, type, false);

    /**
     * A message and the side effects of its encoding.
     *
     * @param undo reverts them if the message is not delivered; null if there are none
     */
    record EncodedRequest(Message message, @Nullable Runnable undo) {}

    /** The scope of an interceptor in which a request runs. */
    record ScopeOf(CallInterceptor interceptor, CallScope scope) {}

    MessageFactory(WireCodec codec) {
        this.codec = codec;
    }

    /** Encode a message without interceptors. */
    Message plain(int to, int type, Consumer<Output> body) {
        return makeAlone(to, type, body, UNWRAPPED);
    }

    /**
     * Return messages of the same content to several workers, without interceptors. The content is
     * encoded once, unless it depends on the receiver.
     */
    ToAll toAll(int type, Consumer<Output> body) {
        return new ToAll(type, body);
    }

    /** Messages with the same content. */
    public final class ToAll implements AutoCloseable {
        private final int type;
        private final Consumer<Output> body;
        private @Nullable SharedMessage shared;

        private ToAll(int type, Consumer<Output> body) {
            this.type = type;
            this.body = body;
        }

        /** Return the message to a worker. */
        public Message to(int receiver) {
            SharedMessage known = shared;
            if (known != null) {
                return known.copy();
            }
            WireOutput out = begin(receiver, type);
            try {
                Message message = make(out, type, body, UNWRAPPED);
                if (out.isAddressed()) {
                    return message;
                }
                known = new SharedMessage(message);
                shared = known;
                return known.copy();
            } finally {
                codec.giveBack(out);
            }
        }

        /** Release the content, after the last receiver. */
        @Override
        public void close() {
            if (shared != null) {
                shared.release();
            }
        }
    }

    /** Encode a request. */
    EncodedRequest request(int to, int type, boolean contextual, Consumer<Output> body) {
        Wrapping wrapping = contextual ? wrappingContextual : wrappingOther;
        WireOutput out = begin(to, type);
        try {
            return new EncodedRequest(make(out, type, body, wrapping), out.undo());
        } finally {
            codec.giveBack(out);
        }
    }

    private int wrapRequest(WireOutput out, int innermost, boolean contextual) {
        int outermost = innermost;
        List<CallInterceptor> interceptors = codec.interceptors();
        for (int i = 0; i < interceptors.size(); i++) {
            CallInterceptor interceptor = interceptors.get(i);
            int start = out.position();
            if (interceptor.onRequestOut(out, contextual, out)) {
                out.writeFooter(start, outermost);
                outermost = interceptor.requestType();
            } else {
                out.truncate(start);
            }
        }
        return outermost;
    }

    /** Encode the reply to a request that ran in these scopes, innermost first. */
    Message reply(int to, int type, List<ScopeOf> scopes, Consumer<Output> body) {
        Wrapping wrapping =
                scopes.isEmpty()
                        ? UNWRAPPED
                        : (out, innermost) -> wrapReply(out, innermost, scopes);
        return makeAlone(to, type, body, wrapping);
    }

    private static int wrapReply(WireOutput out, int innermost, List<ScopeOf> scopes) {
        int outermost = innermost;
        for (ScopeOf scope : scopes) {
            int start = out.position();
            if (scope.scope().onReplyOut(out, out)) {
                out.writeFooter(start, outermost);
                outermost = scope.interceptor().replyType();
            } else {
                out.truncate(start);
            }
        }
        return outermost;
    }

    @FunctionalInterface
    private interface Wrapping {
        int wrap(WireOutput out, int type);
    }

    /** Encode a message with an output, which the caller returns to the pool. */
    private static Message make(
            WireOutput out, int type, Consumer<Output> body, Wrapping wrapping) {
        boolean done = false;
        try {
            body.accept(out);
            Message message = out.toMessage(wrapping.wrap(out, type));
            done = true;
            return message;
        } finally {
            if (!done) {
                out.abort();
            }
        }
    }

    private Message makeAlone(int to, int type, Consumer<Output> body, Wrapping wrapping) {
        WireOutput out = begin(to, type);
        try {
            return make(out, type, body, wrapping);
        } finally {
            codec.giveBack(out);
        }
    }

    private WireOutput begin(int to, int type) {
        return codec.begin(to, MessageTypes.isReply(type));
    }
}
