package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Mutants that leak memory or resources for each call or member. */
final class LeakMutants {
    static final List<Mutant> ALL =
            List.of(
                    // The number of each call is recorded.
                    Mutant.ofAgents("NOTES_EACH_CALL", List.of("LEAK-1"), NotesCalls::new),
                    // A failed call stays in a table.
                    Mutant.ofAgents("KEEPS_FAILED_CALLS", List.of("LEAK-1"), KeepsFailed::new),
                    // Each request with buffers leaks native memory.
                    Mutant.ofAgents(
                            "KEEPS_NATIVE_MEMORY",
                            List.of("LEAK-1"),
                            agent ->
                                    new MutantAgent(agent) {
                                        private final Queue<Note> left =
                                                new ConcurrentLinkedQueue<>();

                                        @Override
                                        void onRequest(Incoming request) {
                                            if (!request.message().buffers().isEmpty()) {
                                                left.add(new Note(ByteBuffer.allocateDirect(256)));
                                            }
                                            request.handIn();
                                        }
                                    }),
                    // State for each sending thread is kept.
                    Mutant.ofAgents("KEEPS_ITS_CALLERS", List.of("LEAK-1"), KeepsCallers::new),
                    // The buffers of replies are kept for statistics.
                    Mutant.ofAgents(
                            "KEEPS_BUFFERS_OF_REPLIES", List.of("LEAK-1"), KeepsBuffers::new),
                    // Former members are kept.
                    Mutant.ofAgents("REMEMBERS_ALL_MEMBERS", List.of("LEAK-2"), Remembers::new),
                    // Each loss leaks a thread.
                    Mutant.ofAgents(
                            "LEAVES_A_THREAD_FOR_EACH_LOSS",
                            List.of("LEAK-2"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        void onPeerLost(
                                                AgentListener listener,
                                                int peer,
                                                RpcException reason) {
                                            Thread.ofPlatform()
                                                    .daemon()
                                                    .name("left behind")
                                                    .start(() -> hang(300));
                                            listener.onPeerLost(peer, reason);
                                        }
                                    }),
                    // Each disconnect leaks a socket.
                    Mutant.ofAgents("LEAVES_SOCKETS_OPEN", List.of("LEAK-2"), LeavesSockets::new),
                    // The same, visible only in the number of descriptors.
                    Mutant.ofAgents(
                            "LEAKS_DESCRIPTORS_ALONE",
                            List.of("LEAK-2"),
                            agent ->
                                    new MutantAgent(agent) {
                                        @Override
                                        public void disconnect(int member) {
                                            var _ = openSocket();
                                            super.disconnect(member);
                                        }
                                    }));

    private LeakMutants() {}

    /** Open a socket that only an explicit close frees, not the garbage collector. */
    private static SocketChannel openSocket() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A leaked object, of a class that no concurrent test instantiates. */
    private record Note(Object left) {}

    private static final class NotesCalls extends MutantAgent {
        private final Queue<Note> calls = new ConcurrentLinkedQueue<>();

        NotesCalls(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            calls.add(new Note(to));
            super.send(to, request, timeoutNanos, handler);
        }
    }

    private static final class KeepsFailed extends MutantAgent {
        private final Map<Long, Note> calls = new ConcurrentHashMap<>();
        private final AtomicLong next = new AtomicLong();

        KeepsFailed(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            long id = next.getAndIncrement();
            calls.put(id, new Note(handler));
            super.send(
                    to,
                    request,
                    timeoutNanos,
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message reply) {
                            calls.remove(id);
                            handler.onReply(reply);
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            handler.onFailure(failure);
                        }
                    });
        }
    }

    private static final class KeepsCallers extends MutantAgent {
        private final Map<Thread, Note> callers = new ConcurrentHashMap<>();

        KeepsCallers(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            callers.computeIfAbsent(Thread.currentThread(), Note::new);
            super.send(to, request, timeoutNanos, handler);
        }
    }

    private static final class KeepsBuffers extends MutantAgent {
        private final Queue<Note> buffers = new ConcurrentLinkedQueue<>();

        KeepsBuffers(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onReply(ReplyHandler handler, Message reply) {
            reply.buffers().forEach(buffer -> buffers.add(new Note(buffer)));
            handler.onReply(reply);
        }
    }

    private static final class Remembers extends MutantAgent {
        private final Queue<Note> members = new ConcurrentLinkedQueue<>();

        Remembers(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void connect(List<WorkerInfo> newMembers) {
            members.add(new Note(newMembers));
            super.connect(newMembers);
        }
    }

    private static final class LeavesSockets extends MutantAgent {
        private final Queue<SocketChannel> sockets = new ConcurrentLinkedQueue<>();

        LeavesSockets(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void disconnect(int member) {
            sockets.add(openSocket());
            super.disconnect(member);
        }

        @Override
        public void close() {
            super.close();
            for (SocketChannel socket : sockets) {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
