package org.gradwire.nn.internal;

import java.util.random.RandomGenerator;

/** Seeds of layers that are created without one. */
public final class Seeds {

    private Seeds() {}

    /** {@return a random seed} */
    public static long any() {
        return RandomGenerator.getDefault().nextLong();
    }
}
