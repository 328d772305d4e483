package org.gradwire.fuzz;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogManager;

/**
 * Fuzz target: a request of a member to a worker, over {@code inproc}. Each request ends, and the
 * worker serves the next call.
 */
public final class WorkerTarget {
    private static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE_SECONDS = 30;
    private static final int BETWEEN_CALLS = 64;

    /** Values that calls of the seeds echo. */
    private static final List<Object> VALUES =
            List.of(
                    7,
                    "text",
                    new byte[20],
                    new double[] {1, 2, 3},
                    List.of(1, "two", 3L, 4.0),
                    Map.of("key", List.of(true, false), "other", Set.of(1, 2)),
                    Tensor.ones(2, 3),
                    Tensor.arange(12).reshape(3, 4).transpose(0, 1),
                    Tensor.ones(3, 3).toSparse());

    private static final Group GROUP = start();
    private static int requests;

    private WorkerTarget() {}

    private static Group start() {
        LogManager.getLogManager().getLogger("").setLevel(Level.OFF); // each failure is logged
        GlobalOpenTelemetry.set(
                OpenTelemetry.propagating(
                        ContextPropagators.create(
                                TextMapPropagator.composite(
                                        W3CTraceContextPropagator.getInstance(),
                                        W3CBaggagePropagator.getInstance()))));
        return Group.start();
    }

    /** Send a request. */
    public static void fuzzerTestOneInput(byte[] input) throws InterruptedException {
        Message request = MessageInput.decode(input);
        if (request == null || !MessageTypes.isRequest(request.type()) || endsGroup(request)) {
            return;
        }
        send(request);
    }

    /** {@return the workers of the target} */
    static Group group() {
        return GROUP;
    }

    /** Send a request of the attacker, and wait for its end. */
    static void send(Message request) throws InterruptedException {
        var end = new CountDownLatch(1);
        TappedBackend.agent(Group.ATTACKER).send(1, request, TIMEOUT_NANOS, new Ends(end));
        if (!end.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("a request did not end");
        }
        if (requests++ % BETWEEN_CALLS == 0) {
            Object echo = GROUP.attacker().rpcSync(Group.VICTIM, Functions::echo, (Object) 7);
            if (!echo.equals(7)) {
                throw new AssertionError("7 came back as " + echo);
            }
        }
    }

    /** {@return whether it announces that a member leaves or joins, which ends the group} */
    private static boolean endsGroup(Message request) {
        return request.type() == MessageTypes.LEAVE_REQ || request.type() == MessageTypes.JOIN_REQ;
    }

    private record Ends(CountDownLatch end) implements ReplyHandler {
        @Override
        public void onReply(Message reply) {
            end.countDown();
        }

        @Override
        public void onFailure(RuntimeException failure) {
            end.countDown();
        }
    }

    /** {@return the requests of a conversation about values, tensors, references and gradients} */
    public static List<byte[]> seeds() {
        TappedBackend.Agent agent = TappedBackend.agent(Group.ATTACKER);
        agent.keep();
        try (var _ = Baggage.builder().put("key", "value").build().makeCurrent()) {
            for (Object value : VALUES) {
                GROUP.attacker().rpcSync(Group.VICTIM, Functions::echo, value);
            }
        }
        converse(GROUP.attacker());
        return agent.sent().stream().map(MessageInput::encode).toList();
    }

    private static void converse(Rpc rpc) {
        try (RRef<Object> there = rpc.remote(Group.VICTIM, Functions::echo, (Object) 7);
                RRef<Tensor> here = rpc.rref(Tensor.ones(2, 2))) {
            there.toHere();
            rpc.rpcSync(Group.VICTIM, Functions::addToReference, here, Tensor.ones(2, 2));
        }
        Tensor leaf = Tensor.ones(2, 2).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor sum = rpc.rpcSync(Group.VICTIM, Ops::add, leaf, Tensor.ones(2, 2));
            context.backward(rpc.rpcSync(Group.VICTIM, Functions::add, sum, leaf).sum());
        }
    }
}
