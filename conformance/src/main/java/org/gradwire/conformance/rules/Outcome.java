package org.gradwire.conformance.rules;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Records how often a request ended, and its first outcome. */
final class Outcome implements ReplyHandler {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger times = new AtomicInteger();
    private volatile @Nullable Message reply;
    private volatile @Nullable RuntimeException failure;
    private volatile long endedNanos;
    private final Consumer<Message> onReply;

    Outcome() {
        this(_ -> {});
    }

    /**
     * Create an outcome that passes the reply on, on the delivering thread, before it counts as
     * ended.
     */
    Outcome(Consumer<Message> onReply) {
        this.onReply = onReply;
    }

    @Override
    public void onReply(Message newReply) {
        if (times.getAndIncrement() == 0) {
            onReply.accept(newReply);
            reply = newReply;
            end();
        }
    }

    @Override
    public void onFailure(RuntimeException newFailure) {
        if (times.getAndIncrement() == 0) {
            failure = newFailure;
            end();
        }
    }

    private void end() {
        endedNanos = System.nanoTime();
        ended.countDown();
    }

    /** Wait for the end; {@return whether it came within the time} */
    boolean await(long millis) {
        try {
            return ended.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** {@return how often it ended; 1 is correct} */
    int times() {
        return times.get();
    }

    @Nullable Message reply() {
        return reply;
    }

    @Nullable RuntimeException failure() {
        return failure;
    }

    long endedNanos() {
        return endedNanos;
    }
}
