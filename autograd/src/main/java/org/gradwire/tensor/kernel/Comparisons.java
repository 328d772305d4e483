package org.gradwire.tensor.kernel;

import java.util.Arrays;

/**
 * Comparison kernels, whose results are bytes of 0 and 1. Each loop is a separate method, so that
 * it is compiled well. NaN is not equal to anything, and neither less nor greater.
 */
final class Comparisons {
    private static final byte NO = 0;
    private static final byte YES = 1;

    private Comparisons() {}

    /** Compare two ranges of one element type. */
    static void compare(
            Comparison test, Object a, int ao, Object b, int bo, byte[] y, int yo, int n) {
        switch (a) {
            case float[] x -> compare(test, x, ao, (float[]) b, bo, y, yo, n);
            case double[] x -> compare(test, x, ao, (double[]) b, bo, y, yo, n);
            case int[] x -> compare(test, x, ao, (int[]) b, bo, y, yo, n);
            case long[] x -> compare(test, x, ao, (long[]) b, bo, y, yo, n);
            case byte[] x -> compare(test, x, ao, (byte[]) b, bo, y, yo, n);
            default -> throw new AssertionError("no element type has " + a.getClass());
        }
    }

    private static void compare(
            Comparison test, float[] a, int ao, float[] b, int bo, byte[] y, int yo, int n) {
        switch (test) {
            case EQ -> equal(a, ao, b, bo, y, yo, n, YES, NO);
            case NE -> equal(a, ao, b, bo, y, yo, n, NO, YES);
            case LT -> less(a, ao, b, bo, y, yo, n);
            case LE -> lessOrEqual(a, ao, b, bo, y, yo, n);
            case GT -> less(b, bo, a, ao, y, yo, n);
            case GE -> lessOrEqual(b, bo, a, ao, y, yo, n);
        }
    }

