package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AnomalyMode;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Tensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Reports of stalled passes in FAST mode, which wait for gradients that never arrive. */
@Timeout(60)
class StallReportTest {
    private static final Map<String, String> SOON =
            Map.of("gradwire.autograd.stall-warning", "100ms");

    private final Logger logger = Logger.getLogger("org.gradwire.autograd");
    private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    if (record.getLevel().equals(Level.WARNING)) {
                        warnings.add(new SimpleFormatter().formatMessage(record));
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(handler);
    }

    private static Tensor ones() {
        return Tensor.ones(2, 2).requiresGrad(true);
    }

    /** The task of a program in a context, which is always closed. */
    private interface Program {
        void run(AutogradContext context) throws Exception;
    }

    private static void inContext(Rpc rpc, Program program) throws Exception {
        try (AutogradContext context = DistAutograd.context(rpc)) {
            program.run(context);
        }
    }

    /** Start a pass that stalls until its context is closed. */
    private static CompletableFuture<RpcException> hang(AutogradContext context, Tensor root) {
        return CompletableFuture.supplyAsync(
                () -> assertThrows(RpcException.class, () -> context.backward(root)),
                run -> Thread.ofPlatform().start(run));
    }

    private String warning() throws InterruptedException {
        String warning = warnings.poll(30, TimeUnit.SECONDS);
        assertNotNull(warning, "no report was logged");
        return warning;
    }

    @Test
    void initiatorNamesTheCallWithAnUnusedResult() throws Exception {
        InprocGroup.runFirst(
                2,
                SOON,
                rpc ->
                        inContext(
                                rpc,
                                context -> {
                                    Tensor a = ones();
                                    rpc.rpcSync("worker1", Ops::sub, a, a);
                                    CompletableFuture<RpcException> end =
                                            hang(context, a.mul(a).sum());
                                    String warning = warning();
                                    assertTrue(
                                            warning.startsWith(
                                                    "worker0 has waited for 0 s in backward pass "),
                                            warning);
                                    assertTrue(
                                            warning.contains(
                                                    "of autograd context 0 for the gradients of the arguments of aten::sub, called on worker1. In FAST mode"),
                                            warning);
                                    assertTrue(
                                            warning.contains("BackwardOptions.smart()"), warning);
                                    assertTrue(warning.contains("AnomalyMode.detect()"), warning);
                                    assertTrue(
                                            stalled(rpc)
                                                    .contains(
                                                            "the arguments of aten::sub, called on worker1"),
                                            stalled(rpc));
                                    context.close();
                                    assertTrue(
                                            String.valueOf(end.join().getMessage())
                                                    .contains("was released"));
                                    assertNull(rpc.debugInfo().get("stalled_backward_passes"));
                                    assertTrue(warnings.isEmpty(), "the report was logged twice");
                                }));
    }

    private static String stalled(Rpc rpc) {
        return String.valueOf(rpc.debugInfo().get("stalled_backward_passes"));
    }

    @Test
    void creationSiteIsNamedIfKnown() throws Exception {
        InprocGroup.runFirst(
                2,
                SOON,
                rpc ->
                        inContext(
                                rpc,
                                context -> {
                                    Tensor a = ones();
                                    try (var _ = AnomalyMode.detect()) {
                                        rpc.rpcSync("worker1", Ops::sub, a, a);
                                    }
                                    CompletableFuture<RpcException> end =
                                            hang(context, a.mul(a).sum());
                                    String warning = warning();
                                    assertTrue(warning.contains("called on worker1 at "), warning);
                                    assertTrue(warning.contains("StallReportTest.java:"), warning);
                                    assertFalse(warning.contains("AnomalyMode"), warning);
                                    context.close();
                                    end.join();
                                }));
    }

    @Test
    void otherWorkerNamesItsUnusedResult() throws Exception {
        InprocGroup.runFirst(
                3,
                SOON,
                rpc ->
                        inContext(
                                rpc,
                                context -> {
                                    Tensor used =
                                            rpc.rpcSync(
                                                    "worker1", Tensors::wasteAt, ones(), "worker2");
                                    CompletableFuture<RpcException> end = hang(context, used.sum());
                                    String warning = warning();
                                    assertTrue(
                                            warning.startsWith("worker1 has waited for "), warning);
                                    assertTrue(
                                            warning.contains(
                                                    "the arguments of aten::add, called on worker2."),
                                            warning);
                                    context.close();
                                    end.join();
                                }));
    }

    @Test
    void timeoutOfAPassSuggestsSmartMode() throws Exception {
        InprocGroup.runFirst(
                3,
                Map.of("gradwire.rpc-timeout", "3s"),
                rpc ->
                        inContext(
                                rpc,
                                context -> {
                                    Tensor used =
                                            rpc.rpcSync(
                                                    "worker1", Tensors::wasteAt, ones(), "worker2");
                                    var e =
                                            assertThrows(
                                                    RpcException.class,
                                                    () -> context.backward(used.sum()));
                                    assertEquals(RpcErrorKind.TIMEOUT, e.kind());
                                    String text = String.valueOf(e.getMessage());
                                    assertTrue(
                                            text.endsWith(
                                                    "the pass runs in BackwardMode.FAST, in which the results of all calls must take part: if one is not used, run it with BackwardOptions.smart()"),
                                            text);
                                }));
    }

    @Test
    void resultsAreNamedToo() throws Exception {
        InprocGroup.runFirst(
                2,
                SOON,
                rpc ->
                        inContext(
                                rpc,
                                context -> {
                                    Tensor a = ones();
                                    Tensor first = rpc.rpcSync("worker1", Ops::add, a, a);
                                    Tensor used = rpc.rpcSync("worker1", Ops::mul, a, first);
                                    // A second, unused result of worker1, of a call without
                                    // tensors.
                                    rpc.rpcSync("worker1", Tensors::parameter);
                                    CompletableFuture<RpcException> end = hang(context, used.sum());
                                    String warning = warning();
                                    assertTrue(
                                            warning.startsWith("worker1 has waited for "), warning);
                                    assertTrue(
                                            warning.contains(
                                                    "the result of org.gradwire.runtime.tests.functions.Tensors.parameter, returned to worker0."),
                                            warning);
                                    context.close();
                                    end.join();
                                }));
    }

    @Test
    void passesThatEndAreNotReported() throws Exception {
        InprocGroup.runFirst(
                2,
                Map.of("gradwire.autograd.stall-warning", "20ms"),
                rpc -> {
                    Tensor a = ones();
                    for (int i = 0; i < 200; i++) {
                        try (AutogradContext context = DistAutograd.context(rpc)) {
                            context.backward(rpc.rpcSync("worker1", Ops::mul, a, a).sum());
                            assertNull(rpc.debugInfo().get("stalled_backward_passes"));
                        }
                    }
                });
        assertTrue(warnings.isEmpty(), () -> "" + warnings);
    }

    @Test
    void zeroDisablesTheReport() throws Exception {
        InprocGroup.runFirst(
                2,
                Map.of("gradwire.autograd.stall-warning", "0s"),
                rpc ->
                        inContext(
                                rpc,
                                context -> {
                                    Tensor a = ones();
                                    rpc.rpcSync("worker1", Ops::sub, a, a);
                                    CompletableFuture<RpcException> end =
                                            hang(context, a.mul(a).sum());
                                    while (!"1"
                                            .equals(
                                                    rpc.debugInfo()
                                                            .get("num_current_backward_passes"))) {
                                        Thread.onSpinWait();
                                    }
                                    context.close();
                                    end.join();
                                    assertTrue(warnings.isEmpty(), () -> "" + warnings);
                                }));
    }
}
