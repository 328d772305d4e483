package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Runs expression programs while a worker leaves, and shuts their group down. */
final class LeavingRun {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private LeavingRun() {}

    /**
     * Run the programs. After a graceful shutdown all must succeed; after an abrupt one, programs
     * that involve the worker may fail with a typed error. Nothing of them is left on the others.
     */
    static void run(WorkerGroup group, LeavingProgram program) {
        var leaving = new FutureTask<Void>(() -> leave(group.rpc(program.leaver()), program), null);
        Thread.ofPlatform().daemon().name("leaving").start(leaving);
        try {
            ExpressionRuns.runToEnd(group, program.programs(), !program.orderly());
            if (program.orderly()) {
                ExpressionRuns.awaitNothingLeft(group, ranks(group).toArray());
                group.close();
                await(program, leaving);
            } else {
                await(program, leaving);
                int[] others = ranks(group).filter(rank -> rank != program.leaver()).toArray();
                ExpressionRuns.awaitNothingLeft(group, others);
            }
        } finally {
            group.onAll(LeavingRun::stop); // a no-op after a graceful shutdown
        }
    }

    private static IntStream ranks(WorkerGroup group) {
        return IntStream.range(0, group.size());
    }

    private static void leave(Rpc rpc, LeavingProgram program) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(program.momentMicros()));
        if (program.orderly()) {
            rpc.shutdown(TIME_LIMIT);
        } else {
            stop(rpc);
        }
    }

    private static void stop(Rpc rpc) {
        try {
            rpc.shutdownNow();
        } catch (RpcException e) {
            // The worker has stopped nevertheless. Only references that are still open obstruct it.
            assertTrue(String.valueOf(e.getMessage()).contains("references leaked"), e::toString);
        }
    }

    private static void await(LeavingProgram program, FutureTask<Void> leaving) {
        try {
            leaving.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(program + ": leaving failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError(program + ": leaving did not end within " + TIME_LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
