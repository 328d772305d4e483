package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.authorization.Authorization;
import org.gradwire.runtime.flow.Flows;
import org.gradwire.runtime.flow.PeerLimit;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.runtime.profile.CallObservers;
import org.gradwire.runtime.retry.ReplyCache;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.runtime.wire.WireCodec.DecodedMessage;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.CallArena;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RequestHandler;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Receives the requests of peers, on a poller, and dispatches them: short ones run on the poller,
 * the others on virtual threads. Every failure of a request is sent as its reply.
 */
public final class CallReceiver implements PeerListener {
    private static final int MAX_FETCHES = 100_000; // of one peer

    private final CallServices services;
    private final InboundServices inbound;
    private final ReplyServices replies;
    private final RequestHandlers handlers;
    private final ReplyCache cache;
    private final PeerLimit fetches = new PeerLimit("pending fetches", MAX_FETCHES);

    /**
     * Create the receiver of a worker.
     *
     * @param authorization checks what peers may do
     * @param arena frees the memory of calls when they end; null if no extension provides one
     * @param others handle the requests that are not calls
     * @throws RpcConfigurationException when two of them handle the same type
     */
    public CallReceiver(
            CallServices services,
            Authorization authorization,
            InFlightCounter incoming,
            CallObservers observers,
            Flows flows,
            ReplyCache cache,
            @Nullable CallArena arena,
            List<RequestHandler> others) {
        this.services = services;
        this.cache = cache;
        this.replies = new ReplyServices(services, flows, incoming);
        this.inbound =
                new InboundServices(
                        services,
                        authorization,
                        services.members()::name,
                        flows,
                        observers,
                        new CancellableCalls(),
                        arena,
                        new InFlightCounter());
        List<RequestHandler> all = new ArrayList<>(others);
        all.add(inbound.cancellable());
        all.add(cache);
        all.add(new QueueDepthHandler(this::queued));
        this.handlers = new RequestHandlers(all);
    }

    /** Serve a request; called on a poller. */
    public void onRequest(int from, Message request, ReplySink sink) {
        var inboundRequest = new InboundRequest(replies, from, sink);
        try {
            DecodedMessage message = services.codec().open(from, request);
            inboundRequest.decoded(message);
            inbound.authorization().requireMessage(from, message);
            boolean onPoller = !WireInput.isHeavy(request);
            if (onPoller) {
                message.body().refuseHeavy();
            }
            dispatch(inboundRequest, message, onPoller);
            inboundRequest.keepOpen();
        } catch (RuntimeException | Error failure) {
            inboundRequest.fail(failure);
        }
    }

    private void dispatch(InboundRequest request, DecodedMessage message, boolean onPoller) {
        switch (message.type()) {
            case MessageTypes.SCRIPT_RREF_FETCH_CALL, MessageTypes.UDF_RREF_FETCH_CALL ->
                    new InboundFetch(services, fetches, request, message).run();
            case MessageTypes.SCRIPT_CALL,
                    MessageTypes.UDF_CALL,
                    MessageTypes.SCRIPT_REMOTE_CALL,
                    MessageTypes.UDF_REMOTE_CALL ->
                    call(request, message, onPoller);
            default -> handle(request, message, onPoller);
        }
    }

    private void call(InboundRequest request, DecodedMessage message, boolean onPoller) {
        CallBody.Head head = CallBody.readHead(message.body());
        boolean here = head.kind() == FunctionKind.BUILTIN && !head.onReferent() && onPoller;
        if (!here) {
            request.keepOpen();
        }
        if (head.retried() != null && !cache.admit(request, head.id(), head.retried())) {
            return;
        }
        var call = new InboundCall(inbound, request, message, head);
        if (here) {
            call.prepareOnPoller();
        } else {
            services.threads().running().start(request.from(), call::prepareAndRun);
        }
    }

    private void handle(InboundRequest request, DecodedMessage message, boolean onPoller) {
        RequestHandler handler = handlers.of(message.type());
        var handled = new HandledRequest(request, message.body());
        if (onPoller && handler.runsOnPoller()) {
            handled.run(handler);
        } else {
            request.keepOpen();
            services.threads().execute(() -> handled.run(handler));
        }
    }

    /** {@return the number of queued calls of peers} */
    private int queued() {
        return services.threads().running().waiting() + inbound.flows().heldCalls();
    }

    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        inbound.cancellable().forget(peer.id());
        fetches.forget(peer.id());
        services.codec().heap().forget(peer.id());
    }

    /** {@return metrics of inbound calls, by PyTorch's names if it has them} */
    public Map<String, String> debugInfo() {
        return Map.of(
                "agent.server_active_calls",
                Integer.toString(replies.incoming().count()),
                "agent.server_active_async_calls",
                Integer.toString(inbound.pendingResults().count()),
                "agent.server_waiting_calls",
                Integer.toString(queued()),
                "agent.server_call_bytes",
                Long.toString(services.codec().heap().total()));
    }
}
