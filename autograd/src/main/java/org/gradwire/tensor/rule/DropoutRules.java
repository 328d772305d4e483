package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceRandom;
import org.gradwire.tensor.storage.CurrentDevice;

import java.util.random.RandomGenerator;

/** Dropout rules. */
public final class DropoutRules {
    private static final double RANGE = 0x1p32;
    private static final int BLOCK = 1 << 14;

    private DropoutRules() {}

    /** Multiply by a mask, which the product's node saves. */
    public static Tensor dropout(Tensor x, double p, boolean training, RandomGenerator generator) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "dropout probability has to be between 0 and 1, but got " + p);
        }
        if (!training || p == 0 || x.numel() == 0) {
            return x;
        }
        return Ops.mul(x, CurrentDevice.on(x.device(), () -> mask(x, p, generator)));
    }

    /** Return 0 with a probability, else the factor that keeps the expectation. */
    private static Tensor mask(Tensor x, double p, RandomGenerator generator) {
        Tensor mask = TensorAccess.fresh(DTypeAccess.orFloating(x.dtype()), TensorAccess.dims(x));
        if (p == 1) {
            Elementwise.fill(mask, 0);
            return mask;
        }
        double kept = 1 / (1 - p);
        if (DeviceRandom.mask(
                DTypeAccess.elements(mask.dtype()),
                TensorAccess.strided(mask),
                generator,
                p,
                kept)) {
            return mask;
        }
        double[] numbers = new double[Math.min(x.numel(), BLOCK)];
        Tensor flat = TensorAccess.viewAs(mask, x.numel());
        for (int start = 0; start < x.numel(); start += BLOCK) {
            int n = Math.min(BLOCK, x.numel() - start);
            draw(numbers, n, (long) (p * RANGE), kept, generator);
            Tensor block = Tensor.of(numbers, numbers.length);
            Elementwise.copyInto(
                    SliceRules.narrow(flat, 0, start, n), SliceRules.narrow(block, 0, 0, n));
        }
        return mask;
    }

    private static void draw(
            double[] numbers, int n, long below, double kept, RandomGenerator generator) {
        for (int i = 0; i < n; i += 2) {
            long bits = generator.nextLong();
            numbers[i] = (bits >>> 32) < below ? 0 : kept;
            if (i + 1 < n) {
                numbers[i + 1] = (bits & 0xFFFFFFFFL) < below ? 0 : kept;
            }
        }
    }
}
