package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;

/** Comparisons of results of kernels with results of Java. */
final class KernelChecks {
    private KernelChecks() {}

    /** {@return the largest difference of two results of one computation, for each 1 of them} */
    static double tolerance(ElementType type) {
        return switch (type) {
            case BOOL, INT32, INT64 -> 0;
            case FLOAT16 -> 1.0 / (1 << 10);
            case BFLOAT16 -> 1.0 / (1 << 7);
            case FLOAT32 -> 2e-6;
            case FLOAT64 -> 1e-12;
        };
    }

    /** Compare a number with that of a type nearest to another one. */
    static void assertNear(ElementType type, double exact, double actual, String what) {
        double expected = HostArray.of(type, exact).get(0);
        if (Double.isNaN(expected) || Double.isInfinite(expected)) {
            assertEquals(expected, actual, what);
            return;
        }
        double most = tolerance(type) * Math.max(1, Math.abs(expected));
        assertTrue(
                Math.abs(expected - actual) <= most,
                () -> "%s: expected %s, but was %s".formatted(what, expected, actual));
    }

    /** Compare the result of a kernel, and that it wrote nothing else. */
    static void assertFloating(String name, TestOperand y, TestOperand a, TestOperand b) {
        HostArray actual = y.read();
        boolean[] written = new boolean[actual.length];
        for (int i = 0; i < y.operand.count(); i++) {
            double exact = Reference.floating(name).applyAsDouble(a.at(i), b.at(i));
            int at = y.position(i);
            written[at] = true;
            assertNear(
                    actual.type,
                    exact,
                    actual.get(at),
                    "%s %s of %s and %s".formatted(name, actual.type, a.at(i), b.at(i)));
        }
        assertRestIsKept(y.before(), actual, written);
    }

    /** The same for integers. */
    static void assertWhole(String name, TestOperand y, TestOperand a, TestOperand b) {
        HostArray actual = y.read();
        boolean[] written = new boolean[actual.length];
        for (int i = 0; i < y.operand.count(); i++) {
            long exact = Reference.whole(name).applyAsLong(a.wholeAt(i), b.wholeAt(i));
            long expected = HostArray.of(actual.type, exact).getWhole(0);
            int at = y.position(i);
            written[at] = true;
            assertEquals(
                    expected,
                    actual.getWhole(at),
                    "%s %s of %d and %d".formatted(name, actual.type, a.wholeAt(i), b.wholeAt(i)));
        }
        assertRestIsKept(y.before(), actual, written);
    }

    static void assertRestIsKept(HostArray before, HostArray after, boolean[] written) {
        for (int i = 0; i < written.length; i++) {
            if (!written[i]) {
                assertEquals(before.get(i), after.get(i), "at " + i + ", outside the result");
            }
        }
    }
}
