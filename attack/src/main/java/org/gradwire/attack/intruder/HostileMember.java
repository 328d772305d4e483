package org.gradwire.attack.intruder;

import org.gradwire.attack.victim.Color;
import org.gradwire.attack.victim.Sample;
import org.gradwire.attack.victim.VictimFunctions;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A member of the victim's group that sends arbitrary requests. Confined to one thread. */
final class HostileMember implements AutoCloseable {
    static final int VICTIM = 0;
    static final int CLIENT = 1;

    /** A text in the requests that {@link #validRequests} records. */
    static final String MARK = "a text to be replaced";

    private static final int PERMITS = 1024;
    private static final long BYTES_OF_A_PERMIT = 64 << 10;
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_SECONDS = 60;

    private final Rpc rpc;
    private final TapAgent agent;
    private final Semaphore room = new Semaphore(PERMITS);

    private HostileMember(Rpc rpc, TapAgent agent) {
        this.rpc = rpc;
        this.agent = agent;
    }

    /** Join with a rank; settings and token are in the environment. */
    static HostileMember join(int rank) {
        String name = Target.nameOf(rank);
        Rpc rpc =
                Rpc.init(
                        RpcOptions.builder(name)
                                .rank(rank)
                                .dynamicGroup()
                                .backend(TapBackend.NAME)
                                .build());
        rpc.rpcTimeout(Duration.ofSeconds(10));
        return new HostileMember(rpc, TapBackend.take(name));
    }

    Rpc rpc() {
        return rpc;
    }

    TapAgent agent() {
        return agent;
    }

    boolean isExpelled() {
        return agent.hasLost(VICTIM) || agent.hasLost(CLIENT);
    }

    /** {@return valid requests of all kinds} */
    List<Message> validRequests() {
        for (Object value : values()) {
            var _ = rpc.rpcSync("victim", VictimFunctions::echo, value);
            var _ = rpc.remote("victim", VictimFunctions::echo, value).toHere();
        }
        RRef<Tensor> mine = rpc.rref(Tensor.ones(2, 2));
        var _ = rpc.rpcSync("victim", VictimFunctions::sum, mine);
        var _ = rpc.rpcSync("victim", VictimFunctions::square, 7);
        Tensor leaf = Tensor.ones(2, 2).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor there = rpc.rpcSync("victim", Ops::add, leaf, Tensor.ones(2, 2));
            Tensor scaled = rpc.rpcSync("victim", VictimFunctions::scale, there, 3.0);
            context.backward(scaled.sum());
        }
        return agent.sent();
    }

    private static List<Object> values() {
        return List.of(
                7,
                MARK,
                new byte[20],
                new double[] {1, 2, 3},
                List.of(1, "two", 3L, 4.0),
                Map.of("key", List.of(true, false), "other", Set.of(1, 2)),
                new Sample("sample", 3, List.of(1, 2, 3)),
                Color.GREEN,
                Tensor.ones(2, 3),
                Tensor.arange(40).reshape(4, 10).transpose(0, 1),
                Tensor.ones(3, 3).toSparse());
    }

    /** Send a request as soon as the number in flight is below the limit. */
    void send(int to, Message request, InputCounter inputCounter) throws InterruptedException {
        int permits = (int) Math.min(PERMITS, 1 + request.byteSize() / BYTES_OF_A_PERMIT);
        if (!room.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("requests did not end by their deadlines");
        }
        inputCounter.sent();
        agent.send(to, request, TIMEOUT_NANOS, new End(permits, inputCounter));
    }

    /** Wait until all requests have ended. */
    void awaitEnds() throws InterruptedException {
        if (!room.tryAcquire(PERMITS, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("requests did not end by their deadlines");
        }
        room.release(PERMITS);
    }

    /** Counts the outcome of a request. */
    private final class End implements ReplyHandler {
        private final int permits;
        private final InputCounter inputCounter;

        End(int permits, InputCounter inputCounter) {
            this.permits = permits;
            this.inputCounter = inputCounter;
        }

        @Override
        public void onReply(Message reply) {
            if (reply.type() == MessageTypes.EXCEPTION) {
                inputCounter.refused();
            } else {
                inputCounter.served();
            }
            room.release(permits);
        }

        @Override
        public void onFailure(RuntimeException failure) {
            inputCounter.refused();
            room.release(permits);
        }
    }

    @Override
    public void close() {
        rpc.shutdownNow();
    }
}
