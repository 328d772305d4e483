package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.await;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.present;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about threads and callbacks. */
final class ThreadRules {
    private static final int CALLS = 100;
    private static final byte BAD = 1; // throws an exception
    private static final byte WORSE = 2; // throws an error
    private static final byte[] KINDS_THROWN = {BAD, WORSE, BAD};
    private static final int DEPTH = 20;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "THREAD-1",
                            "MUST survive an exception or an error of a listener or a handler, which fails only its own call.",
                            "a poller that dies of an exception, a loop that skips the remaining callbacks",
                            2,
                            ThreadRules::survivesWhatIsThrown),
                    Rule.of(
                            "THREAD-2",
                            "MUST accept a send from within a callback.",
                            "a lock that is held while a callback runs",
                            2,
                            ThreadRules::takesNestedSends),
                    Rule.of(
                            "THREAD-3",
                            "MUST deliver further requests while earlier ones are unanswered.",
                            "a poller that waits for the reply to the request it has delivered",
                            2,
                            ThreadRules::handsInWhileOthersWait),
                    Rule.of(
                            "THREAD-4",
                            "MUST NOT wait for the reply in send.",
                            "a send that waits for its peer",
                            2,
                            ThreadRules::returnsFromSend),
                    Rule.of(
                            "THREAD-5",
                            "MUST, if it uses lent threads, receive through poll, and by itself again after endPolling.",
                            "a poller that sleeps while a thread is lent and is not woken afterwards",
                            2,
                            ThreadRules::takesOverFromLentThreads),
                    Rule.of(
                            "THREAD-6",
                            "SHOULD start only daemon threads, each with a descriptive name.",
                            "a thread or an executor without a thread factory of the backend",
                            ThreadRules::startsNamedDaemons));

    private ThreadRules() {}

    private static void survivesWhatIsThrown(AgentWorld world) {
        world.agent(1)
                .behave((from, request, replies) -> {
                    switch (request.payload()[0]) {
                        case BAD -> throw new IllegalStateException("a listener, for the test");
                        case WORSE -> throw new AssertionError("a listener, for the test");
                        default -> TestAgent.echo(from, request, replies);
                    }
                });
        for (byte kind : KINDS_THROWN) {
            Outcome bad = world.agent(0).send(1, request(new byte[] {kind}), 100);
            if (!bad.await(100 + SLACK_MILLIS)) {
                throw new OverdueError("a request whose listener threw did not end in its time");
            }
            check(bad.failure() != null, "a request whose listener threw did not fail");
            checkAnswered(world, 0, 1, "after a listener threw");
        }
        for (byte kind : KINDS_THROWN) {
            var called = new CountDownLatch(1);
            world.agent(0).agent().send(1, request(new byte[1]), 0, thrower(kind, called));
            check(await(world, called), "the handler that throws was not called");
            checkAnswered(world, 0, 1, "after a handler threw");
            checkAnswered(world, 1, 0, "after a handler of the other threw");
        }
    }

    private static ReplyHandler thrower(byte kind, CountDownLatch called) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                called.countDown();
                if (kind == WORSE) {
                    throw new AssertionError("a handler, for the test");
                }
                throw new IllegalStateException("a handler, for the test");
            }

            @Override
            public void onFailure(RuntimeException failure) {}
        };
    }

    /** Each agent forwards the request to the other, from its callback, until the number is 0. */
    private static void takesNestedSends(AgentWorld world) {
        for (int id : List.of(0, 1)) {
            world.agent(id)
                    .behave((from, request, replies) -> {
                        int left = number(request);
                        if (left == 0) {
                            replies.reply(reply(request.payload()));
                        } else {
                            handOn(world.agent(id), from, left - 1, world, replies);
                        }
                    });
        }
        Outcome outcome = world.agent(0).send(1, request(DEPTH), 2 * world.patienceMillis());
        Message reply =
                answer(world, outcome, "a request that was forwarded %d times".formatted(DEPTH));
        check(number(reply) == 0, "the reply contains %d instead of 0", number(reply));
    }

    private static void handOn(
            TestAgent agent, int to, int number, AgentWorld world, ReplySink replies) {
        ReplyHandler handler =
                new ReplyHandler() {
                    @Override
                    public void onReply(Message reply) {
                        replies.reply(reply(reply.payload()));
                    }

                    @Override
                    public void onFailure(RuntimeException failure) {
                        replies.reply(request(-1));
                    }
                };
        agent.agent().send(to, request(number), world.patienceMillis() * 1_000_000, handler);
    }

    private static void handsInWhileOthersWait(AgentWorld world) {
        var answers = new ConcurrentLinkedQueue<Runnable>();
        world.agent(1)
                .behave((from, request, replies) ->
                        answers.add(() -> TestAgent.echo(from, request, replies)));
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            outcomes.add(world.agent(0).send(1, request(i), 2 * world.patienceMillis()));
        }
        check(
                eventually(world, () -> answers.size() == CALLS),
                "%d of %d requests were delivered while none was answered",
                answers.size(),
                CALLS);
        answers.forEach(Runnable::run);
        outcomes.forEach(outcome -> answer(world, outcome, "one of many requests"));
    }

    private static void returnsFromSend(AgentWorld world) {
        var held = new AtomicReference<@Nullable Runnable>();
        world.agent(1)
                .behave((from, request, replies) ->
                        held.set(() -> TestAgent.echo(from, request, replies)));
        var outcome = new AtomicReference<@Nullable Outcome>();
        Thread sending =
                Thread.ofPlatform()
                        .daemon()
                        .start(() ->
                                outcome.set(
                                        world.agent(0)
                                                .send(
                                                        1,
                                                        request(new byte[1]),
                                                        2 * world.patienceMillis())));
        check(
                join(sending, SLACK_MILLIS),
                "send did not return within %d ms while its request was unanswered",
                SLACK_MILLIS);
        check(eventually(world, () -> held.get() != null), "the request never arrived");
        present(held.get(), "the request").run();
        answer(world, present(outcome.get(), "the outcome"), "the request");
    }

    private static void takesOverFromLentThreads(AgentWorld world) {
        TestAgent lender = world.agent(1);
        Assumptions.assumeTrue(
                lender.agent().poll() >= 0, "the backend does not use lent threads (poll)");
        lender.agent().endPolling();
        for (int round = 0; round < 5; round++) {
            Outcome outcome = world.agent(0).send(1, request(new byte[1]), world.patienceMillis());
            eventually(
                    world,
                    () -> {
                        lender.agent().poll();
                        return outcome.times() > 0;
                    });
            answer(world, outcome, "a request to a worker that has lent a thread");
            lender.agent().endPolling();
            checkAnswered(world, 0, 1, "that no longer lends a thread");
        }
    }

    private static void startsNamedDaemons(BackendProvider provider, BackendUnderTest backend) {
        var threads = new OwnThreads("THREAD-6");
        threads.run(
                3 * backend.patience().toMillis(),
                () -> {
                    try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
                        checkAnswered(world, 0, 1, "while threads are inspected");
                        threads.alive().forEach(ThreadRules::checkNamedDaemon);
                    }
                });
    }

    private static void checkNamedDaemon(Thread thread) {
        String name = thread.getName();
        check(
                !name.isBlank() && !name.matches("(Thread|pool-[0-9]+-thread)-[0-9]+"),
                "the thread name '%s' is not descriptive",
                name);
        check(thread.isDaemon(), "thread '%s' keeps the JVM from ending", name);
    }
}
