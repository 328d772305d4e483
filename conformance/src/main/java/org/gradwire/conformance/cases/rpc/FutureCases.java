package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Cases of futures and callbacks, forked script tasks, and asynchronous functions. */
public abstract class FutureCases extends NestedSuite {
    private static final String EXPECTED_ERROR = "Expected error";

    /** For subclasses. */
    protected FutureCases() {}

    @Case("JR-035")
    void theFailureOfARemoteFunctionShowsWhenItsValueIsFetched() {
        world(4).run(self -> {
            RRef<Tensor> rref =
                    self.rpc().remote(self.next(), ScriptFunctions::raiseForTwo, Tensor.ones(2));
            Expect.failure(RuntimeException.class, EXPECTED_ERROR, rref::toHere);
        });
    }

    @Case("JR-036")
    void aRemoteFunctionMayForkTasks() {
        world(4).run(self -> {
            RRef<Tensor> rref =
                    self.rpc().remote(self.next(), ScriptFunctions::forkWait, Tensor.ones(2));
            Expect.tensor(Tensor.full(2.0, 2), rref.toHere());
        });
    }

    @Case("JR-037")
    void aCalledFunctionMayForkTasks() {
        world(4).run(self -> Expect.tensor(Tensor.full(2.0, 2), forkWait(self).join()));
    }

    @Case("JR-038")
    void aCallbackMakesANewResult() {
        world(4).run(self ->
                Expect.tensor(
                        Tensor.full(3.0, 2),
                        forkWait(self).then(done -> done.join().add(1)).join()));
    }

    @Case("JR-039")
    void callbacksMayBeChained() {
        world(4).run(self -> {
            int n = self.id() + 1;
            RpcFuture<Tensor> future =
                    self.rpc().rpcAsync(self.next(), ScriptFunctions::addOne, Tensor.ones(n, n));
            for (int i = 0; i < 20; i++) {
                future = future.then(done -> done.join().add(1));
            }
            Expect.tensor(Tensor.ones(n, n).add(1).add(20), future.join());
        });
    }

    @Case("JR-040")
    void aDoneCallbackRunsBeforeThoseRegisteredLater() {
        world(4).run(self -> {
            var saved = new AtomicReference<Tensor>();
            RpcFuture<Tensor> future = forkWait(self);
            future.onDone(done -> saved.set(done.join().mul(2)));
            RpcFuture<Boolean> then = future.then(_ -> true);
            Expect.tensor(Tensor.full(2.0, 2), future.join());
            assertTrue(then.join());
            Expect.tensor(Tensor.full(4.0, 2), saved.get());
        });
    }

    @Case("JR-041")
    void theFailureOfAForkedTaskReachesTheCaller() {
        world(4).run(self ->
                Expect.failure(
                        RuntimeException.class, EXPECTED_ERROR, () -> forkThrow(self).join()));
    }

    @Case("JR-042")
    void aCallbackSeesTheFailureAndMayThrowAnother() {
        world(4).run(self -> {
            RpcFuture<Tensor> future =
                    forkThrow(self)
                            .then(done -> {
                                Expect.failure(RuntimeException.class, EXPECTED_ERROR, done::join);
                                throw new IllegalStateException("Another expected error");
                            });
            Expect.failure(RuntimeException.class, "Another expected error", future::join);
        });
    }

    @Case("JR-049")
    void anAsyncFunctionAnswersWithTheValueOfItsFuture() {
        world(4).run(self -> {
            Tensor ones = Tensor.ones(2, 2);
            Tensor sum =
                    self.rpc()
                            .rpcSync(
                                    self.next(),
                                    RpcFunction.async(ScriptFunctions::asyncAdd),
                                    self.name(2),
                                    ones,
                                    ones);
            Expect.tensor(Tensor.ones(2, 2).add(1), sum);
        });
    }

    @Case("JR-049")
    void anAsyncFunctionHoldsNoThreadWhileItsFutureIsOpen() {
        world(4).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            List<RpcFuture<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                answers.add(
                        rpc.rpcAsync(
                                "worker1",
                                RpcFunction.async(ScriptFunctions::asyncHold),
                                "worker2",
                                "answer",
                                i));
            }
            rpc.runSync("worker2", Gate::awaitEntered, "answer", 4);
            // Only the probing function itself runs there.
            Expect.eventually(
                    "4 calls wait on worker1 without a thread",
                    () -> waiting(rpc.rpcSync("worker1", CallFunctions::debugInfo), 4, 1));
            assertFalse(answers.stream().anyMatch(RpcFuture::isDone));
            rpc.runSync("worker2", Gate::open, "answer");
            for (int i = 0; i < 4; i++) {
                assertEquals(i, answers.get(i).join());
            }
        });
    }

    private static boolean waiting(Map<String, String> info, int open, int running) {
        int pool = Integer.parseInt(info.getOrDefault("agent.thread_pool_size", "-1"));
        int idle = Integer.parseInt(info.getOrDefault("agent.num_idle_threads", "-1"));
        return pool - idle == running
                && Integer.toString(open).equals(info.get("agent.server_active_async_calls"));
    }

    @Case("JR-049")
    void aFutureNeverTravels() {
        world(4).runOnRank0(self -> {
            RpcFuture<Tensor> future = forkWait(self);
            RuntimeException failure =
                    assertThrows(
                            RuntimeException.class,
                            () -> self.rpc().rpcSync("worker1", CallFunctions::echo, future));
            assertTrue(failure instanceof IllegalArgumentException, "refused before it is sent");
            Expect.tensor(Tensor.full(2.0, 2), future.join());
        });
    }

    private static RpcFuture<Tensor> forkWait(Rank self) {
        return self.rpc().rpcAsync(self.next(), ScriptFunctions::forkWait, Tensor.ones(2));
    }

    private static RpcFuture<Tensor> forkThrow(Rank self) {
        return self.rpc().rpcAsync(self.next(), ScriptFunctions::forkWaitThrow, Tensor.ones(2));
    }
}
