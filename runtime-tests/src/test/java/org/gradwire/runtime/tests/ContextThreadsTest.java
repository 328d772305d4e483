package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/** Actions and operations in an autograd context on threads that did not open it. */
@Timeout(60)
class ContextThreadsTest {
    private final InprocWorkers group = new InprocWorkers(3);
    private final Rpc rpc = group.get(0);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void close() {
        threads.close();
        group.close();
    }

    private void assertOutside() {
        assertThrows(RpcException.class, () -> DistAutograd.current(rpc));
    }

    private static void assertGradient(AutogradContext context, Tensor leaf, float... expected) {
        Tensor found = requireNonNull(context.gradients().get(leaf));
        assertTrue(found.equal(Tensor.of(expected)), found::toString);
    }

    @Test
    void callsOfSeveralThreadsAreRecorded() throws Exception {
        Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Future<Tensor> left =
                    threads.submit(
                            () -> context.call(() -> rpc.rpcSync("worker1", Ops::mul, w, w)));
            Future<Tensor> right =
                    threads.submit(
                            () -> context.call(() -> rpc.rpcSync("worker2", Ops::mul, w, w)));
            context.backward(left.get().add(right.get()).sum());
            assertGradient(context, w, 4, 8);
        }
    }

    @Test
    void callsOfAnActionAreRecorded() throws Exception {
        Tensor w = Tensor.of(1f, 2f).requiresGrad(true);
        var product = new AtomicReference<Tensor>();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            threads.submit(() ->
                            context.run(() -> product.set(rpc.rpcSync("worker1", Ops::mul, w, w))))
                    .get();
            context.backward(requireNonNull(product.get()).sum());
            assertGradient(context, w, 2, 4);
        }
    }

    @Test
    void threadIsInTheContextOnlyMeanwhile() throws Exception {
        try (AutogradContext context = DistAutograd.context(rpc)) {
            threads.submit(
                            () -> {
                                assertOutside();
                                assertEquals(
                                        context, context.call(() -> DistAutograd.current(rpc)));
                                assertOutside();
                                context.run(() -> assertEquals(context, DistAutograd.current(rpc)));
                                assertOutside();
                            })
                    .get();
        }
    }

    @Test
    void previousContextIsRestoredIfItIsOpen() throws Exception {
        try (AutogradContext context = DistAutograd.context(rpc);
                AutogradContext other = context()) {
            assertEquals(other, other.call(() -> DistAutograd.current(rpc)));
            assertEquals(context, DistAutograd.current(rpc));
            other.run(() -> assertEquals(other, DistAutograd.current(rpc)));
            assertEquals(context, DistAutograd.current(rpc));
            other.run(context::close);
            assertOutside();
        }
    }

    @Test
    void exceptionsArePropagatedUnchanged() throws Exception {
        var checked = new IOException("checked");
        var unchecked = new IllegalStateException("unchecked");
        AutogradContext context = context();
        assertSame(
                checked,
                assertThrows(
                        IOException.class,
                        () ->
                                context.call(() -> {
                                    throw checked;
                                })));
        assertOutside();
        assertSame(
                unchecked,
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                context.run(() -> {
                                    throw unchecked;
                                })));
        assertOutside();
        context.close();
    }

    /** {@return a context in which this thread is not} */
    private AutogradContext context() throws Exception {
        return threads.submit(() -> DistAutograd.context(rpc)).get();
    }

    @Test
    void closedContextIsRefused() throws Exception {
        AutogradContext context = context();
        context.close();
        String text = "Could not find autograd context with id: " + context.id();
        assertEquals(
                text,
                assertThrows(RpcException.class, () -> context.call(context::id)).getMessage());
        assertEquals(
                text,
                assertThrows(
                                RpcException.class,
                                () -> context.run(() -> assertEquals(0, context.id())))
                        .getMessage());
    }
}
