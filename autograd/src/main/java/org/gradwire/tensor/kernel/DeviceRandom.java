package org.gradwire.tensor.kernel;

import org.gradwire.spi.device.ElementType;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.util.random.RandomGenerator;

/**
 * Random numbers by a device's kernels. A generator of the host gives the key of each call, so that
 * a seed repeats the numbers, but not those of the host. Each method returns whether the kernel
 * ran; it draws a key if there is one.
 */
public final class DeviceRandom {
    private static final double RANGE = 0x1p32;
    private static final long WORDS = 4; // of one number of the generator

    private DeviceRandom() {}

    private static DeviceCall call(
            String kernel, Elements<?> elements, Strided y, RandomGenerator generator) {
        return new DeviceCall(kernel, elements, y).with(generator.nextLong());
    }

    /** Write normally distributed numbers. */
    public static boolean normal(
            Elements<?> elements,
            Strided y,
            RandomGenerator generator,
            double mean,
            double deviation) {
        String kernel = "random_normal";
        return DeviceCall.isPossible(kernel, elements, y)
                && call(kernel, elements, y, generator).with(mean).with(deviation).with(1L).run();
    }

    /** Write numbers from a bound up to another, which is excluded. */
    public static boolean uniform(
            Elements<?> elements, Strided y, RandomGenerator generator, double low, double high) {
        String kernel = "random_uniform";
        return DeviceCall.isPossible(kernel, elements, y)
                && call(kernel, elements, y, generator)
                        .with(low)
                        .with(high)
                        .with(digits(elements.type()))
                        .with(1L)
                        .run();
    }

    /** {@return the random binary digits of a number, as in PyTorch} */
    private static long digits(ElementType type) {
        return switch (type) {
            case FLOAT64 -> 53;
            case FLOAT32 -> 24;
            case FLOAT16 -> 11;
            case BFLOAT16 -> 8;
            default -> throw new AssertionError("not a floating-point type: " + type);
        };
    }

    /** Write 0 with a probability below 1, else a number. */
    public static boolean mask(
            Elements<?> elements,
            Strided y,
            RandomGenerator generator,
            double probability,
            double otherwise) {
        String kernel = "random_mask";
        return DeviceCall.isPossible(kernel, elements, y)
                && call(kernel, elements, y, generator)
                        .with((long) (probability * RANGE))
                        .with(otherwise)
                        .with(y.count() % WORDS == 0 ? WORDS : 1L)
                        .run();
    }
}
