package org.gradwire.conformance.cases.rpc;

import static org.gradwire.conformance.cases.rpc.RetryCases.awaitNothingKept;
import static org.gradwire.conformance.cases.rpc.RetryCases.figure;
import static org.gradwire.conformance.cases.rpc.RetryCases.patient;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.RetryFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.Comers;
import org.gradwire.conformance.harness.Group;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Calls that are sent again, and fail in the end; and what their callees make of them. */
public abstract class RetryFailureCases extends CaseSuite {
    private static final int RETRIED_USER_FUNCTION = 2 | 32;
    private static final int TIMES = 20;

    /** For subclasses. */
    protected RetryFailureCases() {}

    private Group group(String... faults) {
        return Group.start(
                backend().withFaults(Map.of(faults[0], faults[1], faults[2], faults[3])), 2);
    }

    private Group losing(String requests, String replies) {
        return group(
                "gradwire.faulty.requests-to-lose", requests,
                "gradwire.faulty.replies-to-lose", replies);
    }

    private static RpcErrorKind kindOfCause(RpcException failure) {
        return assertInstanceOf(RpcException.class, failure.getCause()).kind();
    }

    @Case("RT-007")
    void afterTheLastRetryTheCallFailsWithWhatWentWrongThen() throws Exception {
        try (Group group =
                group(
                        "gradwire.faulty.messages-to-fail", "PYTHON_CALL,PYTHON_REMOTE_CALL",
                        "gradwire.faulty.num-fail-sends", "4")) {
            Rpc rpc = group.rpc(0);
            String text =
                    "^The RPC has not succeeded after the specified number of max retries \\(3\\)\\.$";
            RpcCalls calls = rpc.withRetry(new RetryPolicy(3, Duration.ofMillis(1), 1));
            RpcException failure =
                    Expect.failure(
                            RpcException.class,
                            text,
                            () -> calls.rpcSync("worker1", RetryFunctions::count, "call"));
            assertEquals(RpcErrorKind.INTENTIONAL_FAILURE, failure.kind());
            assertEquals(RpcErrorKind.INTENTIONAL_FAILURE, kindOfCause(failure));
            assertEquals(3, figure(rpc, "num_retries"));
            try (RRef<Integer> made = calls.remote("worker1", RetryFunctions::count, "call")) {
                Expect.failure(RpcException.class, text, () -> made.confirmation().join());
            }
            assertEquals(0, RetryFunctions.of(group.rpc(1)).runs("call"));
            awaitNothingKept(group);
        }
        try (Group group = losing("PYTHON_CALL:1", "")) {
            RetryPolicy policy = patient().withMaxRetries(2);
            RpcException failure =
                    Expect.failure(
                            RpcException.class,
                            "max retries \\(2\\)\\.$",
                            () ->
                                    group.rpc(0)
                                            .withRetry(policy)
                                            .rpcSync("worker1", RetryFunctions::count, "lost"));
            assertEquals(RpcErrorKind.TIMEOUT, failure.kind());
            assertEquals(RpcErrorKind.TIMEOUT, kindOfCause(failure));
            awaitNothingKept(group);
        }
    }

    @Case("RT-008")
    void whatTheFunctionThrowsIsAnAnswer() throws Exception {
        try (Group group = losing("", "PYTHON_CALL:0.5")) {
            RpcCalls calls = group.rpc(0).withRetry(patient());
            for (int i = 1; i <= TIMES; i++) {
                Expect.failure(
                        RemoteException.class,
                        "run %d of failing".formatted(i),
                        () -> calls.rpcSync("worker1", RetryFunctions::countAndFail, "failing"));
            }
            assertEquals(TIMES, RetryFunctions.of(group.rpc(1)).runs("failing"));
            awaitNothingKept(group);
        }
    }

    @Case("RT-009")
    void theTimeoutOfTheCallIsThatOfAllAttempts() throws Exception {
        try (Group group = losing("PYTHON_CALL:1", "")) {
            Rpc rpc = group.rpc(0);
            RpcCalls calls = rpc.withTimeout(Duration.ofMillis(500)).withRetry(patient());
            long begun = System.nanoTime();
            Expect.failure(
                    RpcTimeoutException.class,
                    "^RPCErr:1:RPC ran for more than set timeout \\(500 ms\\)",
                    () -> calls.rpcSync("worker1", RetryFunctions::count, "late"));
            assertTrue(System.nanoTime() - begun >= 500_000_000L);
            assertTrue(figure(rpc, "num_retries") > 0);
            var slow = new RetryPolicy(5, Duration.ofHours(1), 1, Duration.ofMillis(50));
            Expect.failure(
                    RpcTimeoutException.class,
                    "^RPCErr:1:RPC ran for more than set timeout \\(500 ms\\)",
                    () -> calls.withRetry(slow).rpcSync("worker1", RetryFunctions::count, "late"));
            assertEquals(0, RetryFunctions.of(group.rpc(1)).runs("late"));
            awaitNothingKept(group);
        }
    }

