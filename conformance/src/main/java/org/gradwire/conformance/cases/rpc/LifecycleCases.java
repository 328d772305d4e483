package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Cases of graceful and abrupt shutdown. */
@Tag("quick")
public abstract class LifecycleCases extends NestedSuite {
    private static final String NOT_INITIALIZED =
            "^RPC has not been initialized\\. Call Rpc\\.init first\\.";

    /** For subclasses. */
    protected LifecycleCases() {}

    @Case("API-004")
    void nothingWorksWithoutAWorker() {
        Expect.failure(RpcException.class, NOT_INITIALIZED, Rpc::current);
        world(2).run(self -> {
            RRef<Integer> user =
                    self.rpc().remote(self.next(), ReferenceFunctions::returnValue, self.id());
            assertEquals(self.id(), user.toHere());
            self.rpc().shutdown();
            Expect.failure(RpcException.class, NOT_INITIALIZED, Rpc::current);
            publicCalls(self.rpc(), self.next())
                    .forEach(
                            (_, call) -> Expect.failure(RpcException.class, NOT_INITIALIZED, call));
            self.rpc().shutdown(); // a no-op
            self.rpc().close();
        });
    }

    private static Map<String, Executable> publicCalls(Rpc rpc, String peer) {
        return Map.of(
                "rpcSync", () -> rpc.rpcSync(peer, CallFunctions::square, 1),
                "rpcAsync", () -> rpc.rpcAsync(peer, CallFunctions::square, 1),
                "remote", () -> rpc.remote(peer, CallFunctions::square, 1),
                "withTimeout", () -> rpc.withoutTimeout().rpcSync(peer, CallFunctions::square, 1),
                "worker looked up by name", () -> rpc.worker(peer),
                "worker looked up by id", () -> rpc.worker(0),
                "workers", rpc::workers,
                "rref", () -> rpc.rref(1),
                "barrier", rpc::barrier,
                "allGather", () -> rpc.allGather(1, Set.of(), Duration.ofSeconds(1)));
    }

