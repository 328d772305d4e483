package org.gradwire.conformance.rules;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Assertions and messages that the checks share. */
final class Checks {
    static final long SLACK_MILLIS = 2_000;
    private static final long BRIEF_MILLIS = 300;
    private static final long POLL_NANOS = 100_000;

    private Checks() {}

    static Message request(byte[] payload, MemorySegment... buffers) {
        return new Message(MessageTypes.UDF_CALL, payload, List.of(buffers));
    }

    /** Create a request that contains a number. */
    static Message request(int number) {
        return request(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    /** {@return the number in a message} */
    static int number(Message message) {
        return ByteBuffer.wrap(message.payload()).getInt();
    }

    static Message reply(byte[] payload, MemorySegment... buffers) {
        return new Message(MessageTypes.UDF_RET, payload, List.of(buffers));
    }

    /** Wait for the reply to a request, which must arrive. */
    static Message answer(AgentWorld world, Outcome outcome, String what) {
        return answer(outcome, what, world.patienceMillis());
    }

    static Message answer(Outcome outcome, String what, long limitMillis) {
        if (!outcome.await(limitMillis)) {
            throw new UnansweredError("%s did not end within %d ms".formatted(what, limitMillis));
        }
        Message reply = outcome.reply();
        if (reply == null) {
            throw new UnansweredError("%s failed: %s".formatted(what, outcome.failure()));
        }
        return reply;
    }

    /** Send a request, which must be answered. */
    static void checkAnswered(AgentWorld world, int from, int to, String when) {
        Outcome outcome = world.agent(from).send(to, request(new byte[1]), world.patienceMillis());
        Message reply =
                answer(
                        world,
                        outcome,
                        "a request from worker %d to worker %d %s".formatted(from, to, when));
        check(
                reply.payload().length == 1,
                "a request %s got a reply of %d bytes instead of 1",
                when,
                reply.payload().length);
    }

    static boolean isOfKind(RpcErrorKind kind, @Nullable RuntimeException failure) {
        return failure instanceof RpcException e && e.kind() == kind;
    }

    /** {@return whether a request has failed with the connection error that programs catch} */
    static boolean isConnectionFailure(Outcome outcome) {
        return outcome.failure() instanceof RpcConnectionException;
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

    /** {@return the object, which must not be null} */
    static <T> T present(@Nullable T object, String what) {
        if (object == null) {
            throw new AssertionError(what + " did not arrive");
        }
        return object;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would add a dependency to the kit
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
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    /** Wait for a thread; {@return whether it ended in time} */
    static boolean join(Thread thread, long millis) {
        try {
            return thread.join(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Wait in a callback, no longer than an occasional slow callback may. */
    static void awaitBriefly(CountDownLatch latch) {
        try {
            var _ = latch.await(BRIEF_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
