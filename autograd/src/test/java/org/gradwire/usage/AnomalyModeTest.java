package org.gradwire.usage; // a program's package: frames of the library's own packages are skipped

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AnomalyException;
import org.gradwire.autograd.AnomalyMode;
import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.Gradients;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Errors of a pass that fails or yields NaN, with the recorded call. */
class AnomalyModeTest {

    /** A function whose backward rule fails. */
    private static final class Fails extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return new Tensor[] {inputs[0].mul(1)};
        }

        @Override
        protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
            throw new UnsupportedOperationException("Some error in backward");
        }
    }

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    /** Roots of zeros, whose gradients are infinite, and the line that computes them. */
    private record BadRoot(Tensor root, int line) {

        static BadRoot of(Tensor x) {
            var here = new Throwable();
            Tensor root = x.mul(0).sqrt();
            return new BadRoot(root, here.getStackTrace()[0].getLineNumber() + 1);
        }
    }

    private static void assertNan(AnomalyException failure) {
        int line = BadRoot.of(leaf(1)).line();
        assertEquals("SqrtBackward0", failure.function());
        assertEquals(
                "Function 'SqrtBackward0' returned nan values in its 0th output. It was recorded by org.gradwire.usage.AnomalyModeTest$BadRoot.of(AnomalyModeTest.java:%d)"
                        .formatted(line),
                failure.getMessage());
        StackTraceElement site = failure.callSite().orElseThrow();
        assertEquals(line, site.getLineNumber());
        StackTraceElement[] stack = failure.getSuppressed()[0].getStackTrace();
        assertEquals(site, stack[0]);
        assertTrue(stack.length > 1);
    }

    private static Tensor zeroTimesBad(Tensor x) {
        return BadRoot.of(x).root().mul(0).sum();
    }

    @Test
    void nanNamesTheForwardCallSite() {
        Tensor x = leaf(1, 2);
        try (var _ = AnomalyMode.detect()) {
            assertTrue(AnomalyMode.enabled());
            assertNan(assertThrows(AnomalyException.class, zeroTimesBad(x)::backward));
            assertNan(
                    assertThrows(
                            AnomalyException.class,
                            () -> Gradients.grad(List.of(zeroTimesBad(x)), List.of(x))));
        }
        assertFalse(AnomalyMode.enabled());
        assertNull(x.grad());
    }

    @Test
    void callSiteTravelsWithTheGraphToOtherThreads() throws InterruptedException {
        Tensor loss;
        try (var _ = AnomalyMode.detect()) {
            loss = zeroTimesBad(leaf(1, 2));
        }
        var seen = new AtomicReference<@Nullable Throwable>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            assertFalse(AnomalyMode.enabled());
                            try {
                                loss.backward();
                            } catch (AnomalyException e) {
                                seen.set(e);
                            }
                        });
        thread.join();
        assertNan(assertInstanceOf(AnomalyException.class, seen.get()));
    }

    @Test
    void passInTheModeChecksWhatWasRecordedOutside() {
        Tensor loss = zeroTimesBad(leaf(1, 2));
        try (var _ = AnomalyMode.detect()) {
            var failure = assertThrows(AnomalyException.class, loss::backward);
            assertEquals(
                    "Function 'SqrtBackward0' returned nan values in its 0th output. Where it was recorded is not known; do the forward computation in AnomalyMode.detect() too",
                    failure.getMessage());
            assertTrue(failure.callSite().isEmpty());
            assertEquals(0, failure.getSuppressed().length);
        }
    }

    @Test
    void nothingIsCheckedOutside() {
        Tensor x = leaf(1, 2);
        zeroTimesBad(x).backward();
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        assertTrue(Double.isNaN(gradient.get(0)));
    }

    @Test
    void nanMayBeAllowed() {
        Tensor x = leaf(1, 2);
        try (var _ = AnomalyMode.detect(false)) {
            zeroTimesBad(x).backward();
            var failure =
                    assertThrows(AnomalyException.class, new Fails().apply(x).sum()::backward);
            assertEquals("FailsBackward", failure.function());
        }
    }

    @Test
    void infinityIsNotNan() {
        Tensor x = leaf(0, 0);
        try (var _ = AnomalyMode.detect()) {
            x.sqrt().mul(Tensor.of(1f, -1f)).sum().backward();
        }
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        assertEquals(Double.POSITIVE_INFINITY, gradient.get(0));
        assertEquals(Double.NEGATIVE_INFINITY, gradient.get(1));
    }

    @Test
    void failureNamesTheForwardCallSiteAndItsCause() {
        Tensor x = leaf(1);
        Tensor y;
        try (var _ = AnomalyMode.detect()) {
            y = new Fails().apply(x);
        }
        var failure = assertThrows(AnomalyException.class, y::backward);
        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.startsWith(
                        "Function 'FailsBackward' failed: Some error in backward. It was recorded by org.gradwire.usage.AnomalyModeTest.failureNamesTheForwardCallSiteAndItsCause(AnomalyModeTest.java:"),
                message);
        assertInstanceOf(UnsupportedOperationException.class, failure.getCause());
        assertThrows(UnsupportedOperationException.class, () -> new Fails().apply(x).backward());
    }

    @Test
    void hookThatFailsIsNamedByItsNode() {
        Tensor x = leaf(1);
        Tensor y;
        try (var _ = AnomalyMode.detect()) {
            y = x.exp();
        }
        y.registerHook(_ -> {
            throw new IllegalArgumentException("no");
        });
        var failure = assertThrows(AnomalyException.class, y::backward);
        assertEquals("ExpBackward0", failure.function());
        assertInstanceOf(IllegalArgumentException.class, failure.getCause());
    }

    @Test
    void changeInPlaceIsNamedWithWhereItWasNeeded() {
        Tensor x = leaf(1);
        Tensor y;
        try (var _ = AnomalyMode.detect()) {
            y = x.tanh();
        }
        try (var _ = GradMode.noGrad()) {
            y.add_(Tensor.of(1f));
        }
        String message =
                String.valueOf(assertThrows(AnomalyException.class, y::backward).getMessage());
        assertTrue(
                message.contains(
                        "the float32 tensor [1], which is output 0 of TanhBackward0, is at version 1; expected version 0 instead. Hint:"),
                message);
        assertTrue(message.contains("(AnomalyModeTest.java:"), message);
    }

    @Test
    void scopesNest() {
        try (var _ = AnomalyMode.detect(false)) {
            try (var _ = AnomalyMode.detect(true)) {
                assertTrue(AnomalyMode.enabled());
            }
            assertTrue(AnomalyMode.enabled());
            zeroTimesBad(leaf(1, 2)).backward();
        }
        assertFalse(AnomalyMode.enabled());
        Node node = leaf(1).exp().gradFn();
        assertNotNull(node);
    }
}
