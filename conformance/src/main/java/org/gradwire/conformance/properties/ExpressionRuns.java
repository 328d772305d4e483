package org.gradwire.conformance.properties;

import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Runs expression programs in parallel, each on its own thread and possibly its own worker. */
final class ExpressionRuns {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final String[] METRICS = {
        "num_autograd_contexts",
        "num_current_backward_passes",
        "num_owner_rrefs",
        "num_forks",
        "num_pending_users",
        "num_pending_futures",
        "agent.client_active_calls",
        "agent.server_active_calls",
        "agent.server_active_async_calls"
    };

    private ExpressionRuns() {}

    /** Run programs, and wait until nothing of them is left. */
    static void run(WorkerGroup group, List<ExpressionProgram> programs, boolean mayFail) {
        runToEnd(group, programs, mayFail);
        awaitNothingLeft(group, IntStream.range(0, group.size()).toArray());
    }

    /** Run programs, and wait for their end. */
    static void runToEnd(WorkerGroup group, List<ExpressionProgram> programs, boolean mayFail) {
        List<FutureTask<Void>> ends = new ArrayList<>();
        for (ExpressionProgram program : programs) {
            var end =
                    new FutureTask<Void>(() -> {
                        new ExpressionRun(program, group.rpc(program.initiator())).run();
                        return null;
                    });
            Thread.ofPlatform().start(end);
            ends.add(end);
        }
        for (int i = 0; i < ends.size(); i++) {
            await(programs.get(i), ends.get(i), mayFail);
        }
    }

    /** Wait until nothing of the programs is left on some ranks. */
    static void awaitNothingLeft(WorkerGroup group, int[] ranks) {
        for (int rank : ranks) {
            Invariants.eventuallyZero(group.rpc(rank), METRICS);
        }
    }

    private static void await(ExpressionProgram program, FutureTask<Void> end, boolean mayFail) {
        try {
            end.get(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!mayFail || !(e.getCause() instanceof RpcException)) {
                throw new AssertionError(program + " failed", e.getCause());
            }
        } catch (TimeoutException e) {
            throw new AssertionError(program + " did not end within " + TIME_LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
