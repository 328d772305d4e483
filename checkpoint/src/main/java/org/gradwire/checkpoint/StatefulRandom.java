package org.gradwire.checkpoint;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A generator of random numbers whose state can be saved: SplitMix64 (Steele, Lea and Flood,
 * <i>Fast Splittable Pseudorandom Number Generators</i>, 2014). It returns the numbers of a {@link
 * java.util.SplittableRandom} with the same seed.
 *
 * <p>Not thread-safe.
 */
public final class StatefulRandom implements RandomGenerator, Stateful {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final String STATE = "state";

    private long state;

    /** Create a generator from a seed. */
    public StatefulRandom(long seed) {
        this.state = seed;
    }

    @Override
    public long nextLong() {
        state += GOLDEN_GAMMA;
        long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    @Override
    public int nextInt() {
        state += GOLDEN_GAMMA;
        long mixed = (state ^ (state >>> 33)) * 0x62a9d9ed799705f5L;
        return (int) (((mixed ^ (mixed >>> 28)) * 0xcb24d0a5c88c35b3L) >>> 32);
    }

    @Override
    public Map<String, Tensor> stateDict() {
        return Map.of(STATE, Tensor.scalar(DType.INT64, state));
    }

    @Override
    public void loadStateDict(Map<String, Tensor> saved) {
        state = StateChecks.get(saved, STATE).itemAsLong();
    }
}