    @Case("API-014")
    void callsUnderWayNestedOnesAndThoseOfCallbacksAreCompletedFirst() {
        var results = new CompletableFuture<List<Integer>>();
        var ended = new AtomicInteger(); // bodies of all ranks but the last
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            if (self.id() == 3) {
                Gate.of(rpc).awaitArrivals("last", 1);
                Expect.eventually("the others leave", () -> ended.get() == 3);
                Gate.of(rpc).letPass("last");
            } else if (self.id() == 0) {
                RpcFuture<Integer> nested =
                        rpc.rpcAsync(
                                "worker1",
                                CallFunctions::relay,
                                List.of("worker2", "worker3"),
                                "last",
                                11);
                nested.onDone(outer ->
                        rpc.rpcAsync("worker2", CallFunctions::square, outer.join())
                                .onDone(inner -> {
                                    int cube = rpc.rpcSync("worker1", CallFunctions::square, 3);
                                    results.complete(List.of(outer.join(), inner.join(), cube));
                                }));
            }
            ended.incrementAndGet();
        });
        assertEquals(List.of(11, 121, 9), results.getNow(List.of()));
    }

    @Case("API-014")
    void whoLeavesWaitsForTheOthersAndServesThem() {
        var ended = new AtomicInteger();
        var lastLeaves = new CountDownLatch(1);
        world(4).run(self -> {
            if (self.id() < 3) {
                ended.incrementAndGet();
                self.rpc().close(); // graceful
                assertEquals(
                        0, lastLeaves.getCount(), "a worker left before all had called shutdown");
            } else {
                Expect.eventually("the others leave", () -> ended.get() == 3);
                for (int i = 0; i < 30; i++) {
                    String peer = "worker" + i % 3;
                    assertEquals(i * i, self.rpc().rpcSync(peer, CallFunctions::square, i));
                }
                lastLeaves.countDown();
                self.rpc().close();
            }
        });
    }

    @Case("API-014")
    void openReferencesAreGivenUp() {
        world(4).run(self -> {
            RRef<Integer> user = self.rpc().remote(self.next(), CallFunctions::square, 3);
            RRef<Integer> owner = self.rpc().rref(5);
            RRef<Integer> unread = self.rpc().remote(self.name(2), CallFunctions::square, 4);
            self.rpc().runSync(self.name(2), ReferenceFunctions::take, owner);
            assertEquals(9, user.toHere());
            self.rpc().shutdown(Duration.ofSeconds(60)); // a leak would be an error
            assertEquals("0", self.rpc().debugInfo().get("num_owner_rrefs"));
            assertEquals("0", self.rpc().debugInfo().get("num_forks"));
            assertEquals(self.name(2), unread.owner().name());
        });
    }

    @Case("API-014")
    void theWorkerStopsAlsoWhenTheOthersDoNotLeave() {
        var stopped = new CountDownLatch(1);
        world(2).withoutGracefulShutdown()
                .run(self -> {
                    if (self.id() == 0) {
                        Expect.failure(
                                RpcException.class,
                                "the orderly shutdown of the group failed",
                                () -> self.rpc().shutdown(Duration.ofMillis(300)));
                        Expect.failure(
                                RpcException.class, NOT_INITIALIZED, () -> self.rpc().workers());
                        stopped.countDown();
                    } else {
                        assertTrue(
                                stopped.await(30, TimeUnit.SECONDS), "worker 0 did not time out");
                    }
                });
    }

    @Case("API-014")
    void anOrderlyShutdownIsNotCalledFromWhatItWaitsFor() {
        world(2).runOnRank0(self -> {
            RpcFuture<Integer> call = self.rpc().rpcAsync("worker1", CallFunctions::holdAtDoor, 9);
            RpcFuture<Integer> then =
                    call.then(done -> {
                        self.rpc().shutdown();
                        return done.join();
                    });
            self.rpc().runSync("worker1", Gate::open, "door");
            Expect.failure(
                    RpcException.class, "an orderly shutdown waits for all calls", then::join);
            Expect.failure(
                    RpcException.class,
                    "an orderly shutdown waits for all calls",
                    () -> self.rpc().runSync("worker1", CallFunctions::shutDown));
            assertEquals(9, call.join());
        });
    }

    @Case("API-016")
    void anAbruptShutdownWaitsForNobodyAndFailsThePeersCalls() {
        var failed = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        world(2).withoutGracefulShutdown()
                .run(self -> {
                    if (self.id() == 0) {
                        callWhatIsShutDown(self, gone);
                        failed.countDown();
                    } else {
                        Gate.of(self.rpc()).awaitArrivals("door", 2);
                        self.rpc().shutdownNow(); // worker 0 still waits for its calls
                        Expect.failure(
                                RpcException.class, NOT_INITIALIZED, () -> self.rpc().workers());
                        gone.countDown();
                        assertTrue(
                                failed.await(30, TimeUnit.SECONDS), "calls to a worker that left");
                        Gate.of(self.rpc()).letPass("door");
                    }
                });
    }

    private static void callWhatIsShutDown(Rank self, CountDownLatch gone)
            throws InterruptedException {
        Rpc rpc = self.rpc();
        RpcFuture<Integer> one = rpc.rpcAsync("worker1", CallFunctions::holdAtDoor, 1);
        RpcFuture<Integer> other = rpc.rpcAsync("worker1", CallFunctions::holdAtDoor, 2);
        Expect.failure(RpcException.class, ".", one::join);
        Expect.failure(RpcException.class, ".", other::join);
        assertTrue(gone.await(30, TimeUnit.SECONDS));
        Expect.failure(
                RpcException.class, ".", () -> rpc.rpcSync("worker1", CallFunctions::square, 1));
    }
}
