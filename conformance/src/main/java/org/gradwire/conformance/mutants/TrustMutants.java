package org.gradwire.conformance.mutants;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Settings;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** Mutants that trust peers too much. */
final class TrustMutants {
    static final List<Mutant> ALL =
            List.of(
                    // A request's claimed sender is believed.
                    Mutant.ofAgents(
                            "TAKES_THE_SENDER_FROM_THE_MESSAGE",
                            List.of("TRUST-1"),
                            BelievesTheMessage::new),
                    // The session of a worker that has left is attributed to another one.
                    Mutant.ofAgents(
                            "CONFUSES_PEERS_AFTER_A_LOSS", List.of("TRUST-1"), ConfusesPeers::new),
                    // Tokens are not compared.
                    Mutant.ofContexts(
                            "IGNORES_THE_TOKEN", List.of("TRUST-2"), TrustMutants::tokenless),
                    // Only the worker with the greater id demands a proof.
                    Mutant.of(
                            "CHECKS_THE_TOKEN_ON_ONE_SIDE",
                            List.of("TRUST-2"),
                            sound -> new HearsOutsiders(sound, true)),
                    // Requests of a rejected peer are delivered.
                    Mutant.of(
                            "HEARS_AN_IMPOSTOR",
                            List.of("TRUST-3"),
                            sound -> new HearsOutsiders(sound, false)),
                    // Any peer's reply completes the oldest call.
                    Mutant.ofAgents(
                            "TAKES_ANYBODYS_REPLY", List.of("TRUST-4"), TakesAnybodysReply::new),
                    // The first buffer allocates memory for the whole message.
                    Mutant.ofContexts(
                            "TAKES_MEMORY_AHEAD",
                            List.of("TRUST-5"),
                            context -> withAllocator(context, ahead(context.allocator()))),
                    // Parts of an incomplete message are kept forever.
                    Mutant.ofContexts(
                            "KEEPS_UNFINISHED_MESSAGES",
                            List.of("TRUST-6"),
                            context -> withAllocator(context, keeping(context.allocator()))),
                    // Each stranger occupies a thread for the lifetime of the agent.
                    Mutant.ofAgents(
                            "HAS_A_THREAD_FOR_EACH_STRANGER",
                            List.of("TRUST-7"),
                            OpenToStrangers::new),
                    // Replies that the backend would refuse wait in an unbounded queue.
                    Mutant.ofAgents(
                            "QUEUES_REPLIES_WITHOUT_END", List.of("TRUST-8"), QueuesReplies::new));

    private static final int AHEAD = 64;

    private TrustMutants() {}

    private static AgentContext withAllocator(AgentContext context, BufferAllocator allocator) {
        return new AgentContext(context.self(), context.settings(), context.store(), allocator);
    }

    private static BufferAllocator ahead(BufferAllocator sound) {
        return (kind, bytes) -> {
            for (int i = 0; i < AHEAD; i++) {
                var _ = sound.allocate(kind, bytes);
            }
            return sound.allocate(kind, bytes);
        };
    }

    private static BufferAllocator keeping(BufferAllocator sound) {
        List<MemorySegment> kept = Collections.synchronizedList(new ArrayList<>());
        return (kind, bytes) -> {
            MemorySegment segment = sound.allocate(kind, bytes);
            kept.add(segment);
            return segment;
        };
    }

    private static AgentContext tokenless(AgentContext context) {
        Settings given = context.settings();
        var same =
                new Settings() {
                    @Override
                    public Optional<String> find(String key) {
                        return key.equals(AUTHENTICATION_TOKEN)
                                ? Optional.empty()
                                : given.find(key);
                    }

                    @Override
                    public String origin(String key) {
                        return given.origin(key);
                    }
                };
        return new AgentContext(context.self(), same, context.store(), context.allocator());
    }

    private static final class BelievesTheMessage extends MutantAgent {
        private static final int MOST_IDS = 3;

