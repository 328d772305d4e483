package org.gradwire.tensor.kernel.element;

/**
 * Copies of many short lines between arrays, such as those of an image to a padded one. Its loops
 * know the type of their arrays: where it is not known, each copy is a call.
 */
public final class LineCopies {

    private LineCopies() {}

    /**
     * Copy lines.
     *
     * @param pitch elements from one line to the next
     * @param n elements of a line
     */
    public static void copy(
            Object from, int at, int pitch, Object to, int toAt, int toPitch, int n, int lines) {
        switch (from) {
            case float[] x -> copy(x, at, pitch, (float[]) to, toAt, toPitch, n, lines);
            case double[] x -> copy(x, at, pitch, (double[]) to, toAt, toPitch, n, lines);
            default -> {
                for (int line = 0; line < lines; line++) {
                    System.arraycopy(from, at + line * pitch, to, toAt + line * toPitch, n);
                }
            }
        }
    }

    private static void copy(
            float[] x, int xo, int pitch, float[] y, int yo, int toPitch, int n, int lines) {
        for (int line = 0; line < lines; line++) {
            System.arraycopy(x, xo + line * pitch, y, yo + line * toPitch, n);
        }
    }

    private static void copy(
            double[] x, int xo, int pitch, double[] y, int yo, int toPitch, int n, int lines) {
        for (int line = 0; line < lines; line++) {
            System.arraycopy(x, xo + line * pitch, y, yo + line * toPitch, n);
        }
    }
}
