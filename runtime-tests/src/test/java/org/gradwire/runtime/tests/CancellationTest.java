package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.tests.functions.Holds;
import org.gradwire.runtime.tests.functions.Numbers;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Cancellation of calls. */
@Timeout(60)
class CancellationTest {

    /** The task of one worker, with access to the holds of all. */
    private interface Body {
        void run(Rpc rpc, Map<Integer, Holds> holds) throws Exception;
    }

    private static void run(int size, Map<String, String> settings, Body body) throws Exception {
        Map<Integer, Holds> holds = new ConcurrentHashMap<>();
        var all = new CountDownLatch(size);
        InprocGroup.run(
                size,
                settings,
                rpc -> {
                    holds.put(rpc.self().id(), Holds.of(rpc));
                    all.countDown();
                    if (rpc.self().id() == 0) {
                        assertTrue(all.await(30, TimeUnit.SECONDS));
                        body.run(rpc, holds);
                    }
                });
    }

    private static void assertCancelled(RpcFuture<?> future) {
        RpcException failure = assertThrows(RpcException.class, future::join);
        assertEquals(RpcErrorKind.CANCELLED, failure.kind());
    }

    private static Holds of(Map<Integer, Holds> holds, int id) {
        Holds found = holds.get(id);
        if (found == null) {
            throw new AssertionError("worker " + id + " has no holds");
        }
        return found;
    }

    /** Interrupt a thread while it waits for a call that holds, and return its failure. */
    private static RpcException interrupt(Holds callee, Executable call) throws Exception {
        var failure = new CompletableFuture<RpcException>();
        Thread waiting =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                RpcException thrown = assertThrows(RpcException.class, call);
                                assertTrue(Thread.currentThread().isInterrupted());
                                failure.complete(thrown);
                            } catch (Throwable e) {
                                failure.completeExceptionally(e);
                            }
                        });
        callee.awaitEntered();
        waiting.interrupt();
        return failure.get(30, TimeUnit.SECONDS);
    }

    @Test
    void interruptedSynchronousCallContinues() throws Exception {
        run(
                2,
                Map.of(),
                (rpc, holds) -> {
                    assertEquals(
                            "interrupted while waiting for a call; the call itself continues",
                            interrupt(of(holds, 1), () -> rpc.rpcSync("worker1", Holds::hold, 7))
                                    .getMessage());
                    of(holds, 1).release();
                    assertEquals(4, rpc.rpcSync("worker1", Numbers::square, 2));
                    assertFalse(of(holds, 1).wasInterrupted());
                });
    }

    @Test
    void interruptedJoinLeavesTheCallRunning() throws Exception {
        run(
                2,
                Map.of(),
                (rpc, holds) -> {
                    RpcFuture<Integer> held = rpc.rpcAsync("worker1", Holds::hold, 7);
                    assertEquals(
                            "interrupted while waiting for a call; the call itself continues",
                            interrupt(of(holds, 1), held::join).getMessage());
                    assertFalse(held.isDone());
                    of(holds, 1).release();
                    assertEquals(7, held.join());
                });
    }

    @Test
    void threadOfTheFunctionIsInterrupted() throws Exception {
        run(
                2,
                Map.of(),
                (rpc, holds) -> {
                    RpcFuture<Integer> held = rpc.rpcAsync("worker1", Holds::hold, 1);
                    of(holds, 1).awaitEntered();
                    assertTrue(held.cancel());
                    assertFalse(held.cancel());
                    assertCancelled(held);
                    of(holds, 1).awaitInterrupted();
                    assertEquals(4, rpc.rpcSync("worker1", Numbers::square, 2));
                });
    }

    @Test
    void futureOfAnAsynchronousFunctionIsCancelled() throws Exception {
        run(
                2,
                Map.of(),
                (rpc, holds) -> {
                    RpcFuture<Integer> held =
                            rpc.rpcAsync("worker1", RpcFunction.async(Holds::promise));
                    of(holds, 1).awaitEntered();
                    assertTrue(held.cancel());
                    assertCancelled(held);
                    of(holds, 1).awaitCancelled();
                });
    }

    @Test
    void chainOfAsynchronousFunctionsIsCancelledToItsEnd() throws Exception {
        run(
                3,
                Map.of(),
                (rpc, holds) -> {
                    RpcFuture<Integer> held =
                            rpc.rpcAsync(
                                    "worker1",
                                    RpcFunction.async(Holds::holdElsewhere),
                                    "worker2",
                                    1);
                    of(holds, 2).awaitEntered();
                    assertTrue(held.cancel());
                    of(holds, 2).awaitInterrupted();
                });
    }

    @Test
    void queuedCallDoesNotStart() throws Exception {
        run(
                2,
                Map.of("gradwire.max-running-calls", "1"),
                (rpc, holds) -> {
                    RpcFuture<Integer> first = rpc.rpcAsync("worker1", Holds::hold, 1);
                    of(holds, 1).awaitEntered();
                    RpcFuture<Integer> second = rpc.rpcAsync("worker1", Holds::hold, 2);
                    assertTrue(second.cancel());
                    // Delivered after the cancellation, in the order of the mailbox.
                    var _ = rpc.rpcSync("worker1", Ops::add, Tensor.ones(1), 1);
                    RpcFuture<Integer> third = rpc.rpcAsync("worker1", Numbers::square, 3);
                    of(holds, 1).release();
                    assertEquals(1, first.join());
                    assertEquals(9, third.join());
                    assertCancelled(second);
                    assertEquals(1, of(holds, 1).begun());
                });
    }

    @Test
    void completedFutureIsUnchanged() throws Exception {
        run(
                2,
                Map.of(),
                (rpc, holds) -> {
                    RpcFuture<Integer> done = rpc.rpcAsync("worker1", Numbers::square, 3);
                    assertEquals(9, done.join());
                    assertFalse(done.cancel());
                    assertEquals(9, done.value());
                });
    }

    @Test
    void viewOfTheJdkCancelsToo() throws Exception {
        run(
                2,
                Map.of(),
                (rpc, holds) -> {
                    RpcFuture<Integer> held = rpc.rpcAsync("worker1", Holds::hold, 1);
                    of(holds, 1).awaitEntered();
                    assertTrue(held.toCompletableFuture().cancel(true));
                    assertCancelled(held);
                    of(holds, 1).awaitInterrupted();
                });
    }
}