        BelievesTheMessage(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            byte[] said = request.message().payload();
            int claimed = said.length == Integer.BYTES ? ByteBuffer.wrap(said).getInt() : -1;
            boolean isAnId = claimed >= 0 && claimed < MOST_IDS;
            (isAnId ? request.from(claimed) : request).handIn();
        }
    }

    /** Passes few replies at a time to the backend. */
    private static final class QueuesReplies extends MutantAgent {
        private static final int AT_A_TIME = 2;
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        private final Semaphore room = new Semaphore(AT_A_TIME);

        QueuesReplies(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            request.with(
                            reply -> {
                                waiting.add(() -> request.replies().reply(noting(reply)));
                                passOn();
                            })
                    .handIn();
        }

        private Message noting(Message reply) {
            return new Message(
                    reply.type(), reply.payload(), reply.buffers(), () -> released(reply));
        }

        /** May be called while the backend holds its locks. */
        private void released(Message reply) {
            reply.release();
            room.release();
            after(0).execute(this::passOn);
        }

        private void passOn() {
            while (room.tryAcquire()) {
                Runnable next = waiting.poll();
                if (next == null) {
                    room.release();
                    return;
                }
                next.run();
            }
        }
    }

    private static final class ConfusesPeers extends MutantAgent {
        private volatile boolean hasParted;

        ConfusesPeers(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void disconnect(int member) {
            super.disconnect(member);
            hasParted = true;
        }

        @Override
        void onRequest(Incoming request) {
            boolean isConfused = hasParted && request.from() > 0;
            (isConfused ? request.from(3 - request.from()) : request).handIn();
        }
    }

    /** Delivers requests of agents that failed to connect. */
    private static final class HearsOutsiders extends MutantProvider {
        private final Map<Integer, AgentListener> listeners = new ConcurrentHashMap<>();
        private final boolean upwardOnly;

        HearsOutsiders(BackendProvider sound, boolean upwardOnly) {
            super(sound);
            this.upwardOnly = upwardOnly;
        }

        @Override
        public RpcAgent create(AgentContext context) {
            int self = context.self().id();
            return new MutantAgent(super.create(context)) {
                private volatile boolean isConnected;

                @Override
                public void start(AgentListener listener) {
                    listeners.putIfAbsent(self, listener);
                    super.start(listener);
                }

                @Override
                public void connect(List<WorkerInfo> members) {
                    isConnected = false;
                    super.connect(members);
                    isConnected = true;
                }

                @Override
                public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
                    AgentListener known = listeners.get(to);
                    if (isConnected || known == null || (upwardOnly && to < self)) {
                        super.send(to, request, timeoutNanos, handler);
                    } else {
                        known.onRequest(self, unowned(request), handler::onReply);
                    }
                }
            };
        }
    }

    /** Swaps the replies of two calls to different workers. */
    private static final class TakesAnybodysReply extends MutantAgent {
        private final List<Call> calls = new ArrayList<>(); // guarded by itself

        /** A pending call. */
        private static final class Call implements ReplyHandler {
            private final List<Call> calls;
            private final int to;
            private ReplyHandler handler; // guarded by calls

            Call(List<Call> calls, int to, ReplyHandler handler) {
                this.calls = calls;
                this.to = to;
                this.handler = handler;
            }

            @Override
            public void onReply(Message reply) {
                ended(true).onReply(reply);
            }

            @Override
            public void onFailure(RuntimeException failure) {
                ended(false).onFailure(failure);
            }

            private ReplyHandler ended(boolean exchanges) {
                synchronized (calls) {
                    calls.remove(this);
                    for (Call other : calls) {
                        if (exchanges && other.to != to) {
                            ReplyHandler own = handler;
                            handler = other.handler;
                            other.handler = own;
                            break;
                        }
                    }
                    return handler;
                }
            }
        }

        TakesAnybodysReply(RpcAgent sound) {
            super(sound);
        }

        @Override
        public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
            var call = new Call(calls, to, handler);
            synchronized (calls) {
                calls.add(call);
            }
            super.send(to, request, timeoutNanos, call);
        }
    }
}
