package org.gradwire.runtime;

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

/** Makes messages: writes the body, and lets the interceptors wrap it. */
final class MessageFactory {
    private final WireCodec codec;

    /**
     * A message, and how to undo what its encoding did elsewhere.
     *
     * @param undo for a message that turns out not to have reached its receiver; null when there is
     *     nothing to undo
     */
    record Sealed(Message message, @Nullable Runnable undo) {}

    /** The scope of an interceptor in which a request runs. */
    record ScopeOf(CallInterceptor interceptor, CallScope scope) {}

    MessageFactory(WireCodec codec) {
        this.codec = codec;
    }

    /** Make a message that no interceptor sees. */
    Message plain(int to, int type, Consumer<Output> body) {
        return make(to, type, body, (_, innermost) -> innermost).message();
    }

    /** Make a request. */
    Sealed request(int to, int type, boolean contextual, Consumer<Output> body) {
        return make(
                to,
                type,
                body,
                (out, innermost) -> {
                    int outermost = innermost;
                    for (CallInterceptor interceptor : codec.interceptors()) {
                        int start = out.position();
                        if (interceptor.onRequestOut(out, contextual, out)) {
                            out.writeFooter(start, outermost);
                            outermost = interceptor.requestType();
                        } else {
                            out.truncate(start);
                        }
                    }
                    return outermost;
                });
    }

    /** Make the reply to a request that ran in these scopes, innermost first. */
    Sealed reply(int to, int type, List<ScopeOf> scopes, Consumer<Output> body) {
        return make(
                to,
                type,
                body,
                (out, innermost) -> {
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
                });
    }

    @FunctionalInterface
    private interface Wrapping {
        int wrap(WireOutput out, int type);
    }

    private Sealed make(int to, int type, Consumer<Output> body, Wrapping wrapping) {
        WireOutput out = codec.begin(to, MessageTypes.isReply(type));
        boolean done = false;
        try {
            body.accept(out);
            int outermost = wrapping.wrap(out, type);
            var sealed = new Sealed(out.toMessage(outermost), out.undo());
            done = true;
            return sealed;
        } finally {
            if (!done) {
                out.abort();
            }
            codec.giveBack(out);
        }
    }
}
