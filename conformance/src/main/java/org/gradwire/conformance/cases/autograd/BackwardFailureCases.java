package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.autograd.Node;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Cases of backward passes that lose a worker or their context, or that wait for a gradient that is
 * never sent.
 */
public abstract class BackwardFailureCases extends AutogradSuite {
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);
    private static final long LIMIT_SECONDS = 30;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** For subclasses. */
    protected BackwardFailureCases() {}

    /** Pattern of the failure of a call to a worker that has left. */
    private static final String SHUTDOWN_ERROR =
            "(Exception in thread pool task)|(Connection reset by peer)|(Connection closed by peer)";

    @Case("DA-067")
    void aPassWaitsForASendFunctionThatNobodyUses() {
        Map<Integer, CompletableFuture<String>> ends = new ConcurrentHashMap<>();
        world(WORLD_SIZE)
                .run(self -> {
                    var waits = new CountDownLatch(1);
                    var end = new CompletableFuture<String>();
                    ends.put(self.id(), end);
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> end.complete(failureOfUnusedSend(self, waits)));
                    assertTrue(waits.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                    assertEquals("1", self.rpc().debugInfo().get("num_current_backward_passes"));
                    assertFalse(end.isDone());
                });
        // All workers have left in order, and that has ended the passes: the shutdown of the pass's
        // own worker or of the other one, whichever came first.
        assertEquals(WORLD_SIZE, ends.size());
        ends.forEach((rank, end) -> {
            String text = end.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
            assertTrue(
                    text.matches(
                            "Error on Node %d: (the worker was shut down while a backward pass of autograd context \\d+ was running|Connection closed by peer.*)"
                                    .formatted(rank)),
                    text);
        });
    }

    /**
     * Run a pass that does not use the result of a call.
     *
     * @param waits counted down once only the gradient of that call is missing
     */
    private static String failureOfUnusedSend(Rank self, CountDownLatch waits) {
        Tensor a = random(self, 1);
        Tensor b = random(self, 2);
        try (AutogradContext context = DistAutograd.context(self.rpc())) {
            Tensor unused = self.rpc().rpcSync(self.roundRobin(), Ops::add, a, b);
            Tensor product = a.mul(b);
            Node last = product.gradFn();
            assertNotNull(last);
            last.addPostHook((_, _) -> waits.countDown());
            context.backward(product.sum());
            return "the pass ended without the gradient of " + unused;
        } catch (RpcException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Case("DA-069")
    void aPassFailsWhenAWorkerThatItNeedsHasLeft() {
        var made = new CountDownLatch(WORLD_SIZE);
        world(WORLD_SIZE)
                .withoutGracefulShutdown()
                .run(self -> {
                    Rpc rpc = self.rpc();
                    rpc.rpcTimeout(SHORT_TIMEOUT);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor a = random(self, 1);
                        Tensor b = random(self, 2);
                        Tensor sum = rpc.rpcSync(self.roundRobin(), Ops::add, a, b);
                        meet(made);
                        if (self.id() % 2 != 0) {
                            rpc.shutdownNow();
                        } else {
                            assertPassFails(self, context, sum, "worker1", "worker3");
                        }
                    }
                });
    }

    @Case("DA-079")
    void aPassFailsWhenAWorkerInTheMiddleHasLeft() {
        var made = new CountDownLatch(WORLD_SIZE);
        var done = new CountDownLatch(1);
        world(WORLD_SIZE)
                .withoutGracefulShutdown()
                .run(self -> {
                    Rpc rpc = self.rpc();
                    rpc.rpcTimeout(SHORT_TIMEOUT);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor sum = addThreeHopsAway(self);
                        meet(made);
                        switch (self.id()) {
                            case 0 -> {
                                assertPassFails(self, context, sum, "worker2");
                                done.countDown();
                            }
                            case 2 -> rpc.shutdownNow();
                            default -> assertTrue(done.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                        }
                    }
                });
    }

    private static Tensor addThreeHopsAway(Rank self) {
        int next = (self.id() + 1) % WORLD_SIZE;
        Tensor a = random(self, 1);
        Tensor b = random(self, 2);
        return self.rpc()
                .rpcSync(
                        self.next(),
                        Call.to(AutogradFunctions::nested).args(a, b, next, WORLD_SIZE, 1));
    }

    private static void assertPassFails(
            Rank self, AutogradContext context, Tensor sum, String... leaving) {
        for (String worker : leaving) {
            awaitFailure(self, worker);
        }
        assertFails(RpcException.class, SHUTDOWN_ERROR, () -> context.backward(sum.sum()));
        assertEquals(Map.of(), context.gradients());
    }

    private static void awaitFailure(Rank self, String worker) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (true) {
            try {
                self.rpc().rpcSync(worker, AutogradFunctions::addNumbers, 1, 1);
            } catch (RpcException e) {
                return;
            }
            assertTrue(System.nanoTime() < deadline, worker + " still answers");
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Identity function whose gradient releases a context. */
    private static final class Releasing extends AutogradFunction {
        private final AutogradContext context;

        Releasing(AutogradContext context) {
            this.context = context;
        }

        @Override
        protected Tensor[] forward(FunctionContext call, Tensor... inputs) {
            return inputs;
        }

        @Override
        protected Tensor[] backward(FunctionContext call, Tensor... gradients) {
            context.close();
            return gradients;
        }
    }

    @Case("DA-081")
    void aContextThatIsReleasedByItsOwnPass() {
        int calls = 100;
        var done = new CountDownLatch(WORLD_SIZE);
        world(WORLD_SIZE)
                .withoutGracefulShutdown()
                .run(self -> {
                    Rpc rpc = self.rpc();
                    AutogradContext context = DistAutograd.context(rpc); // its pass releases it
                    for (int distance = 1; distance < WORLD_SIZE; distance++) {
                        String other = self.name(distance);
                        rpc.runSync(other, CaseState::setRpcDone, context.id(), distance);
                    }
                    barrier(self);
                    assertEquals(WORLD_SIZE - 1, CaseState.of(rpc).knownContextIds().size());
                    Tensor sum = random(self, 1);
                    for (int i = 0; i < calls; i++) {
                        sum = rpc.rpcSync(self.roundRobin(), Ops::add, sum, sum);
                    }
                    assertEquals(calls, context.sendFunctions().size());
                    assertPassEndsContext(rpc, context, new Releasing(context).apply(sum).sum());
                    meet(done);
                });
    }

    private static void assertPassEndsContext(Rpc rpc, AutogradContext context, Tensor loss) {
        long id = context.id();
        assertFails(
                RpcException.class,
                "Could not find autograd context with id: 100",
                () -> DistAutograd.lookup(rpc, 100).backward(loss));
        assertEquals(context, DistAutograd.lookup(rpc, id));
        assertFails(
                RpcException.class,
                "autograd context %d was released while a backward pass was running".formatted(id),
                () -> DistAutograd.lookup(rpc, id).backward(loss));
        assertFalse(ContextGate.isKnown(rpc, id));
    }
}
