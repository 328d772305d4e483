package org.gradwire.examples.pipeline;

import org.gradwire.nn.Flatten;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.ReLU;
import org.gradwire.nn.conv.Conv2d;
import org.gradwire.nn.pooling.MaxPool2d;
import org.gradwire.rpc.WireValue;

/** The models, from images to scores of classes, each in {@link #STAGES} stages. */
@WireValue
public enum Model {
    /** Linear layers. */
    MLP,
    /** Convolutions, and a linear layer at the end. */
    CNN;

    static final int STAGES = 3;

    private static final int HIDDEN = 256;
    private static final int CHANNELS = 8;
    private static final int POOLED = Pictures.SIDE / 4; // pooled twice

    /** {@return the layers of a stage; equal seeds make equal parameters} */
    Sequential layers(int stage, long seed) {
        return switch (this) {
            case MLP -> mlp(stage, seed + stage);
            case CNN -> cnn(stage, seed + stage);
        };
    }

    private static Sequential mlp(int stage, long seed) {
        int pixels = Pictures.SIDE * Pictures.SIDE;
        return switch (stage) {
            case 0 -> new Sequential(new Flatten(), new Linear(pixels, HIDDEN, seed), new ReLU());
            case 1 -> new Sequential(new Linear(HIDDEN, HIDDEN, seed), new ReLU());
            default -> new Sequential(new Linear(HIDDEN, Pictures.CLASSES, seed));
        };
    }

    private static Sequential cnn(int stage, long seed) {
        return switch (stage) {
            case 0 -> convolution(1, CHANNELS, seed);
            case 1 -> convolution(CHANNELS, 2 * CHANNELS, seed);
            default ->
                    new Sequential(
                            new Flatten(),
                            new Linear(2 * CHANNELS * POOLED * POOLED, Pictures.CLASSES, seed));
        };
    }

    private static Sequential convolution(int in, int out, long seed) {
        return new Sequential(
                Conv2d.builder(in, out, 3).padding(1).build(seed), new ReLU(), new MaxPool2d(2));
    }
}
