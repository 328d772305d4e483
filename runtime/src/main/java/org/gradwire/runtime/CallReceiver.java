package org.gradwire.runtime;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.MessageFactory.ScopeOf;
import org.gradwire.runtime.flow.Flows;
import org.gradwire.runtime.flow.PeerLimit;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.FunctionTable;
import org.gradwire.runtime.profile.CallObservers;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireCodec.Header;
import org.gradwire.runtime.wire.WireCodec.Opened;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.spi.CallInterceptor;
import org.gradwire.spi.CallMemory;
import org.gradwire.spi.CallScope;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RequestHandler;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * Takes in the requests of peers, on a poller, and decides where each is served: short ones on the
 * spot, the others on virtual threads. Whatever goes wrong with a request is answered as its
 * failure.
 */
final class CallReceiver {
    /** Fetches of one peer that wait for their values. */
    private static final int MOST_FETCHES = 100_000;

    private static final System.Logger LOGGER = System.getLogger("org.gradwire.calls");

    private final PeerLog failedCalls = new PeerLog(LOGGER);
    private final PeerLog failedRequests = new PeerLog(LOGGER);
    private final WorkerInfo self;
    private final IntFunction<String> names;
    private final CallObservers observers;
    private final WireCodec codec;
    private final MessageFactory messages;
    private final FunctionTable functions;
    private final WorkerThreads threads;
    private final RRefContext rrefs;
    private final Flows flows;
    private final UdfCodecs udfCodecs;
    private final Map<Integer, RequestHandler> handlers = new HashMap<>();
    private final ActiveCalls active = new ActiveCalls();
    private final CancellableCalls cancellable = new CancellableCalls();
    private final PeerLimit fetches = new PeerLimit("fetches under way", MOST_FETCHES);
    private final KeptAnswers answers;
    private final @Nullable CallMemory memory;
    private final ActiveCalls activeAsync = new ActiveCalls();
    private final BooleanSupplier hasStopped;

    CallReceiver(
            Members members,
            CallObservers observers,
            WireCodec codec,
            FunctionTable functions,
            WorkerThreads threads,
            RRefContext rrefs,
            Flows flows,
            UdfCodecs udfCodecs,
            KeptAnswers answers,
            @Nullable CallMemory memory,
            List<RequestHandler> handlers,
            BooleanSupplier hasStopped) {
        this.hasStopped = hasStopped;
        this.self = members.self();
        this.names = members::name;
        this.observers = observers;
        this.codec = codec;
        this.messages = new MessageFactory(codec);
        this.functions = functions;
        this.threads = threads;
        this.rrefs = rrefs;
        this.flows = flows;
        this.answers = answers;
        this.memory = memory;
        var line = new LineHandler(this::waiting);
        this.udfCodecs = udfCodecs;
        this.handlers.put(cancellable.requestType(), cancellable);
        this.handlers.put(answers.requestType(), answers);
        this.handlers.put(line.requestType(), line);
        for (RequestHandler handler : handlers) {
            if (this.handlers.put(handler.requestType(), handler) != null) {
                throw new RpcConfigurationException(
                        "two extensions handle messages of type "
                                + MessageTypes.name(handler.requestType()));
            }
        }
    }

    void onRequest(int from, Message request, ReplySink replies) {
        var exchange = new Exchange(this, from, replies);
        try {
            Opened opened = codec.open(from, request);
            exchange.holds(opened);
            boolean light = !WireInput.isHeavy(request);
            if (light) {
                opened.body().refuseHeavy();
            }
            serve(exchange, opened, light);
            exchange.keepOpen();
        } catch (RuntimeException | Error failure) {
            exchange.fail(failure);
        }
    }

    private void handle(Exchange exchange, Opened opened, boolean light) {
        RequestHandler handler = handlers.get(opened.type());
        if (handler == null) {
            throw new RpcException(
                    RpcErrorKind.UNDECODABLE,
                    "there is no handler for messages of type " + MessageTypes.name(opened.type()));
        }
        var request = new HandledRequest(exchange, opened.body());
        if (light && handler.light()) {
            request.run(handler);
        } else {
            exchange.keepOpen();
            threads.execute(() -> request.run(handler));
        }
    }

