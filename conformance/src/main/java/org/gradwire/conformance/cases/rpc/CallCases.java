package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Cases of synchronous and asynchronous calls and their destinations. */
@Tag("quick")
public abstract class CallCases extends NestedSuite {

    /** For subclasses. */
    protected CallCases() {}

    @Case("API-018")
    void workersAreFoundByNameAndId() {
        world(3).run(self -> {
            Rpc rpc = self.rpc();
            assertEquals(new WorkerInfo(self.id(), "worker" + self.id()), rpc.self());
            assertEquals(rpc.self(), rpc.worker(self.name()));
            WorkerInfo last = new WorkerInfo(2, "worker2");
            assertEquals(last, rpc.worker("worker2"));
            assertEquals(last, rpc.worker(2));
            assertEquals(4, rpc.rpcSync(last.name(), CallFunctions::square, 2));
            assertEquals("WorkerInfo(id=2, name=worker2)", last.toString());
            unknown("name:worker%d,rank:%d could not find destination name absent", rpc, "absent");
            String unknownId =
                    "name:worker%d,rank:%d could not find destination id 7"
                            .formatted(self.id(), self.id());
            Expect.failure(RpcException.class, unknownId, () -> rpc.worker(7));
        });
    }

    private static void unknown(String text, Rpc rpc, String name) {
        int id = rpc.self().id();
        String expected = text.formatted(id, id);
        Expect.failure(RpcException.class, expected, () -> rpc.worker(name));
        Expect.failure(
                RpcException.class, expected, () -> rpc.rpcSync(name, CallFunctions::square, 2));
        Expect.failure(
                RpcException.class, expected, () -> rpc.rpcAsync(name, CallFunctions::square, 2));
        Expect.failure(
                RpcException.class, expected, () -> rpc.remote(name, CallFunctions::square, 2));
    }

