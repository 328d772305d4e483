package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.tests.functions.Holds;
import org.gradwire.runtime.tests.functions.Numbers;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Sleep and wake-up of the pollers of the backend {@code inproc}. */
class InprocPollerTest {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int ROUNDS = 3;

    private final Set<Thread> ofOthers = allPollers();

    private static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(
                    System.nanoTime() - start < PATIENCE_NANOS, "the expected state did not occur");
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Wait until the pollers of two workers sleep without a timeout. */
    private void awaitSleep() {
        await(() -> pollers().equals(List.of(Thread.State.WAITING, Thread.State.WAITING)));
    }

    /** {@return the states of the pollers that the test started} */
    private List<Thread.State> pollers() {
        return allPollers().stream()
                .filter(poller -> !ofOthers.contains(poller))
                .map(Thread::getState)
                .toList();
    }

    private static Set<Thread> allPollers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gradwire-inproc-worker"))
                .collect(Collectors.toSet());
    }

    @Test
    void messageWakesAnIdlePoller() {
        try (var workers = new InprocWorkers(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                awaitSleep();
                assertEquals(9, workers.get(0).rpcSync("worker1", Numbers::square, 3));
            }
        }
    }

    @Test
    void deadlineWakesAPollerThoughNoThreadWaits() {
        try (var workers = new InprocWorkers(2)) {
            var hasty = workers.get(0).withTimeout(Duration.ofMillis(20));
            for (int round = 0; round < ROUNDS; round++) {
                awaitSleep();
                RpcFuture<Integer> call =
                        hasty.rpcAsync("worker1", RpcFunction.async(Holds::promise));
                await(call::isDone);
                assertThrows(RpcTimeoutException.class, call::join);
            }
        }
    }

    @Test
    void closingEndsSleepingPollers() {
        try (var _ = new InprocWorkers(2)) {
            awaitSleep();
        }
        await(() -> pollers().isEmpty());
    }
}
