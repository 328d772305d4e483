package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.functions.Tensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Failures of the discovery before a pass in SMART mode. */
@Timeout(60)
class SmartBackwardTest {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Workers of which one loses its requests of a discovery. */
    private static final class Deaf implements AutoCloseable {
        private final List<Rpc> workers;

        Deaf(int size, int loser, String timeout) {
            String meeting = "inproc://" + UUID.randomUUID();
            List<CompletableFuture<Rpc>> starting = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                Map<String, String> settings = new HashMap<>();
                settings.put("gradwire.rpc-timeout", timeout);
                settings.put("gradwire.faulty.backend", "inproc");
                settings.put("gradwire.faulty.messages-to-fail", "");
                settings.put("gradwire.faulty.messages-to-delay", "");
                settings.put(
                        "gradwire.faulty.requests-to-lose",
                        rank == loser ? "DISCOVER_AUTOGRAD_REQ:1" : "");
                RpcOptions.Builder options =
                        RpcOptions.builder("worker" + rank)
                                .rank(rank)
                                .worldSize(size)
                                .backend("faulty")
                                .rendezvous(meeting);
                settings.forEach(options::set);
                starting.add(onThread(() -> Rpc.init(options.build())));
            }
            workers = starting.stream().map(CompletableFuture::join).toList();
        }

        Rpc rpc(int rank) {
            return workers.get(rank);
        }