    /** A function object that is not a method reference. */
    private record NoReference(int field) implements Function0<Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public Integer call() {
            return field;
        }
    }

    @Case("API-024")
    void onlyFunctionsCanBeCalled() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            Object state = new Object();
            List<@Nullable Function0<Integer>> notCallable = new ArrayList<>();
            notCallable.add(null);
            notCallable.add(new NoReference(1));
            notCallable.add(state::hashCode);
            for (Function0<Integer> function : notCallable.subList(0, 2)) {
                String text =
                        function == null
                                ? "the remote function is null; write it as Type::method"
                                : "is not a method reference; write a remote function as Type::method";
                Expect.failure(
                        TypeMismatchException.class,
                        text,
                        () -> rpc.rpcSync("worker1", unchecked(function)));
                Expect.failure(
                        TypeMismatchException.class,
                        text,
                        () -> rpc.rpcAsync("worker1", unchecked(function)));
            }
            Expect.failure(
                    TypeMismatchException.class,
                    "cannot be called remotely",
                    () -> rpc.rpcSync("worker1", unchecked(notCallable.getLast())));
        });
    }

    @SuppressWarnings("NullAway") // passes null on purpose
    private static Function0<Integer> unchecked(@Nullable Function0<Integer> function) {
        return function;
    }

    @Case("API-024")
    void theCalleeKnowsThatAFunctionAnswersLater() {
        world(3).runOnRank0(self -> {
            RpcFuture<Integer> answer =
                    self.rpc()
                            .rpcAsync(
                                    "worker1",
                                    RpcFunction.async(ScriptFunctions::asyncHold),
                                    "worker2",
                                    "door",
                                    9);
            self.rpc().runSync("worker2", Gate::awaitEntered, "door", 1);
            assertFalse(answer.isDone());
            self.rpc().runSync("worker2", Gate::open, "door");
            assertEquals(9, answer.join());
        });
    }

    @Case("API-025")
    void aCallGivesTheValueOrTheRemoteFailure() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            assertEquals(49, rpc.rpcSync("worker1", CallFunctions::square, 7));
            assertEquals(49, rpc.rpcSync(self.name(), CallFunctions::square, 7));
            RemoteException failure =
                    Expect.failure(
                            RemoteException.class,
                            "(?s)On WorkerInfo\\(id=1, name=worker1\\):.*no luck.*at .*CallFunctions",
                            () -> rpc.rpcSync("worker1", CallFunctions::fail, "no luck"));
            assertEquals(rpc.worker(1), failure.worker());
            Expect.failure(
                    IllegalArgumentException.class,
                    "On WorkerInfo\\(id=1, name=worker1\\)",
                    () -> rpc.rpcSync("worker1", CallFunctions::refuse, "bad"));
        });
    }

    @Case("API-025")
    void aCallEndsWithItsOwnTimeoutOrTheDefault() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            timesOut(
                    200, () -> rpc.withTimeout(Duration.ofMillis(200)).rpcSync("worker1", HOLD, 1));
            rpc.rpcTimeout(Duration.ofMillis(150));
            timesOut(150, () -> rpc.rpcSync("worker1", HOLD, 1));
            // This call has no timeout; the default timeout passes twice meanwhile.
            RpcFuture<Integer> endless = rpc.withoutTimeout().rpcAsync("worker1", HOLD, 5);
            timesOut(150, () -> rpc.rpcSync("worker1", HOLD, 1));
            timesOut(150, () -> rpc.rpcSync("worker1", HOLD, 1));
            assertFalse(endless.isDone());
            rpc.withoutTimeout().runSync("worker1", Gate::open, "door");
            assertEquals(5, endless.join());
        });
    }

    private static final Function1<Integer, Integer> HOLD = CallFunctions::holdAtDoor;

    private static void timesOut(int millis, org.junit.jupiter.api.function.Executable call) {
        Expect.failure(
                RpcTimeoutException.class,
                "^RPCErr:1:RPC ran for more than set timeout \\(%d ms\\) and will now be marked with an error: org\\.gradwire\\.conformance\\.functions\\.CallFunctions\\.hold\\w+ on worker1$"
                        .formatted(millis),
                call);
    }

    @Case("API-025")
    void manyThreadsMayCallAtATime() {
        world(2).run(self -> {
            List<Future<?>> callers = new ArrayList<>();
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
                    ExecutorService platform = Executors.newFixedThreadPool(4)) {
                for (int i = 0; i < 40; i++) {
                    int n = i;
                    Runnable caller =
                            () -> {
                                for (int k = n; k < n + 5; k++) {
                                    int square =
                                            self.rpc()
                                                    .rpcSync(self.next(), CallFunctions::square, k);
                                    assertEquals(k * k, square);
                                }
                            };
                    callers.add((i % 2 == 0 ? virtual : platform).submit(caller));
                }
                for (Future<?> caller : callers) {
                    caller.get();
                }
            }
        });
    }

    @Case("API-026")
    void anAsynchronousCallReturnsAtOnceWithAFuture() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RpcFuture<Integer> held = rpc.rpcAsync("worker1", HOLD, 3);
            assertFalse(held.isDone(), "the door is still closed");
            List<RpcFuture<Integer>> others = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                others.add(rpc.rpcAsync("worker1", CallFunctions::square, i));
            }
            for (int i = 0; i < 10; i++) {
                assertEquals(i * i, others.get(i).join());
            }
            rpc.runSync("worker1", Gate::open, "door");
            assertEquals(3, held.join());
            assertTrue(held.isDone());
            RpcFuture<Integer> failed = rpc.rpcAsync("worker1", CallFunctions::fail, "no luck");
            RpcException failure = Expect.failure(RpcException.class, "no luck", failed::join);
            assertInstanceOf(RemoteException.class, failure);
        });
    }

    @Case("API-026")
    void argumentsAreAsTheyWereWhenTheFutureIsComplete() {
        world(2).runOnRank0(self -> {
            Tensor value = Tensor.ones(3, 3);
            RpcFuture<Tensor> sum =
                    self.rpc()
                            .rpcAsync(
                                    "worker1",
                                    Call.to(ScriptFunctions::add).args(value, Tensor.ones(3, 3)));
            Expect.tensor(Tensor.full(2.0, 3, 3), sum.join());
            value.zero_(); // allowed from here on
            Expect.tensor(Tensor.full(2.0, 3, 3), sum.join());
        });
    }
}
