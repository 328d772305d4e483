package org.gradwire.conformance.rules;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What the checks of rules have in common. */
final class Checks {
    static final long SLACK_MILLIS = 2_000;
    static final long SEED = 20_261_121L;

    private Checks() {}

    static Message request(byte[] payload) {
        return new Message(MessageTypes.PYTHON_CALL, payload, List.of());
    }

    static byte[] bytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    static MemorySegment floats(Random random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat();
        }
        return MemorySegment.ofArray(values);
    }

    static void checkEqual(Message expected, @Nullable Message arrived, String what) {
        Message actual = present(arrived, what);
        check(
                Arrays.equals(expected.payload(), actual.payload()),
                "the payload of the %s has changed",
                what);
        check(
                expected.buffers().size() == actual.buffers().size(),
                "the %s has %d buffers instead of %d",
                what,
                actual.buffers().size(),
                expected.buffers().size());
        for (int i = 0; i < expected.buffers().size(); i++) {
            long at = expected.buffers().get(i).mismatch(actual.buffers().get(i));
            check(at < 0, "buffer %d of the %s differs at byte %d", i, what, at);
        }
    }

    /** {@return the object, which must be there} */
    static <T> T present(@Nullable T object, String what) {
        if (object == null) {
            throw new AssertionError(what + " did not arrive");
        }
        return object;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of the kit
    static void check(boolean holds, String text, @Nullable Object... values) {
        if (!holds) {
            throw new AssertionError(text.formatted(values));
        }
    }

    static boolean eventually(AgentWorld world, BooleanSupplier condition) {
        long deadline = System.nanoTime() + world.patienceMillis() * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    static boolean await(AgentWorld world, CountDownLatch latch) {
        try {
            return latch.await(world.patienceMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