    @Case("RT-010")
    void cancellingEndsTheAttemptsAndTheFunction() throws Exception {
        try (Group group = losing("PYTHON_CALL:1", "")) {
            RpcFuture<Integer> lost =
                    group.rpc(0)
                            .withRetry(patient())
                            .rpcAsync("worker1", RetryFunctions::count, "lost");
            assertCancelled(group, lost);
            assertEquals(0, RetryFunctions.of(group.rpc(1)).runs("lost"));
        }
        try (Group group = losing("", "PYTHON_CALL:1")) {
            RpcFuture<Integer> held =
                    group.rpc(0)
                            .withRetry(patient())
                            .rpcAsync("worker1", RetryFunctions::countAndHold, "held");
            RetryFunctions there = RetryFunctions.of(group.rpc(1));
            Expect.eventually("it runs", () -> there.runs("held") == 1);
            assertCancelled(group, held);
            Expect.eventually(
                    "it is stopped, though no door was opened",
                    () -> figure(group.rpc(1), "agent.server_active_calls") == 0);
            assertEquals(1, there.runs("held"));
        }
    }

    private static void assertCancelled(Group group, RpcFuture<Integer> call) throws Exception {
        Rpc rpc = group.rpc(0);
        Expect.eventually("it is sent again", () -> figure(rpc, "num_retries") > 1);
        assertTrue(call.cancel());
        RpcException failure =
                Expect.failure(RpcException.class, "the call was cancelled", call::join);
        assertEquals(RpcErrorKind.CANCELLED, failure.kind());
        awaitNothingKept(group);
        Expect.eventually("it has ended", () -> figure(rpc, "agent.client_active_calls") == 0);
    }

    @Case("RT-011")
    void whereAnswersHaveNoRoomTheFunctionRunsOnceAllTheSame() throws Exception {
        for (String limit : new String[] {"gradwire.kept-answers", "gradwire.kept-answer-bytes"}) {
            try (Group group =
                    group(limit, "0", "gradwire.faulty.replies-to-lose", "PYTHON_CALL:0.5")) {
                RpcCalls calls = group.rpc(0).withRetry(patient());
                int missed = 0;
                for (int i = 1; i <= TIMES; i++) {
                    try {
                        assertEquals(i, calls.rpcSync("worker1", RetryFunctions::count, "run"));
                    } catch (RpcException e) {
                        assertEquals(RpcErrorKind.ANSWER_GONE, e.kind(), e::getMessage);
                        missed++;
                    }
                }
                assertEquals(TIMES, RetryFunctions.of(group.rpc(1)).runs("run"));
                assertTrue(missed > 0 && missed < TIMES, () -> "seed 1 should lose some replies");
                awaitNothingKept(group);
            }
        }
    }

    @Case("RT-012")
    void aCalleeThatIsGoneOrRestartedNeverRunsWhatWasAskedOfTheOldOne() throws Exception {
        try (Comers comers =
                Comers.of(
                        backend()
                                .withFaults(
                                        Map.of(
                                                "gradwire.faulty.replies-to-lose",
                                                "PYTHON_CALL:1")))) {
            Rpc first = comers.join(0);
            Rpc second = comers.join(1);
            RpcFuture<Integer> call =
                    first.withRetry(patient()).rpcAsync("worker1", RetryFunctions::count, "run");
            Expect.eventually(
                    "it runs, and is asked for again",
                    () ->
                            RetryFunctions.of(second).runs("run") == 1
                                    && figure(first, "num_retries") > 1);
            second.shutdownNow();
            Expect.eventually("it is gone", () -> first.workers().size() == 1);
            Rpc again = comers.join(1);
            assertEquals(again.workers(), first.workers());
            Expect.failure(RpcConnectionException.class, "", call::join);
            assertEquals(0, figure(first, "num_retried_calls"));
            assertEquals(1, RetryFunctions.of(second).runs("run"));
            assertEquals(0, RetryFunctions.of(again).runs("run"));
        }
    }

    @Case("RT-012")
    void aNewWorkerRefusesACallThatWasMeantForAnEarlierOne() throws Exception {
        try (Comers comers = Comers.of(backend())) {
            Rpc first = comers.join(0);
            comers.join(1).shutdownNow();
            Expect.eventually("it is gone", () -> first.workers().size() == 1);
            Rpc again = comers.join(1);
            assertEquals(again.workers(), first.workers());
            Expect.failure(
                    RpcConnectionException.class,
                    "a call was sent to an earlier worker of this id",
                    () -> count(first, 7, 2));
            assertEquals(0, RetryFunctions.of(again).runs("by hand"));
        }
    }

