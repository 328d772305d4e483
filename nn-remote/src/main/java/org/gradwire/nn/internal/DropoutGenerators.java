package org.gradwire.nn.internal;

import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Creates a random generator for each dropout, derived from one seed. Thread-safe. */
public final class DropoutGenerators {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final AtomicLong next;

    public DropoutGenerators(long seed) {
        next = new AtomicLong(seed);
    }

    /** Apply dropout in training mode; return the input unchanged in evaluation mode. */
    public Tensor dropout(Tensor input, double p, boolean training) {
        return training && p > 0
                ? input.dropout(p, true, new SplittableRandom(next.getAndAdd(GOLDEN_GAMMA)))
                : input;
    }
}
