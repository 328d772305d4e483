package org.gradwire.attack.intruder;

import org.gradwire.attack.victim.Color;
import org.gradwire.attack.victim.Sample;
import org.gradwire.attack.victim.VictimFunctions;
import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
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

/** A member of the victim's group that sends what it likes. Used by one thread. */
final class Member implements AutoCloseable {
    static final int VICTIM = 0;
    static final int FRIEND = 1;

    /** A text that stands in the requests that {@link #soundRequests} records. */
    static final String MARK = "a text to be replaced";

    private static final int PERMITS = 1024;
    private static final long BYTES_OF_A_PERMIT = 64 << 10;
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_SECONDS = 60;

    private final Rpc rpc;
    private final TapAgent agent;
    private final Semaphore room = new Semaphore(PERMITS);

    private Member(Rpc rpc, TapAgent agent) {
        this.rpc = rpc;
        this.agent = agent;
    }

    /** Join under a rank; settings and token are in the environment. */
    static Member join(int rank) {
        String name = "intruder" + rank;
        Rpc rpc =
                Rpc.init(
                        RpcOptions.builder(name)
                                .rank(rank)
                                .dynamicGroup()
                                .backend(TapBackend.NAME)
                                .build());
        rpc.rpcTimeout(Duration.ofSeconds(10));
        return new Member(rpc, TapBackend.take(name));
    }

    Rpc rpc() {
        return rpc;
    }

    TapAgent agent() {
        return agent;
    }

    boolean isExpelled() {
        return agent.hasLost(VICTIM) || agent.hasLost(FRIEND);
    }

    /** {@return requests of all kinds that a well-behaved worker sends} */
    List<Message> soundRequests() {
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

    /** Send a request, as soon as not too much is under way. */
    void send(int to, Message request, Tally tally) throws InterruptedException {
        int permits = (int) Math.min(PERMITS, 1 + request.byteSize() / BYTES_OF_A_PERMIT);
        if (!room.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("requests have not ended within their time");
        }
        tally.sent();
        agent.send(to, request, TIMEOUT_NANOS, new End(permits, tally));
    }

    /** Wait until all requests have ended. */
    void awaitEnds() throws InterruptedException {
        if (!room.tryAcquire(PERMITS, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("requests have not ended within their time");
        }
        room.release(PERMITS);
    }

    /** Counts how a request ends. */
    private final class End implements ReplyHandler {
        private final int permits;
        private final Tally tally;

        End(int permits, Tally tally) {
            this.permits = permits;
            this.tally = tally;
        }

        @Override
        public void onReply(Message reply) {
            if (reply.type() == MessageTypes.EXCEPTION) {
                tally.refused();
            } else {
                tally.served();
            }
            room.release(permits);
        }

        @Override
        public void onFailure(RuntimeException failure) {
            tally.refused();
            room.release(permits);
        }
    }

    @Override
    public void close() {
        rpc.shutdownNow();
    }
}
