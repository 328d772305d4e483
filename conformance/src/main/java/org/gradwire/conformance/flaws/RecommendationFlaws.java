package org.gradwire.conformance.flaws;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Agents that keep what they must, and leave undone what they should do. */
final class RecommendationFlaws {
    static final List<Flaw> ALL =
            List.of(
                    // Nobody knows what a thread is for.
                    Flaw.ofAgents(
                            "STARTS_A_NAMELESS_THREAD",
                            List.of("THREAD-6"),
                            agent -> new WithThread(agent, Thread.ofPlatform().daemon())),
                    // A worker that is not closed keeps its process alive.
                    Flaw.ofAgents(
                            "KEEPS_THE_JVM_ALIVE",
                            List.of("THREAD-6"),
                            agent ->
                                    new WithThread(
                                            agent,
                                            Thread.ofPlatform().daemon(false).name("keeper"))),
                    // A peer that has closed is missed some time later.
                    Flaw.ofAgents("NOTICES_LATE", List.of("FAIL-4"), NoticesLate::new),
                    // Somebody is gone.
                    Flaw.ofAgents("NAMES_NO_PEER", List.of("FAIL-5"), NamesNoPeer::new),
                    // Figures are those of the beginning.
                    Flaw.ofAgents("LOOKS_AT_FIGURES_ONCE", List.of("INFO-2"), LooksOnce::new));

    private RecommendationFlaws() {}

    private static final class WithThread extends FlawedAgent {
        private static final long MOST_SECONDS = 60;
        private final Thread.Builder.OfPlatform builder;
        private volatile @Nullable Thread thread;

        WithThread(RpcAgent sound, Thread.Builder.OfPlatform builder) {
            super(sound);
            this.builder = builder;
        }

        @Override
        public void start(AgentListener listener) {
            thread = builder.start(() -> hang(MOST_SECONDS));
            super.start(listener);
        }

        @Override
        public void close() {
            super.close();
            Thread started = thread;
            if (started != null) {
                started.interrupt();
            }
        }
    }

    private static final class NoticesLate extends FlawedAgent {
        private static final long LATER_MILLIS = 1_000;

        NoticesLate(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            after(LATER_MILLIS).execute(() -> super.onPeerLost(listener, peer, reason));
        }
    }

    private static final class NamesNoPeer extends FlawedAgent {
        NamesNoPeer(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onFailure(ReplyHandler handler, RuntimeException failure) {
            handler.onFailure(
                    failure instanceof RpcConnectionException
                            ? new RpcConnectionException("connection reset")
                            : failure);
        }
    }

    private static final class LooksOnce extends FlawedAgent {
        private final AtomicReference<@Nullable Map<String, String>> first =
                new AtomicReference<>();

        LooksOnce(RpcAgent sound) {
            super(sound);
        }

        @Override
        public Map<String, String> debugInfo() {
            Map<String, String> now = super.debugInfo();
            Map<String, String> known = first.compareAndExchange(null, now);
            return known == null ? now : known;
        }
    }
}