    private static void equal(
            float[] a, int ao, float[] b, int bo, byte[] y, int yo, int n, byte yes, byte no) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] == b[bo + i] ? yes : no;
        }
    }

    private static void less(float[] a, int ao, float[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] < b[bo + i] ? YES : NO;
        }
    }

    private static void lessOrEqual(float[] a, int ao, float[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] <= b[bo + i] ? YES : NO;
        }
    }

    private static void compare(
            Comparison test, double[] a, int ao, double[] b, int bo, byte[] y, int yo, int n) {
        switch (test) {
            case EQ -> equal(a, ao, b, bo, y, yo, n, YES, NO);
            case NE -> equal(a, ao, b, bo, y, yo, n, NO, YES);
            case LT -> less(a, ao, b, bo, y, yo, n);
            case LE -> lessOrEqual(a, ao, b, bo, y, yo, n);
            case GT -> less(b, bo, a, ao, y, yo, n);
            case GE -> lessOrEqual(b, bo, a, ao, y, yo, n);
        }
    }

    private static void equal(
            double[] a, int ao, double[] b, int bo, byte[] y, int yo, int n, byte yes, byte no) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] == b[bo + i] ? yes : no;
        }
    }

    private static void less(double[] a, int ao, double[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] < b[bo + i] ? YES : NO;
        }
    }

    private static void lessOrEqual(
            double[] a, int ao, double[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] <= b[bo + i] ? YES : NO;
        }
    }

    private static void compare(
            Comparison test, int[] a, int ao, int[] b, int bo, byte[] y, int yo, int n) {
        switch (test) {
            case EQ -> equal(a, ao, b, bo, y, yo, n, YES, NO);
            case NE -> equal(a, ao, b, bo, y, yo, n, NO, YES);
            case LT -> less(a, ao, b, bo, y, yo, n);
            case LE -> lessOrEqual(a, ao, b, bo, y, yo, n);
            case GT -> less(b, bo, a, ao, y, yo, n);
            case GE -> lessOrEqual(b, bo, a, ao, y, yo, n);
        }
    }

    private static void equal(
            int[] a, int ao, int[] b, int bo, byte[] y, int yo, int n, byte yes, byte no) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] == b[bo + i] ? yes : no;
        }
    }

    private static void less(int[] a, int ao, int[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] < b[bo + i] ? YES : NO;
        }
    }

    private static void lessOrEqual(int[] a, int ao, int[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] <= b[bo + i] ? YES : NO;
        }
    }

    private static void compare(
            Comparison test, long[] a, int ao, long[] b, int bo, byte[] y, int yo, int n) {
        switch (test) {
            case EQ -> equal(a, ao, b, bo, y, yo, n, YES, NO);
            case NE -> equal(a, ao, b, bo, y, yo, n, NO, YES);
            case LT -> less(a, ao, b, bo, y, yo, n);
            case LE -> lessOrEqual(a, ao, b, bo, y, yo, n);
            case GT -> less(b, bo, a, ao, y, yo, n);
            case GE -> lessOrEqual(b, bo, a, ao, y, yo, n);
        }
    }

    private static void equal(
            long[] a, int ao, long[] b, int bo, byte[] y, int yo, int n, byte yes, byte no) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] == b[bo + i] ? yes : no;
        }
    }

    private static void less(long[] a, int ao, long[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] < b[bo + i] ? YES : NO;
        }
    }

    private static void lessOrEqual(long[] a, int ao, long[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] <= b[bo + i] ? YES : NO;
        }
    }

    private static void compare(
            Comparison test, byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        switch (test) {
            case EQ -> equal(a, ao, b, bo, y, yo, n, YES, NO);
            case NE -> equal(a, ao, b, bo, y, yo, n, NO, YES);
            case LT -> less(a, ao, b, bo, y, yo, n);
            case LE -> lessOrEqual(a, ao, b, bo, y, yo, n);
            case GT -> less(b, bo, a, ao, y, yo, n);
            case GE -> lessOrEqual(b, bo, a, ao, y, yo, n);
        }
    }

    private static void equal(
            byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n, byte yes, byte no) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] == b[bo + i] ? yes : no;
        }
    }

    private static void less(byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] < b[bo + i] ? YES : NO;
        }
    }

    private static void lessOrEqual(byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = a[ao + i] <= b[bo + i] ? YES : NO;
        }
    }

    /** Test a range of one element type. Integers are all finite. */
    static void test(
            FloatClassification floatClassification, Object x, int xo, byte[] y, int yo, int n) {
        switch (x) {
            case float[] from -> test(floatClassification, from, xo, y, yo, n);
            case double[] from -> test(floatClassification, from, xo, y, yo, n);
            default ->
                    Arrays.fill(
                            y,
                            yo,
                            yo + n,
                            floatClassification == FloatClassification.FINITE ? YES : NO);
        }
    }

    private static void test(
            FloatClassification floatClassification, float[] x, int xo, byte[] y, int yo, int n) {
        switch (floatClassification) {
            case FINITE -> finite(x, xo, y, yo, n);
            case INFINITE -> infinite(x, xo, y, yo, n);
            case NAN -> equal(x, xo, x, xo, y, yo, n, NO, YES);
        }
    }

    private static void finite(float[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.abs(x[xo + i]) <= Float.MAX_VALUE ? YES : NO;
        }
    }

    private static void infinite(float[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.abs(x[xo + i]) > Float.MAX_VALUE ? YES : NO;
        }
    }

    private static void test(
            FloatClassification floatClassification, double[] x, int xo, byte[] y, int yo, int n) {
        switch (floatClassification) {
            case FINITE -> finite(x, xo, y, yo, n);
            case INFINITE -> infinite(x, xo, y, yo, n);
            case NAN -> equal(x, xo, x, xo, y, yo, n, NO, YES);
        }
    }

    private static void finite(double[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.abs(x[xo + i]) <= Double.MAX_VALUE ? YES : NO;
        }
    }

    private static void infinite(double[] x, int xo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = Math.abs(x[xo + i]) > Double.MAX_VALUE ? YES : NO;
        }
    }
}
