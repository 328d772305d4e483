package org.gradwire.conformance.flaws;

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

/** Agents that keep something of each call, or of each member. */
final class LeakFlaws {
    static final List<Flaw> ALL =
            List.of(
                    // The number of each call is noted.
                    Flaw.ofAgents("NOTES_EACH_CALL", List.of("LEAK-1"), NotesCalls::new),
                    // A call that fails stays in a table.
                    Flaw.ofAgents("KEEPS_FAILED_CALLS", List.of("LEAK-1"), KeepsFailed::new),
                    // Each request with buffers takes some native memory for ever.
                    Flaw.ofAgents(
                            "KEEPS_NATIVE_MEMORY",
                            List.of("LEAK-1"),
                            agent ->
                                    new FlawedAgent(agent) {
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
                    // Each thread that sends has something of its own.
                    Flaw.ofAgents("KEEPS_ITS_CALLERS", List.of("LEAK-1"), KeepsCallers::new),
                    // The buffers of replies are counted, and kept for that.
                    Flaw.ofAgents("KEEPS_BUFFERS_OF_REPLIES", List.of("LEAK-1"), KeepsBuffers::new),
                    // Members are remembered for ever.
                    Flaw.ofAgents("REMEMBERS_ALL_MEMBERS", List.of("LEAK-2"), Remembers::new),
                    // Each loss leaves a thread behind.
                    Flaw.ofAgents(
                            "LEAVES_A_THREAD_FOR_EACH_LOSS",
                            List.of("LEAK-2"),
                            agent ->
                                    new FlawedAgent(agent) {
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
                    // Each disconnection leaves a socket open.
                    Flaw.ofAgents("LEAVES_SOCKETS_OPEN", List.of("LEAK-2"), LeavesSockets::new),
                    // So it is where only the number of descriptors tells of it.
                    Flaw.ofAgents(
                            "LEAKS_DESCRIPTORS_ALONE",
                            List.of("LEAK-2"),
                            agent ->
                                    new FlawedAgent(agent) {
                                        @Override
                                        public void disconnect(int member) {
                                            var _ = openSocket();
                                            super.disconnect(member);
                                        }
                                    }));

    private LeakFlaws() {}

    /** A socket that nothing closes but its own close, also when it is collected. */
    private static SocketChannel openSocket() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is left of something: a class of its own, of which no test beside makes any. */
    private record Note(Object left) {}

    private static final class NotesCalls extends FlawedAgent {
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

    private static final class KeepsFailed extends FlawedAgent {
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

    private static final class KeepsCallers extends FlawedAgent {
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

    private static final class KeepsBuffers extends FlawedAgent {
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

    private static final class Remembers extends FlawedAgent {
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

    private static final class LeavesSockets extends FlawedAgent {
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
