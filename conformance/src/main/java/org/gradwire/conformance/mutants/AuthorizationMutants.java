package org.gradwire.conformance.mutants;

import org.gradwire.spi.Message;
import org.gradwire.spi.PeerIdentity;
import org.gradwire.spi.PeerIdentity.Authentication;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Settings;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Mutants that confuse the identities of peers. */
final class AuthorizationMutants {
    static final List<Mutant> ALL =
            List.of(
                    // The sender of the oldest unanswered request is taken for that of all.
                    Mutant.ofAgents("NAMES_THE_FIRST_SENDER", List.of("AUTH-1"), FirstSender::new),
                    // A message that claims to be the receiver's own is believed.
                    Mutant.ofAgents(
                            "TAKES_A_PEER_FOR_ITSELF",
                            List.of("AUTH-2"),
                            (context, agent) -> new TakesForItself(agent, context.self().id())),
                    // Every peer is said to have proved the token.
                    Mutant.ofAgents(
                            "REPORTS_A_PROOF_OF_NOTHING",
                            List.of("AUTH-3"),
                            agent -> new Reports(agent, "", Authentication.TOKEN)),
                    // The operator reads the token.
                    Mutant.ofAgents(
                            "SHOWS_THE_TOKEN",
                            List.of("AUTH-3"),
                            (context, agent) ->
                                    new Reports(
                                            agent,
                                            context.settings()
                                                    .find(Settings.AUTHENTICATION_TOKEN)
                                                    .orElse(""),
                                            Authentication.NONE)));

    private AuthorizationMutants() {}

    private static final class FirstSender extends MutantAgent {
        private final Queue<Integer> unanswered = new ConcurrentLinkedQueue<>();

        FirstSender(RpcAgent sound) {
            super(sound);
        }

        @Override
        void onRequest(Incoming request) {
            int from = request.from();
            unanswered.add(from);
            Integer first = unanswered.peek();
            request.from(first == null ? from : first)
                    .with((Message reply) -> {
                        unanswered.remove(from);
                        request.replies().reply(reply);
                    })
                    .handIn();
        }
    }

    private static final class TakesForItself extends MutantAgent {
        private final int self;

        TakesForItself(RpcAgent sound, int self) {
            super(sound);
            this.self = self;
        }

        @Override
        void onRequest(Incoming request) {
            byte[] said = request.message().payload();
            boolean claims = said.length == Integer.BYTES && ByteBuffer.wrap(said).getInt() == self;
            (claims ? request.from(self) : request).handIn();
        }
    }

    private static final class Reports extends MutantAgent {
        private final PeerIdentity identity;

        Reports(RpcAgent sound, String address, Authentication authentication) {
            super(sound);
            identity = new PeerIdentity(address, authentication);
        }

        @Override
        public PeerIdentity identity(int member) {
            PeerIdentity known = super.identity(member);
            return known.equals(PeerIdentity.UNKNOWN) ? known : identity;
        }
    }
}
