package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WaitAll;

import java.util.ArrayList;
import java.util.List;

/** Cases of scopes that wait for the calls made in them. */
public abstract class WaitAllCases extends NestedSuite {
    private static final Function1<Integer, Integer> HOLD = CallFunctions::holdAtDoor;

    /** For subclasses. */
    protected WaitAllCases() {}

    @Case("API-009")
    @SuppressWarnings("try") // the scope variable exists to be closed
    void theEndOfTheScopeWaitsForEveryCallInIt() {
        world(2).runOnRank0(self -> {
            List<RpcFuture<Integer>> calls = new ArrayList<>();
            try (WaitAll scope = self.rpc().waitAll()) {
                for (int i = 0; i < 4; i++) {
                    calls.add(self.rpc().rpcAsync("worker1", HOLD, i));
                }
                openTheDoorOfWorker1OnAnotherThread(self);
            }
            assertTrue(calls.stream().allMatch(RpcFuture::isDone));
            for (int i = 0; i < 4; i++) {
                assertEquals(i, calls.get(i).value());
            }
        });
    }

    private static void openTheDoorOfWorker1OnAnotherThread(Rank self) {
        Thread.ofVirtual().start(() -> self.rpc().runSync("worker1", Gate::open, "door"));
    }

    @Case("API-009")
    void theFirstFailureIsThrownWhenAllAreComplete() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            WaitAll scope = rpc.waitAll();
            RpcFuture<Integer> held = rpc.rpcAsync("worker1", HOLD, 1);
            var _ = rpc.rpcAsync("worker1", CallFunctions::fail, "first");
            var _ = rpc.rpcAsync("worker1", CallFunctions::fail, "second");
            openTheDoorOfWorker1OnAnotherThread(self);
            Expect.failure(RpcException.class, "first", scope::close);
            assertTrue(held.isDone());
        });
    }

    @Case("API-009")
    @SuppressWarnings("try") // the scope variable exists to be closed
    void aBodyThatThrowsIsWaitedForToo() {
        world(2).runOnRank0(self -> {
            List<RpcFuture<Integer>> calls = new ArrayList<>();
            RuntimeException thrown =
                    assertThrows(
                            IllegalStateException.class,
                            () -> {
                                try (WaitAll scope = self.rpc().waitAll()) {
                                    calls.add(self.rpc().rpcAsync("worker1", HOLD, 1));
                                    calls.add(
                                            self.rpc()
                                                    .rpcAsync(
                                                            "worker1",
                                                            CallFunctions::fail,
                                                            "call"));
                                    openTheDoorOfWorker1OnAnotherThread(self);
                                    throw new IllegalStateException("body");
                                }
                            });
            assertEquals("body", thrown.getMessage());
            assertTrue(String.valueOf(thrown.getSuppressed()[0].getMessage()).contains("call"));
            assertTrue(calls.stream().allMatch(RpcFuture::isDone));
        });
    }

    @Case("API-009")
    void onlyAsynchronousCallsOfItsThreadAreCollected() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            WaitAll scope = rpc.waitAll();
            RRef<Integer> remote = rpc.remote("worker1", HOLD, 1);
            List<RpcFuture<Integer>> elsewhere = new ArrayList<>();
            Thread.ofPlatform().start(() -> elsewhere.add(rpc.rpcAsync("worker1", HOLD, 2))).join();
            Expect.failure(
                    RpcException.class,
                    "sync",
                    () -> rpc.rpcSync("worker1", CallFunctions::fail, "sync"));
            scope.close(); // neither waits for the closed door nor throws
            assertFalse(elsewhere.getFirst().isDone());
            rpc.runSync("worker1", Gate::open, "door");
            assertEquals(1, remote.toHere());
            assertEquals(2, elsewhere.getFirst().join());
        });
    }

    @Case("API-009")
    void aScopeStartsEmptyAndIsGoneAtItsEnd() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            rpc.waitAll().close();
            RpcFuture<Integer> outside = rpc.rpcAsync("worker1", HOLD, 1);
            RpcFuture<Integer> failed = rpc.rpcAsync("worker1", CallFunctions::fail, "outside");
            rpc.waitAll().close(); // would hang or throw if the scope had collected the calls
            assertFalse(outside.isDone());
            rpc.runSync("worker1", Gate::open, "door");
            assertEquals(1, outside.join());
            Expect.failure(RpcException.class, "outside", failed::join);
        });
    }

    @Case("API-009")
    void scopesNest() {
        world(2).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            WaitAll outer = rpc.waitAll();
            RpcFuture<Integer> ofOuter = rpc.rpcAsync("worker1", HOLD, 1);
            WaitAll inner = rpc.waitAll();
            RpcFuture<Integer> ofInner = rpc.rpcAsync("worker1", CallFunctions::square, 3);
            inner.close();
            assertTrue(ofInner.isDone());
            assertFalse(ofOuter.isDone(), "the call belongs to the outer scope");
            var _ = rpc.rpcAsync("worker1", CallFunctions::fail, "of the outer scope again");
            openTheDoorOfWorker1OnAnotherThread(self);
            Expect.failure(RpcException.class, "of the outer scope again", outer::close);
            assertTrue(ofOuter.isDone());
        });
    }
}