    private void serve(Exchange exchange, Opened opened, boolean light) {
        switch (opened.type()) {
            case MessageTypes.SCRIPT_RREF_FETCH_CALL, MessageTypes.PYTHON_RREF_FETCH_CALL ->
                    new ServedFetch(this, exchange, opened).run();
            case MessageTypes.SCRIPT_CALL,
                    MessageTypes.PYTHON_CALL,
                    MessageTypes.SCRIPT_REMOTE_CALL,
                    MessageTypes.PYTHON_REMOTE_CALL -> {
                CallBody.Head head = CallBody.readHead(opened.body());
                boolean here = head.kind() == FunctionKind.BUILTIN && !head.onReferent() && light;
                if (!here) {
                    exchange.keepOpen();
                }
                if (!answers.admit(exchange, head)) {
                    return;
                }
                var call = new ServedCall(this, exchange, opened, head);
                if (here) {
                    call.prepareOnPoller();
                } else {
                    threads.running().start(call::prepareAndRun);
                }
            }
            default -> handle(exchange, opened, light);
        }
    }

    /**
     * Let the interceptors see a request, and return the scopes in which it runs, innermost first.
     */
    static List<ScopeOf> scopes(Opened opened) {
        List<Header> headers = opened.headers();
        if (headers.isEmpty()) {
            return List.of();
        }
        List<ScopeOf> scopes = new ArrayList<>(headers.size());
        for (int i = headers.size() - 1; i >= 0; i--) {
            Header header = headers.get(i);
            scopes.add(
                    new ScopeOf(
                            header.interceptor(),
                            header.interceptor().onRequestIn(opened.body(), header.content())));
        }
        return scopes;
    }

    /**
     * As {@link #scopes}, for a function that is going to run: also within those of interceptors
     * whose headers did not come.
     */
    List<ScopeOf> runningScopes(Opened opened) {
        List<ScopeOf> scopes = scopes(opened);
        List<CallInterceptor> interceptors = codec.interceptors();
        for (int i = 0; i < interceptors.size(); i++) {
            CallInterceptor interceptor = interceptors.get(i);
            CallScope scope = has(scopes, interceptor) ? null : interceptor.scopeWithoutHeader();
            if (scope != null) {
                scopes = scopes.isEmpty() ? new ArrayList<>() : scopes;
                scopes.add(new ScopeOf(interceptor, scope));
            }
        }
        return scopes;
    }

    private static boolean has(List<ScopeOf> scopes, CallInterceptor interceptor) {
        for (int i = 0; i < scopes.size(); i++) {
            if (scopes.get(i).interceptor().equals(interceptor)) {
                return true;
            }
        }
        return false;
    }

    /** Run a task within scopes. */
    static void within(List<ScopeOf> scopes, Runnable task) {
        if (scopes.isEmpty()) {
            task.run();
            return;
        }
        var entered = new @Nullable Object[scopes.size()];
        for (int i = scopes.size() - 1; i >= 0; i--) {
            entered[i] = scopes.get(i).scope().enter();
        }
        try {
            task.run();
        } finally {
            for (int i = 0; i < scopes.size(); i++) {
                scopes.get(i).scope().exit(entered[i]);
            }
        }
    }

    /** {@return calls of peers that wait in line} */
    int waiting() {
        return threads.running().waiting() + flows.heldCalls();
    }

    /** {@return whether the worker was shut down, at which its running functions may fail} */
    boolean hasStopped() {
        return hasStopped.getAsBoolean();
    }

    WorkerInfo self() {
        return self;
    }

    /** {@return names of workers, by id} */
    IntFunction<String> names() {
        return names;
    }

    /** {@return those who want to learn of the calls that are served} */
    CallObservers observers() {
        return observers;
    }

    WireCodec codec() {
        return codec;
    }

    MessageFactory messages() {
        return messages;
    }

    FunctionTable functions() {
        return functions;
    }

    WorkerThreads threads() {
        return threads;
    }

    RRefContext rrefs() {
        return rrefs;
    }

    Flows flows() {
        return flows;
    }

    UdfCodecs udfCodecs() {
        return udfCodecs;
    }

    /** {@return what gives back the memory of calls; null when nothing does} */
    @Nullable CallMemory memory() {
        return memory;
    }

    /** {@return warnings of functions that failed} */
    PeerLog failedCalls() {
        return failedCalls;
    }

    /** {@return warnings of requests that reached no function} */
    PeerLog failedRequests() {
        return failedRequests;
    }

    /** {@return fetches that wait for their values} */
    PeerLimit fetches() {
        return fetches;
    }

    /** A worker is lost, or has left. */
    void forget(int peer) {
        cancellable.forget(peer);
        fetches.forget(peer);
        codec.heap().forget(peer);
    }

    /** {@return calls under way that their callers may cancel} */
    CancellableCalls cancellable() {
        return cancellable;
    }

    /** {@return requests taken in and not answered yet} */
    ActiveCalls active() {
        return active;
    }

    /** {@return those of them whose function has returned a future that is not complete yet} */
    ActiveCalls activeAsync() {
        return activeAsync;
    }
}
