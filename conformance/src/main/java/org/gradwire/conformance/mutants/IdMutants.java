package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Mutants that truncate ids of calls or workers, or that forget some deadlines. */
final class IdMutants {
    private static final int BYTE_BITS = 0xFF;
    private static final int TWO_BYTES = 0xFFFF;
    private static final int SEVEN_BITS = 0x7F;
    private static final int TWELVE_BITS = 0xFFF;
    private static final long LARGE = 8_000;

    static final List<Mutant> ALL =
            List.of(
                    // Call ids have 8 bits.
                    Mutant.ofAgents(
                            "KNOWS_CALLS_BY_A_BYTE",
                            List.of("SEND-9"),
                            agent -> new ShortIds(agent, BYTE_BITS)),
                    // Call ids have 16 bits.
                    Mutant.ofAgents(
                            "KNOWS_CALLS_BY_TWO_BYTES",
                            List.of("SEND-9"),
                            agent -> new ShortIds(agent, TWO_BYTES)),
                    // The callee is the first worker whose id has the same low bits.
                    Mutant.ofAgents(
                            "FINDS_CALLEES_BY_A_BYTE",
                            List.of("ID-2"),
                            agent -> new LowBits(agent, BYTE_BITS)),
                    // The caller's id has 8 bits.
                    Mutant.ofAgents(
                            "NAMES_CALLERS_BY_A_BYTE",
                            List.of("ID-2"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            request.from(request.from() & BYTE_BITS).handIn();
                                        }
                                    }),
                    // The caller's id has 12 bits.
                    Mutant.ofAgents(
                            "NAMES_CALLERS_BY_TWELVE_BITS",
                            List.of("ID-2"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onRequest(Incoming request) {
                                            request.from(request.from() & TWELVE_BITS).handIn();
                                        }
                                    }),
                    // The callee is the first worker whose id has the same 12 low bits.
                    Mutant.ofAgents(
                            "FINDS_CALLEES_BY_TWELVE_BITS",
                            List.of("ID-2"),
                            agent -> new LowBits(agent, TWELVE_BITS)),
                    // The id of a lost peer has 12 bits.
                    Mutant.ofAgents(
                            "NAMES_THE_LOST_BY_TWELVE_BITS",
                            List.of("ID-2"),
                            agent -> new NamesTheLost(agent, TWELVE_BITS)),
                    // The id of a lost peer has 7 bits.
                    Mutant.ofAgents(
                            "NAMES_THE_LOST_BY_SEVEN_BITS",
                            List.of("ID-2"),
                            agent -> new NamesTheLost(agent, SEVEN_BITS)),
                    // Requests to oneself have no deadline.
                    Mutant.ofAgents(
                            "IGNORES_DEADLINES_TO_ITSELF",
                            List.of("TIME-4"),
                            (context, agent) ->
                                    without(agent, (to, _) -> to == context.self().id())),
                    // Large requests have no deadline.
                    Mutant.ofAgents(
                            "IGNORES_DEADLINES_OF_LARGE_REQUESTS",
                            List.of("TIME-4"),
                            agent -> without(agent, (_, message) -> message.byteSize() > LARGE)),
                    // A deadline is checked only after those that were set
                    // before it.
                    Mutant.ofAgents(
                            "KEEPS_DEADLINES_IN_A_QUEUE", List.of("TIME-4"), QueuedDeadlines::new));

    private IdMutants() {}

    /** Selects requests without a deadline. */
    @FunctionalInterface
    private interface Which {
        boolean test(int to, Message message);
    }

    private static MutantAgent without(RpcAgent sound, Which which) {
        return new MutantAgent(sound) {
            @Override
            public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
                super.send(to, request, which.test(to, request) ? 0 : timeoutNanos, handler);
            }
        };
    }

    /** Finds the handler of a call by the low bits of its id. */
    private static final class ShortIds extends MutantAgent {
        private final Map<Integer, ReplyHandler> handlers = new ConcurrentHashMap<>();
        private final AtomicInteger calls = new AtomicInteger();
        private final int mask;

        ShortIds(RpcAgent sound, int mask) {
            super(sound);
            this.mask = mask;
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            int id = calls.getAndIncrement() & mask;
            handlers.put(id, handler);
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            handlers.getOrDefault(id, handler).onReply(reply);
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handlers.getOrDefault(id, handler).onFailure(failure);
                        }
                    });
        }
    }

    private static final class NamesTheLost extends MutantAgent {
        private final int mask;

        NamesTheLost(RpcAgent sound, int mask) {
            super(sound);
            this.mask = mask;
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            listener.onPeerLost(peer & mask, reason);
        }
    }

    private static final class LowBits extends MutantAgent {
        private final AtomicReference<List<WorkerInfo>> members = new AtomicReference<>(List.of());

        private final int mask;

        LowBits(RpcAgent sound, int mask) {
            super(sound);
            this.mask = mask;
        }

        @Override
        public void connect(List<WorkerInfo> newMembers) {
            members.set(List.copyOf(newMembers));
            super.connect(newMembers);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            int found =
                    members.get().stream()
                            .map(WorkerInfo::id)
                            .filter(id -> (id & mask) == (to & mask))
                            .findFirst()
                            .orElse(to);
            super.send(found, request, timeoutNanos, handler);
        }
    }

    /** Expires a call only after the deadlines that were set before it. */
    private static final class QueuedDeadlines extends MutantAgent {
        private final AtomicReference<Long> lastNanos = new AtomicReference<>(0L);

        QueuedDeadlines(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            if (timeoutNanos <= 0) {
                super.send(to, request, timeoutNanos, handler);
                return;
            }
            long now = System.nanoTime();
            long own = now + Math.min(timeoutNanos, Long.MAX_VALUE / 4);
            long end = lastNanos.accumulateAndGet(own, Math::max);
            super.send(
                    to,
                    request,
                    // Later by what precedes it, and by more than a slow machine explains.
                    end == own ? timeoutNanos : 8 * (end - now) + timeoutNanos,
                    failing(
                            handler,
                            failure ->
                                    handler.onFailure(
                                            failure instanceof RpcTimeoutException
                                                    ? new RpcTimeoutException(
                                                            "its deadline has passed")
                                                    : failure)));
        }
    }
}