        @Override
        public void close() {
            workers.forEach(Rpc::shutdownNow);
        }
    }

    private static <T> CompletableFuture<T> onThread(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().start(run));
    }

    private static Tensor ones() {
        return Tensor.ones(2, 2).requiresGrad(true);
    }

    /** Wait until a worker has a number of passes. */
    private static void awaitPasses(Rpc rpc, int number) {
        while (!String.valueOf(number).equals(rpc.debugInfo().get("num_current_backward_passes"))) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Start a pass whose discovery does not end. */
    private static CompletableFuture<RuntimeException> begin(AutogradContext context, Tensor root) {
        return onThread(() ->
                assertThrows(
                        RuntimeException.class,
                        () -> context.backward(BackwardOptions.smart(), root)));
    }

    private static void assertSays(String expected, RuntimeException failure) {
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains(expected), text);
    }

    @Test
    void discoveryWithoutAReplyTimesOutAndTheContextStaysUsable() {
        try (var group = new Deaf(2, 0, "300ms");
                AutogradContext context = DistAutograd.context(group.rpc(0))) {
            Tensor a = ones();
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::add, a, a).sum();
            RpcException failure =
                    assertThrows(
                            RpcException.class,
                            () -> context.backward(BackwardOptions.smart().retainGraph(), sum));
            assertSays("Error on Node 0: ", failure);
            assertEquals(RpcErrorKind.TIMEOUT, failure.kind());
            assertEquals(Map.of(), context.gradients());
            context.backward(sum);
            assertTrue(Tensor.ones(2, 2).mul(2).equal(context.gradients().get(a)));
        }
    }

    @Test
    void remoteErrorNamesTheWorkersOnItsPath() {
        try (var group = new Deaf(3, 1, "300ms");
                AutogradContext context = DistAutograd.context(group.rpc(0))) {
            Tensor sum =
                    group.rpc(0)
                            .rpcSync("worker1", Tensors::addAt, ones(), ones(), "worker2")
                            .sum();
            RpcException failure =
                    assertThrows(
                            RpcException.class,
                            () -> context.backward(BackwardOptions.smart(), sum));
            assertSays("Error on Node ", failure);
        }
    }

    @Test
    void closingTheContextEndsTheDiscovery() {
        try (var group = new Deaf(2, 0, "60s")) {
            AutogradContext context = DistAutograd.context(group.rpc(0));
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::add, ones(), ones()).sum();
            CompletableFuture<RuntimeException> end = begin(context, sum);
            awaitPasses(group.rpc(0), 1);
            context.close();
            assertSays("was released while a backward pass was running", end.join());
            assertEquals("0", group.rpc(0).debugInfo().get("num_current_backward_passes"));
        }
    }

    @Test
    void anotherPassOfTheContextIsRefusedMeanwhile() {
        try (var group = new Deaf(2, 0, "60s")) {
            AutogradContext context = DistAutograd.context(group.rpc(0));
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::add, ones(), ones()).sum();
            CompletableFuture<RuntimeException> end = begin(context, sum);
            awaitPasses(group.rpc(0), 1);
            for (BackwardMode mode : BackwardMode.values()) {
                assertSays(
                        "a backward pass of autograd context 0 is running on worker 0",
                        assertThrows(
                                RpcException.class,
                                () -> context.backward(new BackwardOptions(mode, false), sum)));
            }
            context.close();
            end.join();
        }
    }

    @Test
    void lossOfAQueriedWorkerEndsTheDiscovery() {
        try (var group = new Deaf(2, 0, "60s")) {
            AutogradContext context = DistAutograd.context(group.rpc(0));
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::add, ones(), ones()).sum();
            CompletableFuture<RuntimeException> end = begin(context, sum);
            awaitPasses(group.rpc(0), 1);
            group.rpc(1).shutdownNow();
            assertSays("Error on Node 0: ", end.join());
            context.close();
        }
    }

    @Test
    void stoppingTheWorkerEndsTheDiscovery() {
        try (var group = new Deaf(2, 0, "60s")) {
            AutogradContext context = DistAutograd.context(group.rpc(0));
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::add, ones(), ones()).sum();
            CompletableFuture<RuntimeException> end = begin(context, sum);
            awaitPasses(group.rpc(0), 1);
            group.rpc(0).shutdownNow();
            assertSays("Error on Node 0: ", end.join());
        }
    }

    @Test
    void initiatorsDeathLeavesNoState() {
        try (var group = new Deaf(3, 1, "60s")) {
            AutogradContext context = DistAutograd.context(group.rpc(0));
            Tensor sum =
                    group.rpc(0)
                            .rpcSync("worker1", Tensors::addAt, ones(), ones(), "worker2")
                            .sum();
            CompletableFuture<RuntimeException> end = begin(context, sum);
            awaitPasses(group.rpc(1), 1);
            group.rpc(0).shutdownNow();
            end.join();
            awaitPasses(group.rpc(1), 0);
        }
    }

    @Test
    void passEndsWithItsInitiatorThoughTheContextRemains() {
        try (var group = new Deaf(3, 2, "60s");
                AutogradContext context = DistAutograd.context(group.rpc(0));
                RRef<Tensor> sum =
                        group.rpc(0).remote("worker1", Tensors::sumAt, ones(), "worker2")) {
            sum.toHere(); // creates the context
            CompletableFuture<RuntimeException> end =
                    onThread(() ->
                            assertThrows(
                                    RuntimeException.class,
                                    () -> context.backward(BackwardOptions.smart(), sum)));
            awaitPasses(group.rpc(2), 1);
            group.rpc(1).shutdownNow();
            end.join();
            awaitPasses(group.rpc(2), 0);
            assertTrue(ContextReleases.isKnown(group.rpc(2), context.id()));
        }
    }

    @Test
    void unusedResultOfALostWorkerIsIgnored() {
        try (var group = new Deaf(3, 2, "60s");
                AutogradContext context = DistAutograd.context(group.rpc(0))) {
            Tensor a = ones();
            group.rpc(0).rpcSync("worker2", Ops::add, a, a);
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::mul, a, a).sum();
            group.rpc(2).shutdownNow();
            context.backward(BackwardOptions.smart(), sum);
            assertTrue(Tensor.ones(2, 2).mul(2).equal(context.gradients().get(a)));
        }
    }

    @Test
    void unknownContextIsAnError() {
        try (var group = new Deaf(2, -1, "60s");
                AutogradContext context = DistAutograd.context(group.rpc(0))) {
            Tensor sum = group.rpc(0).rpcSync("worker1", Ops::add, ones(), ones()).sum();
            DistAutograd.lookup(group.rpc(1), context.id()).close();
            awaitContexts(group.rpc(0), 0);
            assertSays(
                    "the autograd context was released",
                    assertThrows(
                            RpcException.class,
                            () -> context.backward(BackwardOptions.smart(), sum)));
        }
    }

    private static void awaitContexts(Rpc rpc, int number) {
        while (!String.valueOf(number).equals(rpc.debugInfo().get("num_autograd_contexts"))) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
