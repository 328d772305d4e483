package org.gradwire.conformance.cases.rpc;

import static org.gradwire.conformance.cases.rpc.RetryCases.awaitNothingKept;
import static org.gradwire.conformance.cases.rpc.RetryCases.metric;
import static org.gradwire.conformance.cases.rpc.RetryCases.patient;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.RetryFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.DynamicMembers;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.WorkerGroup;
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

/** Cases of retried calls that fail, and of the callee's reply cache. */
public abstract class RetryFailureCases extends NestedSuite {
    private static final int RETRIED_USER_FUNCTION = 2 | 32;
    private static final int TIMES = 20;

    /** For subclasses. */
    protected RetryFailureCases() {}

    private WorkerGroup group(String... faults) {
        return WorkerGroup.start(
                backend().withFaults(Map.of(faults[0], faults[1], faults[2], faults[3])), 2);
    }

    private WorkerGroup losing(String requests, String replies) {
        return group(
                "gradwire.faulty.requests-to-lose", requests,
                "gradwire.faulty.replies-to-lose", replies);
    }

    private static RpcErrorKind kindOfCause(RpcException failure) {
        return assertInstanceOf(RpcException.class, failure.getCause()).kind();
    }

    @Case("RT-007")
    void afterTheLastRetryTheCallFailsWithWhatWentWrongThen() throws Exception {
        try (WorkerGroup group =
                group(
                        "gradwire.faulty.messages-to-fail", "UDF_CALL,UDF_REMOTE_CALL",
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
            assertEquals(3, metric(rpc, "num_retries"));
            try (RRef<Integer> made = calls.remote("worker1", RetryFunctions::count, "call")) {
                Expect.failure(RpcException.class, text, () -> made.confirmation().join());
            }
            assertEquals(0, RetryFunctions.of(group.rpc(1)).runs("call"));
            awaitNothingKept(group);
        }
        try (WorkerGroup group = losing("UDF_CALL:1", "")) {
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
        try (WorkerGroup group = losing("", "UDF_CALL:0.5")) {
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
        try (WorkerGroup group = losing("UDF_CALL:1", "")) {
            Rpc rpc = group.rpc(0);
            RpcCalls calls = rpc.withTimeout(Duration.ofMillis(500)).withRetry(patient());
            long begun = System.nanoTime();
            Expect.failure(
                    RpcTimeoutException.class,
                    "^RPCErr:1:RPC ran for more than set timeout \\(500 ms\\)",
                    () -> calls.rpcSync("worker1", RetryFunctions::count, "late"));
            assertTrue(System.nanoTime() - begun >= 500_000_000L);
            assertTrue(metric(rpc, "num_retries") > 0);
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
        try (WorkerGroup group = losing("UDF_CALL:1", "")) {
            RpcFuture<Integer> lost =
                    group.rpc(0)
                            .withRetry(patient())
                            .rpcAsync("worker1", RetryFunctions::count, "lost");
            assertCancelled(group, lost);
            assertEquals(0, RetryFunctions.of(group.rpc(1)).runs("lost"));
        }
        try (WorkerGroup group = losing("", "UDF_CALL:1")) {
            RpcFuture<Integer> held =
                    group.rpc(0)
                            .withRetry(patient())
                            .rpcAsync("worker1", RetryFunctions::countAndHold, "held");
            RetryFunctions there = RetryFunctions.of(group.rpc(1));
            Expect.eventually("it runs", () -> there.runs("held") == 1);
            assertCancelled(group, held);
            Expect.eventually(
                    "the call was stopped though no door was opened",
                    () -> metric(group.rpc(1), "agent.server_active_calls") == 0);
            assertEquals(1, there.runs("held"));
        }
    }

    private static void assertCancelled(WorkerGroup group, RpcFuture<Integer> call)
            throws Exception {
        Rpc rpc = group.rpc(0);
        Expect.eventually("it is sent again", () -> metric(rpc, "num_retries") > 1);
        assertTrue(call.cancel());
        RpcException failure =
                Expect.failure(RpcException.class, "the call was cancelled", call::join);
        assertEquals(RpcErrorKind.CANCELLED, failure.kind());
        awaitNothingKept(group);
        Expect.eventually(
                "the call has ended", () -> metric(rpc, "agent.client_active_calls") == 0);
    }

    @Case("RT-011")
    void whereAnswersHaveNoRoomTheFunctionRunsOnceAllTheSame() throws Exception {
        for (String limit :
                new String[] {"gradwire.cached-replies", "gradwire.cached-reply-bytes"}) {
            try (WorkerGroup group =
                    group(limit, "0", "gradwire.faulty.replies-to-lose", "UDF_CALL:0.5")) {
                RpcCalls calls = group.rpc(0).withRetry(patient());
                int missed = 0;
                for (int i = 1; i <= TIMES; i++) {
                    try {
                        assertEquals(i, calls.rpcSync("worker1", RetryFunctions::count, "run"));
                    } catch (RpcException e) {
                        assertEquals(RpcErrorKind.REPLY_GONE, e.kind(), e::getMessage);
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
        try (DynamicMembers members =
                DynamicMembers.of(
                        backend()
                                .withFaults(
                                        Map.of("gradwire.faulty.replies-to-lose", "UDF_CALL:1")))) {
            Rpc first = members.join(0);
            Rpc second = members.join(1);
            RpcFuture<Integer> call =
                    first.withRetry(patient()).rpcAsync("worker1", RetryFunctions::count, "run");
            Expect.eventually(
                    "the call runs and was retried",
                    () ->
                            RetryFunctions.of(second).runs("run") == 1
                                    && metric(first, "num_retries") > 1);
            second.shutdownNow();
            Expect.eventually("it has left", () -> first.workers().size() == 1);
            Rpc again = members.join(1);
            assertEquals(again.workers(), first.workers());
            Expect.failure(RpcConnectionException.class, "", call::join);
            assertEquals(0, metric(first, "num_retried_calls"));
            assertEquals(1, RetryFunctions.of(second).runs("run"));
            assertEquals(0, RetryFunctions.of(again).runs("run"));
        }
    }

    @Case("RT-012")
    void aNewWorkerRefusesACallThatWasMeantForAnEarlierOne() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            Rpc first = members.join(0);
            members.join(1).shutdownNow();
            Expect.eventually("it has left", () -> first.workers().size() == 1);
            Rpc again = members.join(1);
            assertEquals(again.workers(), first.workers());
            Expect.failure(
                    RpcConnectionException.class,
                    "a call was sent to an earlier worker of this id",
                    () -> count(first, 7, 2));
            assertEquals(0, RetryFunctions.of(again).runs("by hand"));
        }
    }

    /** Send a hand-made request to worker 1 to count, and return its reply. */
    private static int count(Rpc rpc, long id, long place) {
        Consumer<Output> args =
                out -> {
                    out.writeInt(1);
                    out.writeValue("by hand");
                };
        return (int) request(rpc, "#count(Ljava/lang/String;)I", args, id, place);
    }

    /** Send a hand-made request to worker 1 for its state. */
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
                    out.writeLong(0); // no earlier call has ended
                    out.writeLong(place);
                    out.writeString(name);
                    args.accept(out);
                };
        Input reply = Worker.of(rpc).request(1, MessageTypes.UDF_CALL, body, null).join();
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
        try (WorkerGroup group = WorkerGroup.start(backend(), 2)) {
            Rpc rpc = group.rpc(0);
            Rpc callee = group.rpc(1);
            assertEquals(1, count(rpc, 8, 0));
            assertEquals(1, count(rpc, 8, 0));
            assertEquals(2, count(rpc, 7, 0)); // overtaken by the other request
            assertEquals(1, count(rpc, 8, 0));
            assertEquals(2, metric(callee, "num_cached_replies"));
            tellEnded(rpc, 8);
            assertEquals(1, metric(callee, "num_cached_replies"));
            RpcException failure =
                    Expect.failure(
                            RpcException.class,
                            "call 7 arrived again after its reply was dropped",
                            () -> count(rpc, 7, 0));
            assertEquals(RpcErrorKind.REPLY_GONE, failure.kind());
            assertEquals(1, count(rpc, 8, 0));
            tellEnded(rpc, 9);
            tellEnded(rpc, 3); // late
            assertEquals(2, RetryFunctions.of(callee).runs("by hand"));
            assertEquals(0, metric(callee, "num_cached_replies"));
            assertEquals(0, metric(callee, "num_cached_reply_bytes"));
            assertEquals(81, rpc.rpcSync("worker1", CallFunctions::square, 9));
        }
    }

    @Case("RT-013")
    void whatIsKeptForACallerGoesWithIt() throws Exception {
        try (DynamicMembers members = DynamicMembers.of(backend())) {
            Rpc caller = members.join(0);
            Rpc callee = members.join(1);
            assertEquals(1, count(caller, 5, 2));
            assertEquals(1, metric(callee, "num_cached_replies"));
            caller.shutdownNow();
            Expect.eventually("nothing is kept", () -> metric(callee, "num_cached_replies") == 0);
            Rpc successor = members.join(0);
            assertEquals(2, count(successor, 5, 2), "its call 5 is a different call");
            assertEquals(1, metric(callee, "num_cached_replies"));
            tellEnded(successor, 6);
            assertEquals(0, metric(callee, "num_cached_replies"));
            assertEquals(
                    3,
                    successor
                            .withRetry(patient())
                            .rpcSync("worker1", RetryFunctions::count, "by hand"));
            Expect.eventually("nothing is kept", () -> metric(callee, "num_cached_replies") == 0);
        }
    }

    @Case("RT-013")
    void anAnswerThatIsKeptStaysAsItWasGiven() throws Exception {
        try (WorkerGroup group = WorkerGroup.start(backend(), 2)) {
            Rpc rpc = group.rpc(0);
            RetryFunctions there = RetryFunctions.of(group.rpc(1));
            Tensor zeros = Tensor.zeros(1000);
            Expect.tensor(zeros, state(rpc, 1));
            assertTrue(metric(group.rpc(1), "num_cached_reply_bytes") >= 4000);
            there.stateHere().add_(Tensor.ones(1000));
            Expect.tensor(zeros, state(rpc, 1));
            Expect.tensor(Tensor.ones(1000), state(rpc, 2));
            assertEquals(2, there.runs("state"));
            tellEnded(rpc, 3);
            awaitNothingKept(group);
        }
    }
}
