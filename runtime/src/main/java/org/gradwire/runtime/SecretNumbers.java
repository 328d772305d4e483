package org.gradwire.runtime;

import org.gradwire.runtime.simulation.Simulation;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Random numbers that no peer can guess, for ids that serve as capabilities. Drawn in blocks, since
 * each reference needs some. Thread-safe.
 */
final class SecretNumbers {
    private static final int BLOCK_BYTES = 4_096;

    private final RandomGenerator source;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).position(BLOCK_BYTES);

    private SecretNumbers(RandomGenerator source) {
        this.source = source;
    }

    /**
     * Return the source of a worker.
     *
     * @param simulation determines the numbers by its seed, so that a run can be repeated; null in
     *     real time
     */
    static SecretNumbers of(int worker, @Nullable Simulation simulation) {
        return new SecretNumbers(
                simulation == null
                        ? new SecureRandom()
                        : new SplittableRandom((long) worker << Integer.SIZE ^ simulation.seed()));
    }

    synchronized long next() {
        if (!block.hasRemaining()) {
            source.nextBytes(block.array());
            block.clear();
        }
        return block.getLong();
    }
}
