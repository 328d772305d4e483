package org.gradwire.tensor.kernel.matrix;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The transforms of {@link Winograd}, each applied to the rows and then to the columns of all tiles
 * at once: {@code G} to the filters, {@code B} to the images, {@code A} to the products.
 */
public final class VectorWinograd {
    private static final VectorSpecies<Float> SPECIES =
            FloatVector.SPECIES_PREFERRED.length() < 8
                    ? FloatVector.SPECIES_PREFERRED
                    : FloatVector.SPECIES_256;

    /** Ranges are multiples of this. */
    public static final int LANES = SPECIES.length();

    private static final int INPUT = Winograd.INPUT;
    private static final int TILE = Winograd.TILE;
    private static final int KERNEL = 3;

    private VectorWinograd() {}

    public static int roundUp(int n) {
        return (n + LANES - 1) / LANES * LANES;
    }

    /**
     * Transform filters.
     *
     * @param weights {@code [3, 3, count]}
     * @return {@code [36, count]}
     */
    public static float[] filters(float[] weights, int count) {
        float[] half = new float[INPUT * KERNEL * count];
        float[] result = new float[Winograd.POINTS * count];
        for (int j = 0; j < KERNEL; j++) {
            filter(weights, j * count, KERNEL * count, half, j * count, KERNEL * count, count);
        }
        for (int i = 0; i < INPUT; i++) {
            filter(half, i * KERNEL * count, count, result, i * INPUT * count, count, count);
        }
        return result;
    }

    /**
     * A plain loop: auto-vectorization suffices, since filters are transformed once for many
     * images.
     */
    private static void filter(
            float[] x, int from, int step, float[] y, int to, int toStep, int n) {
        for (int i = 0; i < n; i++) {
            float a = x[from + i];
            float b = x[from + step + i];
            float c = x[from + 2 * step + i];
            float ends = (a + c) * (1 / 6f);
            float far = a * (1 / 24f) + c * (1 / 6f);
            y[to + i] = a * 0.25f;
            y[to + toStep + i] = -ends - b * (1 / 6f);
            y[to + 2 * toStep + i] = b * (1 / 6f) - ends;
            y[to + 3 * toStep + i] = far + b * (1 / 12f);
            y[to + 4 * toStep + i] = far - b * (1 / 12f);
            y[to + 5 * toStep + i] = c;
        }
    }

    /**
     * Transform one channel of an image.
     *
     * @param planes 16 of them, {@code phase} elements each
     * @param half for intermediate results
     * @param to where the first of the 36 results goes; the others follow {@code step} apart
     */
    public static void input(
            float[] planes,
            int phase,
            int planeWidth,
            float[] half,
            float[] y,
            int to,
            int step,
            int n) {
        for (int column = 0; column < INPUT; column++) {
            int first = column % TILE * phase + column / TILE;
            int row = TILE * phase;
            input(planes, first, row, first + planeWidth, row, half, column * n, INPUT * n, n);
        }
        for (int row = 0; row < INPUT; row++) {
            int first = row * INPUT * n;
            input(half, first, n, first + TILE * n, n, y, to + row * INPUT * step, step, n);
        }
    }

    /** Apply B to six ranges: four a {@code step} apart, and two more from {@code rest} on. */
    private static void input(
            float[] x,
            int from,
            int step,
            int rest,
            int restStep,
            float[] y,
            int to,
            int toStep,
            int n) {
        for (int i = 0; i < n; i += LANES) {
            FloatVector a = load(x, from + i);
            FloatVector b = load(x, from + step + i);
            FloatVector c = load(x, from + 2 * step + i);
            FloatVector d = load(x, from + 3 * step + i);
            FloatVector e = load(x, rest + i);
            FloatVector f = load(x, rest + restStep + i);
            FloatVector ec = e.sub(c);
            FloatVector db2 = d.sub(b).mul(2f);
            FloatVector e4c = e.sub(c.mul(4f));
            FloatVector d4b = d.sub(b.mul(4f));
            a.mul(4f).sub(c.mul(5f)).add(e).intoArray(y, to + i);
            e4c.add(d4b).intoArray(y, to + toStep + i);
            e4c.sub(d4b).intoArray(y, to + 2 * toStep + i);
            ec.add(db2).intoArray(y, to + 3 * toStep + i);
            ec.sub(db2).intoArray(y, to + 4 * toStep + i);
            b.mul(4f).sub(d.mul(5f)).add(f).intoArray(y, to + 5 * toStep + i);
        }
    }

    /**
     * Transform the products of one channel back.
     *
     * @param from where the first of the 36 lies; the others follow {@code step} apart
     * @param y 16 planes of {@code n}
     * @param add to every result
     */
    public static void output(
            float[] x, int from, int step, float[] half, float[] y, int n, float add) {
        for (int column = 0; column < INPUT; column++) {
            output(x, from + column * step, INPUT * step, half, column * n, INPUT * n, n, 0);
        }
        for (int row = 0; row < TILE; row++) {
            output(half, row * INPUT * n, n, y, row * TILE * n, n, n, add);
        }
    }

    /** Apply A to six ranges. */
    private static void output(
            float[] x, int from, int step, float[] y, int to, int toStep, int n, float add) {
        for (int i = 0; i < n; i += LANES) {
            FloatVector a = load(x, from + i);
            FloatVector b = load(x, from + step + i);
            FloatVector c = load(x, from + 2 * step + i);
            FloatVector d = load(x, from + 3 * step + i);
            FloatVector e = load(x, from + 4 * step + i);
            FloatVector f = load(x, from + 5 * step + i);
            FloatVector near = b.add(c).add(add);
            FloatVector nearOdd = b.sub(c).add(add);
            FloatVector far = d.add(e);
            FloatVector farOdd = d.sub(e);
            a.add(near).add(far).intoArray(y, to + i);
            nearOdd.add(farOdd.mul(2f)).intoArray(y, to + toStep + i);
            near.add(far.mul(4f)).intoArray(y, to + 2 * toStep + i);
            nearOdd.add(farOdd.mul(8f)).add(f).intoArray(y, to + 3 * toStep + i);
        }
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }
}