    /** Ask worker 1 by hand to count, and return what it answers. */
    private static int count(Rpc rpc, long id, long place) {
        Consumer<Output> args =
                out -> {
                    out.writeInt(1);
                    out.writeValue("by hand");
                };
        return (int) request(rpc, "#count(Ljava/lang/String;)I", args, id, place);
    }

    /** Ask worker 1 by hand for its state. */
    private static Tensor state(Rpc rpc, long id) {
        String name = "#state()Lorg/gradwire/tensor/Tensor;";
        return (Tensor) request(rpc, name, out -> out.writeInt(0), id, 0);
    }

    private static Object request(
            Rpc rpc, String method, Consumer<Output> args, long id, long place) {
        String name = RetryFunctions.class.getName() + method;
        Consumer<Output> body =
                out -> {
                    out.writeInt(RETRIED_USER_FUNCTION);
                    out.writeLong(id);
                    out.writeLong(0); // nothing has ended
                    out.writeLong(place);
                    out.writeString(name);
                    args.accept(out);
                };
        Input reply = Worker.of(rpc).request(1, MessageTypes.PYTHON_CALL, body, null).join();
        assertEquals(0, reply.readInt(), "the call has failed");
        return Objects.requireNonNull(reply.readValue());
    }

    private static void tellEnded(Rpc rpc, long ended) {
        var _ =
                Worker.of(rpc)
                        .request(1, MessageTypes.CALLS_ENDED_REQ, out -> out.writeLong(ended), null)
                        .join();
    }

    @Case("RT-013")
    void theCalleeKnowsARequestAgainByItsIdUntilItHasEnded() throws Exception {
        try (Group group = Group.start(backend(), 2)) {
            Rpc rpc = group.rpc(0);
            Rpc callee = group.rpc(1);
            assertEquals(1, count(rpc, 8, 0));
            assertEquals(1, count(rpc, 8, 0));
            assertEquals(2, count(rpc, 7, 0)); // overtaken by the other
            assertEquals(1, count(rpc, 8, 0));
            assertEquals(2, figure(callee, "num_kept_answers"));
            tellEnded(rpc, 8);
            assertEquals(1, figure(callee, "num_kept_answers"));
            RpcException failure =
                    Expect.failure(
                            RpcException.class,
                            "call 7 came again after its answer was dropped",
                            () -> count(rpc, 7, 0));
            assertEquals(RpcErrorKind.ANSWER_GONE, failure.kind());
            assertEquals(1, count(rpc, 8, 0));
            tellEnded(rpc, 9);
            tellEnded(rpc, 3); // late
            assertEquals(2, RetryFunctions.of(callee).runs("by hand"));
            assertEquals(0, figure(callee, "num_kept_answers"));
            assertEquals(0, figure(callee, "num_kept_answer_bytes"));
            assertEquals(81, rpc.rpcSync("worker1", CallFunctions::square, 9));
        }
    }

    @Case("RT-013")
    void whatIsKeptForACallerGoesWithIt() throws Exception {
        try (Comers comers = Comers.of(backend())) {
            Rpc caller = comers.join(0);
            Rpc callee = comers.join(1);
            assertEquals(1, count(caller, 5, 2));
            assertEquals(1, figure(callee, "num_kept_answers"));
            caller.shutdownNow();
            Expect.eventually("nothing is kept", () -> figure(callee, "num_kept_answers") == 0);
            Rpc successor = comers.join(0);
            assertEquals(2, count(successor, 5, 2), "its call 5 is another one");
            assertEquals(1, figure(callee, "num_kept_answers"));
            tellEnded(successor, 6);
            assertEquals(0, figure(callee, "num_kept_answers"));
            assertEquals(
                    3,
                    successor
                            .withRetry(patient())
                            .rpcSync("worker1", RetryFunctions::count, "by hand"));
            Expect.eventually("nothing is kept", () -> figure(callee, "num_kept_answers") == 0);
        }
    }

    @Case("RT-013")
    void anAnswerThatIsKeptStaysAsItWasGiven() throws Exception {
        try (Group group = Group.start(backend(), 2)) {
            Rpc rpc = group.rpc(0);
            RetryFunctions there = RetryFunctions.of(group.rpc(1));
            Tensor zeros = Tensor.zeros(1000);
            Expect.tensor(zeros, state(rpc, 1));
            assertTrue(figure(group.rpc(1), "num_kept_answer_bytes") >= 4000);
            there.stateHere().add_(Tensor.ones(1000));
            Expect.tensor(zeros, state(rpc, 1));
            Expect.tensor(Tensor.ones(1000), state(rpc, 2));
            assertEquals(2, there.runs("state"));
            tellEnded(rpc, 3);
            awaitNothingKept(group);
        }
    }
}
