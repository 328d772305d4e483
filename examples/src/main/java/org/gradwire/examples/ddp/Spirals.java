package org.gradwire.examples.ddp;

import org.gradwire.data.TensorDataset;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;

/** Points on spirals, one spiral for each class. */
final class Spirals {
    static final int FEATURES = 2;
    static final int CLASSES = 3;
    private static final int POINTS = 240; // of a class
    private static final double NOISE = 0.05;

    private Spirals() {}

    /** {@return points of shape (2) with their classes, always the same} */
    static TensorDataset dataset() {
        var random = new SplittableRandom(3);
        float[] points = new float[CLASSES * POINTS * FEATURES];
        long[] classes = new long[CLASSES * POINTS];
        for (int i = 0; i < classes.length; i++) {
            int spiral = i % CLASSES;
            int position = i / CLASSES + 1;
            double radius = (double) position / POINTS;
            double angle = 2 * Math.PI * spiral / CLASSES + 4 * radius;
            classes[i] = spiral;
            points[2 * i] = (float) (radius * Math.cos(angle) + NOISE * random.nextGaussian());
            points[2 * i + 1] = (float) (radius * Math.sin(angle) + NOISE * random.nextGaussian());
        }
        return new TensorDataset(Tensor.of(points, classes.length, FEATURES), Tensor.of(classes));
    }
}
