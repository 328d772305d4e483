package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Contexts on the remaining workers after the loss of a worker that called them in these. */
@Timeout(60)
class ContextLossTest {
    private final Tensor ones = Tensor.ones(2).requiresGrad(true);

    @Test
    void contextEndsIfOnlyALostWorkerBroughtIt() {
        try (var workers = new InprocWorkers(4)) {
            AutogradContext context = DistAutograd.context(workers.get(0));
            workers.get(0).rpcSync("worker1", Products::elsewhere, ones, ones, "worker2");
            assertTrue(ContextReleases.isKnown(workers.get(2), context.id()));
            workers.get(1).shutdownNow();
            context.close();
            ContextReleases.awaitNothing(workers.get(0), "worker2");
            ContextReleases.awaitNothing(workers.get(0), "worker3");
        }
    }

    /** Uses simulated time, in which a clean-up takes ten seconds. */
    @Test
    void contextEndsIfAWorkerWasLostBeforeItsCleanUp() throws Exception {
        Map<String, String> slowly =
                Map.of(
                        "gradwire.backend", "faulty",
                        "gradwire.faulty.backend", "inproc",
                        "gradwire.faulty.messages-to-fail", "",
                        "gradwire.faulty.messages-to-delay", "CLEANUP_AUTOGRAD_CONTEXT_REQ:10s");
        try (var group = new SimulatedGroup(3, 1, slowly)) {
            Rpc first = group.get(0);
            AutogradContext context = DistAutograd.context(first);
            first.rpcSync("worker1", Products::elsewhere, ones, ones, "worker2");
            context.close();
            group.pass(Duration.ofSeconds(15));
            assertFalse(ContextReleases.isKnown(group.get(1), context.id()));
            assertTrue(ContextReleases.isKnown(group.get(2), context.id()));
            group.get(1).shutdownNow();
            group.pass(Duration.ofMinutes(1));
            assertFalse(ContextReleases.isKnown(group.get(2), context.id()));
        }
    }

    @Test
    void contextEndsIfOnlyAWorkerThatLeftBroughtIt() {
        try (var workers = new InprocWorkers(4, true)) {
            AutogradContext context = DistAutograd.context(workers.get(0));
            workers.get(0).rpcSync("worker1", Products::elsewhere, ones, ones, "worker2");
            workers.get(1).shutdown();
            context.close();
            ContextReleases.awaitNothing(workers.get(0), "worker2");
        }
    }

    @Test
    void contextOfALostWorkerEndsThoughAnotherBroughtIt() {
        try (var workers = new InprocWorkers(4)) {
            AutogradContext context = DistAutograd.context(workers.get(0)); // ends with its worker
            workers.get(0).rpcSync("worker1", Products::elsewhere, ones, ones, "worker2");
            assertTrue(ContextReleases.isKnown(workers.get(2), context.id()));
            workers.get(0).shutdownNow();
            ContextReleases.awaitNothing(workers.get(3), "worker1");
            ContextReleases.awaitNothing(workers.get(3), "worker2");
        }
    }

    @Test
    void callForALostWorkerNoLongerBringsItsContext() {
        try (var workers = new InprocWorkers(3)) {
            AutogradContext context = DistAutograd.context(workers.get(0)); // ends with its worker
            RpcFuture<Tensor> product =
                    workers.get(0)
                            .rpcAsync(
                                    "worker1",
                                    Products::elsewhereAfterGate,
                                    1,
                                    ones,
                                    ones,
                                    "worker2");
            while (!ContextReleases.isKnown(workers.get(1), context.id())) {
                LockSupport.parkNanos(100_000);
            }
            workers.get(0).shutdownNow();
            ContextReleases.awaitNothing(workers.get(2), "worker1");
            workers.get(2).runSync("worker1", Products::openGate, 1);
            awaitFailure(product);
            assertFalse(ContextReleases.isKnown(workers.get(2), context.id()));
        }
    }

    private static void awaitFailure(RpcFuture<?> call) {
        try {
            call.join();
        } catch (RpcException _) {
            return; // its caller was shut down
        }
        throw new AssertionError("the call of a stopped worker succeeded");
    }
}
