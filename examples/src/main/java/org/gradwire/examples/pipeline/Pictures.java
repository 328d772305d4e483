package org.gradwire.examples.pipeline;

import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;

/**
 * Noisy images of bright squares; the class is the position of the square.
 *
 * @param pixels of shape (count, 1, {@link #SIDE}, {@link #SIDE})
 * @param classes of shape (count), int64, less than {@link #CLASSES}
 */
record Pictures(Tensor pixels, Tensor classes) {
    static final int SIDE = 16;
    static final int CLASSES = 16;

    private static final int ROW = 4; // positions in a row
    private static final double NOISE = 0.5;

    /** {@return images from a seed} */
    static Pictures of(int count, long seed) {
        var random = new SplittableRandom(seed);
        float[] pixels = new float[count * SIDE * SIDE];
        long[] classes = new long[count];
        for (int picture = 0; picture < count; picture++) {
            int place = random.nextInt(CLASSES);
            classes[picture] = place;
            for (int i = 0; i < SIDE * SIDE; i++) {
                boolean bright = i / SIDE * ROW / SIDE * ROW + i % SIDE * ROW / SIDE == place;
                pixels[picture * SIDE * SIDE + i] =
                        (float) ((bright ? 1 : 0) + NOISE * random.nextGaussian());
            }
        }
        return new Pictures(Tensor.of(pixels, count, 1, SIDE, SIDE), Tensor.of(classes, count));
    }
}
