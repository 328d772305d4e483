package org.gradwire.tensor.kernel;

/**
 * Selection by masks, bytes of 0 and 1. Most loops are branch-free, since random masks cause
 * mispredicted branches: selecting from 1M float32 took at least 10 ms with a branch.
 */
final class MaskedSelection {

    private MaskedSelection() {}

    /** Choose from two ranges: the first where the mask is set, else the second. */
    static void choose(
            byte[] mask, int mo, Object a, int ao, Object b, int bo, Object y, int yo, int n) {
        switch (a) {
            case float[] x -> choose(mask, mo, x, ao, (float[]) b, bo, (float[]) y, yo, n);
            case double[] x -> choose(mask, mo, x, ao, (double[]) b, bo, (double[]) y, yo, n);
            case int[] x -> choose(mask, mo, x, ao, (int[]) b, bo, (int[]) y, yo, n);
            case long[] x -> choose(mask, mo, x, ao, (long[]) b, bo, (long[]) y, yo, n);
            case byte[] x -> choose(mask, mo, x, ao, (byte[]) b, bo, (byte[]) y, yo, n);
            default -> throw unknown(a);
        }
    }

    /**
     * Copy the elements for which the mask is set to a contiguous range.
     *
     * @param y as long as the range
     * @return how many
     */
    static int compress(byte[] mask, int mo, Object x, int xo, Object y, int yo, int n) {
        return switch (x) {
            case float[] from -> compress(mask, mo, from, xo, (float[]) y, yo, n);
            case double[] from -> compress(mask, mo, from, xo, (double[]) y, yo, n);
            case int[] from -> compress(mask, mo, from, xo, (int[]) y, yo, n);
            case long[] from -> compress(mask, mo, from, xo, (long[]) y, yo, n);
            case byte[] from -> compress(mask, mo, from, xo, (byte[]) y, yo, n);
            default -> throw unknown(x);
        };
    }

    /**
     * Undo {@link #compress}: copy elements to where the mask is set, and zero to where it is not.
     *
     * @return how many were taken
     */
    static int expand(byte[] mask, int mo, Object x, int xo, Object y, int yo, int n) {
        return switch (x) {
            case float[] from -> expand(mask, mo, from, xo, (float[]) y, yo, n);
            case double[] from -> expand(mask, mo, from, xo, (double[]) y, yo, n);
            case int[] from -> expand(mask, mo, from, xo, (int[]) y, yo, n);
            case long[] from -> expand(mask, mo, from, xo, (long[]) y, yo, n);
            case byte[] from -> expand(mask, mo, from, xo, (byte[]) y, yo, n);
            default -> throw unknown(x);
        };
    }

    private static AssertionError unknown(Object array) {
        return new AssertionError("no element type has " + array.getClass());
    }

    /**
     * Write the numbers of the elements that are set.
     *
     * @param first the number of the first element of the range
     * @return how many
     */
    static int positions(byte[] mask, int mo, int n, int first, int[] positions) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            positions[count] = first + i; // the next one writes over it where this is not set
            count += mask[mo + i];
        }
        return count;
    }

    /** {@return how many elements of a mask are set} */
    static int count(byte[] mask, int mo, int n) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            count += mask[mo + i];
        }
        return count;
    }

    private static void choose(
            byte[] mask, int mo, float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            int p = Float.floatToRawIntBits(a[ao + i]);
            int q = Float.floatToRawIntBits(b[bo + i]);
            y[yo + i] = Float.intBitsToFloat(q ^ ((p ^ q) & -mask[mo + i]));
        }
    }

    private static int compress(byte[] mask, int mo, float[] x, int xo, float[] y, int yo, int n) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            y[yo + count] = x[xo + i]; // the next one writes over it where the mask is not set
            count += mask[mo + i];
        }
        return count;
    }

    private static int expand(byte[] mask, int mo, float[] x, int xo, float[] y, int yo, int n) {
        int taken = 0;
        for (int i = 0; i < n; i++) {
            y[yo + i] = mask[mo + i] != 0 ? x[xo + taken] : 0;
            taken += mask[mo + i];
        }
        return taken;
    }

    private static void choose(
            byte[] mask,
            int mo,
            double[] a,
            int ao,
            double[] b,
            int bo,
            double[] y,
            int yo,
            int n) {
        for (int i = 0; i < n; i++) {
            long p = Double.doubleToRawLongBits(a[ao + i]);
            long q = Double.doubleToRawLongBits(b[bo + i]);
            y[yo + i] = Double.longBitsToDouble(q ^ ((p ^ q) & -mask[mo + i]));
        }
    }

    private static int compress(
            byte[] mask, int mo, double[] x, int xo, double[] y, int yo, int n) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            y[yo + count] = x[xo + i]; // the next one writes over it where the mask is not set
            count += mask[mo + i];
        }
        return count;
    }

    private static int expand(byte[] mask, int mo, double[] x, int xo, double[] y, int yo, int n) {
        int taken = 0;
        for (int i = 0; i < n; i++) {
            y[yo + i] = mask[mo + i] != 0 ? x[xo + taken] : 0;
            taken += mask[mo + i];
        }
        return taken;
    }

    private static void choose(
            byte[] mask, int mo, int[] a, int ao, int[] b, int bo, int[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = b[bo + i] ^ ((a[ao + i] ^ b[bo + i]) & -mask[mo + i]);
        }
    }

    private static int compress(byte[] mask, int mo, int[] x, int xo, int[] y, int yo, int n) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            y[yo + count] = x[xo + i]; // the next one writes over it where the mask is not set
            count += mask[mo + i];
        }
        return count;
    }

    private static int expand(byte[] mask, int mo, int[] x, int xo, int[] y, int yo, int n) {
        int taken = 0;
        for (int i = 0; i < n; i++) {
            y[yo + i] = mask[mo + i] != 0 ? x[xo + taken] : 0;
            taken += mask[mo + i];
        }
        return taken;
    }

    private static void choose(
            byte[] mask, int mo, long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = b[bo + i] ^ ((a[ao + i] ^ b[bo + i]) & -mask[mo + i]);
        }
    }

    private static int compress(byte[] mask, int mo, long[] x, int xo, long[] y, int yo, int n) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            y[yo + count] = x[xo + i]; // the next one writes over it where the mask is not set
            count += mask[mo + i];
        }
        return count;
    }

    private static int expand(byte[] mask, int mo, long[] x, int xo, long[] y, int yo, int n) {
        int taken = 0;
        for (int i = 0; i < n; i++) {
            y[yo + i] = mask[mo + i] != 0 ? x[xo + taken] : 0;
            taken += mask[mo + i];
        }
        return taken;
    }

    private static void choose(
            byte[] mask, int mo, byte[] a, int ao, byte[] b, int bo, byte[] y, int yo, int n) {
        for (int i = 0; i < n; i++) {
            y[yo + i] = (byte) (b[bo + i] ^ ((a[ao + i] ^ b[bo + i]) & mask[mo + i]));
        }
    }

    private static int compress(byte[] mask, int mo, byte[] x, int xo, byte[] y, int yo, int n) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            y[yo + count] = x[xo + i]; // the next one writes over it where the mask is not set
            count += mask[mo + i];
        }
        return count;
    }

    private static int expand(byte[] mask, int mo, byte[] x, int xo, byte[] y, int yo, int n) {
        int taken = 0;
        for (int i = 0; i < n; i++) {
            y[yo + i] = mask[mo + i] != 0 ? x[xo + taken] : 0;
            taken += mask[mo + i];
        }
        return taken;
    }
}
