package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.MessageFactory.ScopeOf;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.future.Failures;
import org.gradwire.runtime.wire.WireCodec.Opened;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** One request that came in, until its one answer has left. */
final class Exchange {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.calls");

    /** Characters that control a terminal; a stack trace has lines and tabs. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");

    private static final VarHandle REPLIES = handle();

    private final CallReceiver receiver;
    private final int from;
    private volatile @Nullable ReplySink replies; // null once it is answered
    private volatile @Nullable Opened opened;

    Exchange(CallReceiver receiver, int from, ReplySink replies) {
        this.receiver = receiver;
        this.from = from;
        this.replies = replies;
        receiver.active().begin();
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(Exchange.class, "replies", ReplySink.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Let the answer be kept for requests that repeat this one. */
    void answerThrough(KeptAnswer call) {
        ReplySink first = Objects.requireNonNull(replies);
        replies = answer -> call.reply(answer, first);
    }

    int from() {
        return from;
    }

    /** The request counts against its peer until it is answered. */
    void holds(Opened request) {
        opened = request;
    }

    /**
     * The request is not answered on the thread that took it in, or waits: it counts against its
     * peer from its first byte. On that thread, as {@link Opened#keepOpen}.
     *
     * @throws DecodingException when the peer has too much open
     */
    void keepOpen() {
        Opened request = opened;
        if (request != null && replies != null) {
            request.keepOpen();
        }
    }

    /**
     * Let the request count against its peer after it is answered, for what is kept of it. On the
     * thread that took it in, before the answer.
     *
     * @return ends that
     * @throws DecodingException when the peer has too much open
     */
    Runnable keepCounting() {
        Opened request = opened;
        if (request == null) {
            return () -> {};
        }
        request.keepOpen();
        opened = null;
        return request::release;
    }

    /** Answer the request; what cannot be encoded is answered as a failure of the function. */
    void reply(int type, List<ScopeOf> scopes, Consumer<Output> body) {
        reply(type, scopes, body, false);
    }

    /**
     * As {@link #reply}, and wait on this thread, which runs the function, while too many replies
     * are under way: so no more functions run than can be answered.
     */
    void replyInTurn(int type, List<ScopeOf> scopes, Consumer<Output> body) {
        reply(type, scopes, body, true);
    }

    private void reply(int type, List<ScopeOf> scopes, Consumer<Output> body, boolean inTurn) {
        Message message;
        try {
            message = receiver.messages().reply(from, type, scopes, body);
        } catch (RuntimeException | Error failure) {
            replyFailure(type, failure);
            return;
        }
        answer(message, inTurn);
    }

    /** Answer with a message that has been made for an earlier request. */
    void repeat(Message message) {
        answer(message, false);
    }

    private void answer(Message message, boolean inTurn) {
        if (flow().tryEnterReply(message)) {
            answer(flow().outgoingReply(message));
        } else if (inTurn) {
            waitAndSend(message);
        } else {
            receiver.threads().execute(() -> waitAndSend(message));
        }
    }

    private PeerFlow flow() {
        return receiver.flows().to(from);
    }

    private void waitAndSend(Message message) {
        flow().enterReply(message);
        answer(flow().outgoingReply(message));
    }

    /** Answer that the function failed, or that its worker ended, which may be the only reason. */
    void replyFailure(int type, Throwable failure) {
        if (receiver.hasStopped()) {
            refuse(lost());
            return;
        }
        receiver.failedCalls()
                .log(System.Logger.Level.WARNING, from, () -> text("a call", failure));
        logDetails("the failed call", failure);
        answer(
                receiver.messages()
                        .plain(
                                from,
                                type,
                                out -> CallBody.writeFailure(failure, receiver.self(), out)));
    }

    private RpcException lost() {
        return PendingCalls.lost(receiver.self(), "it was shut down during the call");
    }

    /** Answer that the request failed before it reached a function. */
    void fail(Throwable failure) {
        if (receiver.hasStopped()) {
            refuse(lost());
            return;
        }
        receiver.failedRequests()
                .log(System.Logger.Level.WARNING, from, () -> text("a request", failure));
        refuse(failure);
    }

    /** As {@link #fail}, of a request that is no surprise. */
    void refuse(Throwable failure) {
        logDetails("the failed request", failure);
        answer(
                receiver.messages()
                        .plain(
                                from,
                                MessageTypes.EXCEPTION,
                                out ->
                                        FailureCodec.writeRequestFailure(
                                                failure, receiver.self(), out)));
    }

    /** A failure may have texts of the peer in it. */
    private String text(String what, Throwable failure) {
        return "%s: %s from worker %d failed: %s"
                .formatted(
                        receiver.self(),
                        what,
                        from,
                        UntrustedText.quote(Failures.printed(failure)));
    }

    private static void logDetails(String what, Throwable failure) {
        if (LOGGER.isLoggable(System.Logger.Level.DEBUG)) {
            var trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            String visible = INVISIBLE.matcher(trace.toString()).replaceAll("?");
            LOGGER.log(System.Logger.Level.DEBUG, what + ": " + visible);
        }
    }

    private void answer(Message message) {
        var sink = (@Nullable ReplySink) REPLIES.getAndSet(this, (@Nullable ReplySink) null);
        if (sink == null) {
            message.release();
            return;
        }
        Opened request = opened;
        if (request != null) {
            request.release();
        }
        try {
            sink.reply(message);
        } finally {
            receiver.active().end();
        }
    }
}
