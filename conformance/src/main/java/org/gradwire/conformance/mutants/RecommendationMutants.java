package org.gradwire.conformance.mutants;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Mutants that keep all MUST rules and break a SHOULD rule. */
final class RecommendationMutants {
    static final List<Mutant> ALL =
            List.of(
                    // Threads have no descriptive name.
                    Mutant.ofAgents(
                            "STARTS_A_NAMELESS_THREAD",
                            List.of("THREAD-6"),
                            agent -> new WithThread(agent, Thread.ofPlatform().daemon())),
                    // Non-daemon threads keep the process alive.
                    Mutant.ofAgents(
                            "KEEPS_THE_JVM_ALIVE",
                            List.of("THREAD-6"),
                            agent ->
                                    new WithThread(
                                            agent,
                                            Thread.ofPlatform().daemon(false).name("keeper"))),
                    // The close of a peer is detected late.
                    Mutant.ofAgents("NOTICES_LATE", List.of("FAIL-4"), NoticesLate::new),
                    // The failure does not name the lost peer.
                    Mutant.ofAgents("NAMES_NO_PEER", List.of("FAIL-5"), NamesNoPeer::new),
                    // Metrics are read once.
                    Mutant.ofAgents("LOOKS_AT_FIGURES_ONCE", List.of("INFO-2"), LooksOnce::new));

    private RecommendationMutants() {}

    private static final class WithThread extends MutantAgent {
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

    private static final class NoticesLate extends MutantAgent {
        private static final long LATER_MILLIS = 1_000;

        NoticesLate(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onPeerLost(AgentListener listener, int peer, RpcException reason) {
            after(LATER_MILLIS).execute(() -> super.onPeerLost(listener, peer, reason));
        }
    }

    private static final class NamesNoPeer extends MutantAgent {
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

    private static final class LooksOnce extends MutantAgent {
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
