package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Mutants that reuse or free received memory while its receiver holds it. */
final class KeepingMutants {
    private static final int MANY = 500;
    private static final int FEW = 16;

    static final List<Mutant> ALL =
            List.of(
                    // A request's memory is reused 500 requests later.
                    Mutant.ofAgents(
                            "RECYCLES_OLD_REQUESTS",
                            List.of("SEND-5"),
                            agent ->
                                    new Recycles(
                                            agent,
                                            new Ring(MANY, KeepingMutants::wipe),
                                            Ring.KEEPING)),
                    // A reply's memory is reused soon.
                    Mutant.ofAgents(
                            "RECYCLES_REPLIES",
                            List.of("SEND-5"),
                            agent ->
                                    new Recycles(
                                            agent,
                                            Ring.KEEPING,
                                            new Ring(FEW, KeepingMutants::wipe))),
                    // Payloads are read into few shared arrays.
                    Mutant.ofAgents(
                            "RECYCLES_PAYLOADS",
                            List.of("SEND-5"),
                            agent ->
                                    new Recycles(
                                            agent,
                                            new Ring(
                                                    MANY,
                                                    message ->
                                                            Arrays.fill(
                                                                    message.payload(), (byte) 7)),
                                            Ring.KEEPING)),
                    // A request's memory is freed when it is answered.
                    Mutant.ofAgents(
                            "RECYCLES_ANSWERED_REQUESTS", List.of("SEND-5"), RecyclesAnswered::new),
                    // The loss of a peer frees the memory of its messages.
                    Mutant.ofAgents("FREES_MEMORY_AT_A_LOSS", List.of("OWN-5"), FreesAtLoss::new),
                    // Close frees the memory of received messages.
                    Mutant.ofAgents("FREES_MEMORY_AT_CLOSE", List.of("OWN-5"), FreesAtClose::new),
                    // Received memory is confined to the receiving thread.
                    Mutant.ofAgents(
                            "CONFINES_MEMORY_TO_A_THREAD",
                            List.of("OWN-5"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onReply(ReplyHandler handler, Message reply) {
                                            handler.onReply(confined(reply));
                                        }
                                    }));

    private KeepingMutants() {}

    private static void wipe(Message message) {
        message.buffers().forEach(buffer -> buffer.fill((byte) 7));
    }

    @SuppressWarnings("resource") // the arena stays open: that is the mutant's fault
    private static Message confined(Message message) {
        Arena arena = Arena.ofConfined();
        List<MemorySegment> buffers = new ArrayList<>();
        for (MemorySegment buffer : message.buffers()) {
            buffers.add(
                    arena.allocate(Math.max(1, buffer.byteSize())).asSlice(0, buffer.byteSize()));
            buffers.getLast().copyFrom(buffer);
        }
        return new Message(message.type(), message.payload(), buffers);
    }

    /** The most recent messages; older ones are freed. Thread-safe. */
    private static final class Ring {
        /** Frees nothing. */
        private static final Ring KEEPING = new Ring(0, _ -> {});

        private final Queue<Message> messages = new ArrayDeque<>();
        private final int size;
        private final Consumer<Message> free;

        Ring(int size, Consumer<Message> free) {
            this.size = size;
            this.free = free;
        }

        synchronized void add(Message message) {
            messages.add(message);
            if (messages.size() > size) {
                free.accept(messages.remove());
            }
        }
    }

    private static final class Recycles extends MutantAgent {
        private final Ring requests;
        private final Ring replies;

        Recycles(RpcAgent sound, Ring requests, Ring replies) {
            super(sound);
            this.requests = requests;
            this.replies = replies;
        }

        @Override
        void onRequest(Incoming request) {
            requests.add(request.message());
            request.handIn();
        }

        @Override
        void onReply(ReplyHandler handler, Message reply) {
            replies.add(reply);
            handler.onReply(reply);
        }
    }

    private static final class RecyclesAnswered extends MutantAgent {
        RecyclesAnswered(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.with(
                            reply -> {
                                request.replies().reply(reply);
                                after(5).execute(() -> wipe(request.message()));
                            })
                    .handIn();
        }
    }

    private static final class FreesAtLoss extends MutantAgent {
        private final Queue<Message> received = new ConcurrentLinkedQueue<>();

        FreesAtLoss(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            received.add(request.message());
            request.handIn();
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            received.forEach(KeepingMutants::wipe);
            listener.onPeerLost(peer, reason);
        }
    }

    private static final class FreesAtClose extends MutantAgent {
        private final Queue<Message> received = new ConcurrentLinkedQueue<>();

        FreesAtClose(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onReply(ReplyHandler handler, Message reply) {
            received.add(reply);
            handler.onReply(reply);
        }

        @Override
        public void close() {
            super.close();
            received.forEach(KeepingMutants::wipe);
        }
    }
}
