package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Rules about the threads that call an agent. */
final class CallerRules {
    private static final int ROUNDS = 20;
    private static final int LATE_MILLIS = 100;
    private static final int LATE_ID = 9;
    private static final List<Integer> SIZES = List.of(0, 10, 3_000, 70_000, 300_000);

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "THREAD-7",
                            "MUST NOT call a listener or a handler from within send or reply, except to fail a request that cannot be sent.",
                            "a shortcut for calls to oneself, a send that receives while it waits for room",
                            2,
                            CallerRules::callsBackElsewhere),
                    Rule.of(
                            "THREAD-8",
                            "MUST work on interrupted threads, and preserve their interrupt status, in send, reply, connect, disconnect and close.",
                            "an InterruptedException that is swallowed, a channel that an interrupt closes, a wait that clears the flag",
                            3,
                            CallerRules::keepsInterrupts),
                    Rule.of(
                            "THREAD-9",
                            "MUST, if it uses lent threads, receive by itself after linger too, also patient messages.",
                            "a message that wakes no poller, and a poller that sleeps without a limit",
                            2,
                            CallerRules::receivesWhileAThreadLingers));

    private CallerRules() {}

    /** Records whether the current thread is within send or reply. */
    private static final class Within {
        private final ThreadLocal<String> call = ThreadLocal.withInitial(() -> "");
        private final AtomicReference<@Nullable String> finding = new AtomicReference<>();

        void run(String name, Runnable task) {
            String before = call.get();
            call.set(name);
            try {
                task.run();
            } finally {
                call.set(before);
            }
        }

        void check() {
            String found = finding.get();
            Checks.check(found == null, "%s", found);
        }

        void called(String callback) {
            if (!call.get().isEmpty()) {
                finding.compareAndSet(
                        null, "%s was called from within %s".formatted(callback, call.get()));
            }
        }
    }

    private static void callsBackElsewhere(AgentWorld world) {
        var within = new Within();
        var held = new LinkedBlockingQueue<Runnable>();
        for (int id : List.of(0, 1)) {
            world.agent(id)
                    .behave((from, request, replies) -> {
                        within.called("onRequest");
                        reactTo(world.agent(id), from, request, replies, within, held);
                    });
        }
        var random = new Random(Seed.get());
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < ROUNDS * SIZES.size(); i++) {
            int size = SIZES.get(i % SIZES.size());
            Message message = message(random.nextInt(3), random.nextInt(3), size);
            outcomes.add(sendWithin(within, world.agent(0), i / SIZES.size() % 2, message));
            if (i % 7 == 0) {
                awaitAll(world, List.of(outcomes.getLast()), within, held);
            }
        }
        awaitAll(world, outcomes, within, held);
    }

    /** Wait until requests have ended, some of which this thread must answer. */
    private static void awaitAll(
            AgentWorld world,
            List<Outcome> outcomes,
            Within within,
            LinkedBlockingQueue<Runnable> held) {
        boolean haveEnded =
                eventually(
                        world,
                        () -> {
                            for (Runnable reply; (reply = held.poll()) != null; ) {
                                reply.run();
                            }
                            return outcomes.stream().allMatch(outcome -> outcome.times() > 0);
                        });
        within.check(); // its failure may explain why a request has not ended
        check(haveEnded, "not all of %d requests ended", outcomes.size());
    }

    /** Create a request that is answered at once, by another thread, or after a nested call. */
    private static Message message(int reaction, int buffers, int size) {
        byte[] payload = new byte[1 + (buffers == 0 ? size : 0)];
        payload[0] = (byte) reaction;
        return request(
                payload,
                IntStream.range(0, buffers)
                        .mapToObj(_ -> MemorySegment.ofArray(new byte[size]))
                        .toArray(MemorySegment[]::new));
    }

    private static void reactTo(
            TestAgent agent,
            int from,
            Message request,
            ReplySink replies,
            Within within,
            LinkedBlockingQueue<Runnable> held) {
        Runnable answer = () -> within.run("reply", () -> TestAgent.echo(from, request, replies));
        switch (request.payload()[0]) {
            case 1 -> held.add(answer);
            case 2 -> {
                var nested = new Outcome(_ -> answer.run());
                Message further =
                        request(
                                new byte[request.payload().length],
                                request.buffers().toArray(MemorySegment[]::new));
                within.run("send", () -> agent.agent().send(from, further, 0, nested));
            }
            default -> answer.run();
        }
    }

    private static Outcome sendWithin(Within within, TestAgent agent, int to, Message message) {
        var outcome = new Outcome(_ -> within.called("onReply"));
        within.run("send", () -> agent.agent().send(to, message, 0, outcome));
        return outcome;
    }

    private static void keepsInterrupts(AgentWorld world) {
        for (int size : SIZES) {
            for (int to : List.of(1, 0)) {
                String what = "%d bytes to worker %d".formatted(size, to);
                var outcome = new Outcome();
                Message sent = request(new byte[1], MemorySegment.ofArray(new byte[size]));
                interrupted(
                        world,
                        "send of " + what,
                        () -> world.agent(0).agent().send(to, sent, 0, outcome));
                answer(world, outcome, "a request by an interrupted thread, of " + what);
                answerInterrupted(world, to, size);
            }
        }
        checkAnswered(world, 0, 1, "after calls by interrupted threads");
        interruptConnecting(world);
        interrupted(world, "disconnect", () -> world.agent(0).agent().disconnect(2));
        checkAnswered(world, 0, 1, "after a disconnection by an interrupted thread");
        closeWhileBusy(world);
        interrupted(world, "close", () -> world.agent(0).agent().close());
        check(
                eventually(world, () -> world.agent(1).lostPeers().contains(0)),
                "an agent that an interrupted thread closed was not lost to its peer");
    }

    /**
     * Close an agent during a callback, so that it may have to wait, which reveals a lost
     * interrupt.
     */
    private static void closeWhileBusy(AgentWorld world) {
        var isBusy = new CountDownLatch(1);
        var isClosed = new CountDownLatch(1);
        world.agent(LATE_ID)
                .behave((_, _, _) -> {
                    isBusy.countDown();
                    Checks.awaitBriefly(isClosed);
                });
        world.agent(0).send(LATE_ID, request(new byte[1]), 0);
        check(Checks.await(world, isBusy), "a request was not delivered");
        interrupted(world, "close of a busy agent", () -> world.agent(LATE_ID).agent().close());
        isClosed.countDown();
    }

    private static void answerInterrupted(AgentWorld world, int to, int size) {
        var sink = new LinkedBlockingQueue<ReplySink>();
        world.agent(to).behave((_, _, replies) -> sink.add(replies));
        Outcome outcome = world.agent(0).send(to, request(new byte[1]), 0);
        ReplySink replies = take(world, sink);
        Message reply = reply(new byte[1], MemorySegment.ofArray(new byte[size]));
        interrupted(world, "reply of %d bytes".formatted(size), () -> replies.reply(reply));
        answer(
                world,
                outcome,
                "a request answered by an interrupted thread, by %d bytes".formatted(size));
        world.agent(to).behave(TestAgent::echo);
    }

    private static ReplySink take(AgentWorld world, LinkedBlockingQueue<ReplySink> sinks) {
        try {
            return Checks.present(
                    sinks.poll(world.patienceMillis(), TimeUnit.MILLISECONDS), "a request");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Interrupt a thread that waits in connect; connect continues or fails. */
    private static void interruptConnecting(AgentWorld world) {
        WorkerInfo late = new WorkerInfo(LATE_ID, "worker" + LATE_ID);
        List<WorkerInfo> members = List.of(world.agent(0).self(), late);
        var isKept = new AtomicReference<@Nullable Boolean>();
        Thread connecting =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            try {
                                world.agent(0).agent().connect(members);
                            } catch (RuntimeException e) {
                                // connect may fail
                            } finally {
                                isKept.set(Thread.currentThread().isInterrupted());
                            }
                        });
        check(!join(connecting, LATE_MILLIS), "connect returned before a member had started");
        connecting.interrupt();
        join(connecting, LATE_MILLIS);
        world.add(late.id());
        world.connectAll();
        check(
                join(connecting, world.patienceMillis()),
                "connect of an interrupted thread did not end");
        check(Boolean.TRUE.equals(isKept.get()), "connect swallowed an interrupt");
        checkAnswered(world, 0, LATE_ID, "after a thread was interrupted in connect");
        checkAnswered(world, 0, 1, "after a thread was interrupted in connect");
    }

    /** Run a task on an interrupted thread, which must still be interrupted afterwards. */
    private static void interrupted(AgentWorld world, String what, Runnable task) {
        var thrown = new AtomicReference<@Nullable Throwable>();
        var isKept = new AtomicReference<@Nullable Boolean>();
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            Thread.currentThread().interrupt();
                            try {
                                task.run();
                            } catch (RuntimeException | Error e) {
                                thrown.set(e);
                            }
                            isKept.set(Thread.currentThread().isInterrupted());
                        });
        check(
                join(thread, world.patienceMillis()),
                "%s by an interrupted thread did not end",
                what);
        check(thrown.get() == null, "%s by an interrupted thread threw %s", what, thrown.get());
        check(Boolean.TRUE.equals(isKept.get()), "%s swallowed an interrupt", what);
    }

    private static void receivesWhileAThreadLingers(AgentWorld world) {
        RpcAgent lender = world.agent(1).agent();
        Assumptions.assumeTrue(lender.poll() >= 0, "the backend does not use lent threads (poll)");
        lender.endPolling();
        for (int round = 0; round < 5; round++) {
            lender.poll();
            lender.linger();
            var patient = new Message(MessageTypes.COLLECTIVE_REQ, new byte[1], List.of());
            Outcome outcome = world.agent(0).send(1, patient, world.patienceMillis());
            answer(world, outcome, "a patient request to a worker with a thread that lingers");
            lender.poll();
            lender.linger();
            checkAnswered(world, 0, 1, "with a thread that lingers");
        }
    }
}
