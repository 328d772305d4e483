package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.authorization.PermissionDeniedException;
import org.gradwire.runtime.call.MessageFactory.ScopeOf;
import org.gradwire.runtime.flow.PeerFlow;
import org.gradwire.runtime.future.FutureFailures;
import org.gradwire.runtime.retry.CachedReply;
import org.gradwire.runtime.retry.RepeatableRequest;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PeerLog;
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

/** A request of a peer, from its arrival until its one reply is sent. */
final class InboundRequest implements RepeatableRequest {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.calls");

    /** Characters that control a terminal, except those of a stack trace: newline and tab. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");

    private static final VarHandle SINK = handle();

    private final ReplyServices services;
    private final int from;
    private volatile @Nullable ReplySink sink; // null after the reply
    private volatile @Nullable DecodedMessage message;

    InboundRequest(ReplyServices services, int from, ReplySink sink) {
        this.services = services;
        this.from = from;
        this.sink = sink;
        services.incoming().begin();
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(InboundRequest.class, "sink", ReplySink.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @Override
    public void replyThrough(CachedReply entry) {
        ReplySink first = Objects.requireNonNull(sink);
        sink = reply -> entry.reply(reply, first);
    }

    @Override
    public int from() {
        return from;
    }

    /** Set the message, whose memory is charged to its peer until the reply. */
    void decoded(DecodedMessage request) {
        message = request;
    }

    /**
     * Charge the whole request to its peer, because it waits or its reply comes from another
     * thread. Call on the thread that received it, as {@link DecodedMessage#keepOpen}.
     *
     * @throws DecodingException when the peer has too much open
     */
    void keepOpen() {
        DecodedMessage request = message;
        if (request != null && sink != null) {
            request.keepOpen();
        }
    }

    /**
     * Keep the request charged to its peer after the reply, for the parts of it that are retained.
     * Call on the thread that received it, before the reply.
     *
     * @return an action that ends the charge
     * @throws DecodingException when the peer has too much open
     */
    Runnable keepCounting() {
        DecodedMessage request = message;
        if (request == null) {
            return () -> {};
        }
        request.keepOpen();
        message = null;
        return request::release;
    }

    /** Reply; a body that cannot be encoded becomes a failure of the function. */
    void reply(int type, List<ScopeOf> scopes, Consumer<Output> body) {
        reply(type, scopes, body, false);
    }

    /**
     * Reply as {@link #reply}, but block the calling thread, which has run the function, while too
     * many replies are in flight: functions run no faster than replies can be sent.
     */
    void replyBlocking(int type, List<ScopeOf> scopes, Consumer<Output> body) {
        reply(type, scopes, body, true);
    }

    private void reply(int type, List<ScopeOf> scopes, Consumer<Output> body, boolean mayBlock) {
        Message reply;
        try {
            reply = services.messages().reply(from, type, scopes, body);
        } catch (RuntimeException | Error failure) {
            replyFailure(type, failure);
            return;
        }
        send(reply, mayBlock);
    }

    @Override
    public void repeat(Message reply) {
        send(reply, false);
    }

    private void send(Message reply, boolean mayBlock) {
        if (flow().tryEnterReply(reply)) {
            send(flow().outgoingReply(reply));
        } else if (mayBlock) {
            waitAndSend(reply);
        } else {
            services.calls().threads().execute(() -> waitAndSend(reply));
        }
    }

    private PeerFlow flow() {
        return services.flows().to(from);
    }

    private void waitAndSend(Message reply) {
        flow().enterReply(reply);
        send(flow().outgoingReply(reply));
    }

    /** Reply with a failure of the function; after a shutdown, with the shutdown as its reason. */
    void replyFailure(int type, Throwable failure) {
        if (services.calls().hasStopped().getAsBoolean()) {
            refuse(stopped());
            return;
        }
        warn(services.failedCalls(), "a call", failure);
        logDetails("the failed call", failure);
        send(
                services.messages()
                        .plain(from, type, out -> CallBody.writeFailure(failure, self(), out)));
    }

    private RpcException stopped() {
        return PendingCalls.lost(self(), "it was shut down during the call");
    }

    private WorkerInfo self() {
        return services.calls().members().self();
    }

    @Override
    public void fail(Throwable failure) {
        if (services.calls().hasStopped().getAsBoolean()) {
            refuse(stopped());
            return;
        }
        if (!(failure instanceof PermissionDeniedException)) { // which the audit log has
            warn(services.failedRequests(), "a request", failure);
        }
        refuse(failure);
    }

    @Override
    public void refuse(Throwable failure) {
        logDetails("the failed request", failure);
        Consumer<Output> body = out -> FailureCodec.writeRequestFailure(failure, self(), out);
        send(services.messages().plain(from, MessageTypes.EXCEPTION, body));
    }

    /** Log a failure, with the peer's texts in it escaped. */
    private void warn(PeerLog log, String what, Throwable failure) {
        log.log(
                System.Logger.Level.WARNING,
                from,
                () ->
                        "%s: %s from worker %d failed: %s"
                                .formatted(
                                        self(),
                                        what,
                                        from,
                                        UntrustedText.quote(FutureFailures.printed(failure))));
    }

    private static void logDetails(String what, Throwable failure) {
        if (LOGGER.isLoggable(System.Logger.Level.DEBUG)) {
            var trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            String visible = INVISIBLE.matcher(trace.toString()).replaceAll("?");
            LOGGER.log(System.Logger.Level.DEBUG, what + ": " + visible);
        }
    }

    private void send(Message reply) {
        var open = (@Nullable ReplySink) SINK.getAndSet(this, (@Nullable ReplySink) null);
        if (open == null) {
            reply.release();
            return;
        }
        DecodedMessage request = message;
        if (request != null) {
            request.release();
        }
        try {
            open.reply(reply);
        } finally {
            services.incoming().end();
        }
    }
}
