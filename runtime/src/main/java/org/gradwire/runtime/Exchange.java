package org.gradwire.runtime;

import org.gradwire.runtime.MessageFactory.ScopeOf;
import org.gradwire.runtime.MessageFactory.Sealed;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.ReplySink;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One request that came in, until its one answer has left. */
final class Exchange {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.calls");

    private final CallReceiver receiver;
    private final int from;
    private ReplySink replies; // set before other threads see this
    private final AtomicBoolean answered = new AtomicBoolean();

    Exchange(CallReceiver receiver, int from, ReplySink replies) {
        this.receiver = receiver;
        this.from = from;
        this.replies = replies;
        receiver.active().begin();
    }

    /** Let the answer be kept for requests that repeat this one. */
    void answerThrough(KeptAnswer call) {
        ReplySink first = replies;
        replies = answer -> call.reply(answer, first);
    }

    int from() {
        return from;
    }

    /** Answer the request; what cannot be encoded is answered as a failure of the function. */
    void reply(int type, List<ScopeOf> scopes, Consumer<Output> body) {
        reply(type, scopes, body, this::sendLater);
    }

    /**
     * As {@link #reply}, and wait on this thread, which runs the function, while too many replies
     * are under way: so no more functions run than can be answered.
     */
    void replyInTurn(int type, List<ScopeOf> scopes, Consumer<Output> body) {
        reply(type, scopes, body, this::waitAndSend);
    }

    private void reply(
            int type, List<ScopeOf> scopes, Consumer<Output> body, Consumer<Message> later) {
        Message message;
        try {
            Sealed sealed = receiver.messages().reply(from, type, scopes, body);
            message = sealed.message();
        } catch (RuntimeException failure) {
            replyFailure(type, failure);
            return;
        }
        answer(message, later);
    }

    /** Answer with a message that has been made for an earlier request. */
    void repeat(Message message) {
        answer(message, this::sendLater);
    }

    private void answer(Message message, Consumer<Message> later) {
        if (flow().tryEnterReply(message)) {
            answer(flow().outgoingReply(message));
        } else {
            later.accept(message);
        }
    }

    private PeerFlow flow() {
        return receiver.flows().to(from);
    }

    private void sendLater(Message message) {
        receiver.threads().execute(() -> waitAndSend(message));
    }

    private void waitAndSend(Message message) {
        flow().enterReply(message);
        answer(flow().outgoingReply(message));
    }

    /** Answer that the function failed. */
    void replyFailure(int type, Throwable failure) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "{0}: a call from worker {1} failed: {2}",
                receiver.self(),
                from,
                failure);
        LOGGER.log(System.Logger.Level.DEBUG, "the failed call", failure);
        answer(
                receiver.messages()
                        .plain(
                                from,
                                type,
                                out -> CallBody.writeFailure(failure, receiver.self(), out)));
    }

    /** Answer that the request failed before it reached a function. */
    void fail(Throwable failure) {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "{0}: a request from worker {1} failed: {2}",
                receiver.self(),
                from,
                failure);
        refuse(failure);
    }

    /** As {@link #fail}, of a request that is no surprise. */
    void refuse(Throwable failure) {
        LOGGER.log(System.Logger.Level.DEBUG, "the failed request", failure);
        answer(
                receiver.messages()
                        .plain(
                                from,
                                MessageTypes.EXCEPTION,
                                out ->
                                        FailureCodec.writeRequestFailure(
                                                failure, receiver.self(), out)));
    }

    private void answer(Message message) {
        if (answered.compareAndSet(false, true)) {
            try {
                replies.reply(message);
            } finally {
                receiver.active().end();
            }
        } else {
            message.release();
        }
    }
}
