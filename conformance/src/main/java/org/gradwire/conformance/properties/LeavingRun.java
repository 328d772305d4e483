package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.Group;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Runs programs of expressions while a worker leaves, and ends their group. */
final class LeavingRun {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private LeavingRun() {}

    /**
     * When the worker leaves in an orderly way, all programs must succeed; else those that it takes
     * part in may fail, with a typed error. In both cases nothing of them is left on the others.
     */
    static void run(Group group, LeavingProgram program) {
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
            group.onAll(LeavingRun::stop); // which does nothing after an orderly end
        }
    }

    private static IntStream ranks(Group group) {
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
            // It is stopped all the same. Only the references that are open then are in its way.
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
