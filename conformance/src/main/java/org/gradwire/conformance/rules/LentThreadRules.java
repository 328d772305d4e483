package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.isConnectionFailure;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RpcAgent;
import org.junit.jupiter.api.Assumptions;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Rules about threads that wait in collective operations and meanwhile poll. */
final class LentThreadRules {
    private static final int ROUNDS = 5;
    private static final long PATIENT_MILLIS = 50; // see RpcAgent.linger

    static final List<Rule> ALL =
            List.of(
                    lent(
                            "COLL-6",
                            "MUST, if it uses lent threads, deliver the replies for all threads by whichever of them polls.",
                            "a reply that is kept for the thread that sent the request",
                            2,
                            LentThreadRules::deliversToAllThreads),
                    lent(
                            "COLL-7",
                            "MUST, if it uses lent threads, send a request of a thread that has polled without another poll.",
                            "a queue that only poll empties, a poller that is not woken because a thread is lent",
                            2,
                            LentThreadRules::sendsWithoutAnotherPoll),
                    lent(
                            "COLL-8",
                            "MUST, if it uses lent threads, fail the calls to a lost peer and report its loss also while a thread polls or lingers.",
                            "heartbeats that only an idle poller checks, a loss that waits for endPolling",
                            3,
                            LentThreadRules::reportsLossesToLentThreads),
                    lent(
                            "COLL-9",
                            "MUST, if it uses lent threads, deliver a patient request within 50 milliseconds while a thread lingers.",
                            "a poller that sleeps until its next duty, whatever has arrived",
                            2,
                            LentThreadRules::deliversPatientRequestsInTime));

    private LentThreadRules() {}

    /** Create a rule for backends with lent threads; agent 0 lends them. */
    private static Rule lent(
            String id, String text, String hint, int agents, Consumer<AgentWorld> check) {
        return Rule.of(
                id,
                text,
                hint,
                agents,
                world -> {
                    RpcAgent lender = world.agent(0).agent();
                    Assumptions.assumeTrue(
                            lender.poll() >= 0, "the backend does not use lent threads (poll)");
                    lender.endPolling();
                    check.accept(world);
                });
    }

    private static Message patient() {
        return new Message(MessageTypes.COLLECTIVE_REQ, new byte[1], List.of());
    }

    /** Run a task while another thread polls, which lingers in the end. */
    private static void whilePolling(AgentWorld world, Runnable task) {
        RpcAgent lender = world.agent(0).agent();
        var isPolling = new AtomicBoolean();
        var isDone = new AtomicBoolean();
        Thread polling =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            while (!isDone.get()) {
                                lender.poll();
                                isPolling.set(true);
                            }
                            lender.linger();
                        });
        try {
            check(eventually(world, isPolling::get), "poll did not return");
            task.run();
        } finally {
            isDone.set(true);
            check(join(polling, world.patienceMillis()), "poll or linger did not return");
        }
    }

    private static void deliversToAllThreads(AgentWorld world) {
        for (int round = 0; round < ROUNDS; round++) {
            for (Message message : List.of(request(round), patient())) {
                whilePolling(
                        world,
                        () ->
                                answer(
                                        world,
                                        world.agent(0).send(1, message, 0),
                                        "a request of a thread that does not poll, while another does"));
            }
        }
    }

    private static void sendsWithoutAnotherPoll(AgentWorld world) {
        RpcAgent lender = world.agent(0).agent();
        for (int round = 0; round < ROUNDS; round++) {
            for (Message message : List.of(request(round), patient())) {
                lender.poll();
                Outcome outcome = world.agent(0).send(1, message, 0);
                lender.linger();
                answer(world, outcome, "a request of a thread that has polled and lingers");
                Outcome further = world.agent(0).send(1, request(round), 0);
                answer(world, further, "a request of a thread that lingers");
            }
        }
    }

    private static void reportsLossesToLentThreads(AgentWorld world) {
        RpcAgent lender = world.agent(0).agent();
        whilePolling(world, () -> lose(world, 1, "while a thread polls"));
        lender.poll();
        lender.linger();
        lose(world, 2, "while a thread lingers");
    }

    private static void lose(AgentWorld world, int peer, String when) {
        checkAnswered(world, 0, peer, when);
        int before = world.agent(peer).requests();
        world.agent(peer).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(peer, request(new byte[1]), 0);
        check(
                eventually(world, () -> world.agent(peer).requests() > before),
                "the request never arrived");
        world.agent(peer).close();
        check(
                pending.await(world.backend().livenessTime().toMillis() + world.patienceMillis())
                        && isConnectionFailure(pending),
                "a request to a peer that is lost %s ended with %s, not with an RpcConnectionException",
                when,
                pending.failure());
        check(
                eventually(world, () -> world.agent(0).lostPeers().contains(peer)),
                "the loss of a peer was not reported %s",
                when);
    }

    /** The fastest of several requests counts, since a machine may be busy. */
    private static void deliversPatientRequestsInTime(AgentWorld world) {
        RpcAgent lender = world.agent(0).agent();
        long fastest = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            lender.poll();
            lender.linger();
            long before = System.nanoTime();
            Outcome outcome = world.agent(1).send(0, patient(), 0);
            answer(world, outcome, "a patient request to a worker with a thread that lingers");
            fastest = Math.min(fastest, outcome.endedNanos() - before);
        }
        check(
                fastest <= PATIENT_MILLIS * 1_000_000,
                "the fastest of %d patient requests took %d ms, not at most %d",
                ROUNDS,
                fastest / 1_000_000,
                PATIENT_MILLIS);
    }
}
