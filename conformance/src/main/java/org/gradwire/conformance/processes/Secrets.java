package org.gradwire.conformance.processes;

import org.gradwire.tensor.Tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The contents of messages that a network must not show, drawn from a seed: a text, and a pattern
 * of numbers that tensors repeat.
 */
public final class Secrets {
    private static final int PATTERN = 8;
    private static final int SMALL = 4 * PATTERN;
    private static final int LARGE = 40_000 * PATTERN;

    private final String text;
    private final float[] pattern = new float[PATTERN];

    /** Draw secrets. */
    public Secrets(long seed) {
        var random = new SplittableRandom(seed);
        text = "%016x%016x".formatted(random.nextLong(), random.nextLong());
        for (int i = 0; i < PATTERN; i++) {
            pattern[i] = Float.intBitsToFloat(0x3f800000 | random.nextInt(1 << 23)); // from 1 to 2
        }
    }

    String text() {
        return text;
    }

    /** {@return a tensor that fits into a datagram} */
    Tensor small() {
        return tensor(SMALL);
    }

    /** {@return a tensor of 1.3 MB, which backends send in their own way} */
    Tensor large() {
        return tensor(LARGE);
    }

    private Tensor tensor(int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = pattern[i % PATTERN];
        }
        return Tensor.of(numbers);
    }

    /** {@return the bytes to look for in frames, by the kind of the secret} */
    public Map<String, byte[]> markers() {
        ByteBuffer numbers =
                ByteBuffer.allocate(PATTERN * Float.BYTES).order(ByteOrder.nativeOrder());
        for (float number : pattern) {
            numbers.putFloat(number);
        }
        Map<String, byte[]> markers = new LinkedHashMap<>();
        markers.put("the name of a function", bytes(SecretFunctions.NAME));
        markers.put("a text", bytes(text));
        markers.put("the elements of a tensor", numbers.array());
        return markers;
    }

    private static byte[] bytes(String marker) {
        return marker.getBytes(StandardCharsets.UTF_8);
    }
}
