package org.gradwire.junit;

import org.gradwire.rpc.Rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Shuts down all workers of a group together. */
final class GroupShutdown {

    private GroupShutdown() {}

    /** Shut a complete group down; {@return the failures} */
    static List<Throwable> leave(List<Rpc> workers, GroupPlan plan) {
        List<Throwable> failures = new ArrayList<>();
        if (plan.wanted().simulated()) {
            workers.forEach(
                    rpc -> run(() -> leave(rpc, plan), failures)); // so no worker waits for others
            return failures;
        }
        List<Future<?>> leaving = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            workers.forEach(rpc -> leaving.add(threads.submit(() -> leave(rpc, plan))));
        }
        leaving.forEach(each -> run(each::get, failures));
        return failures;
    }

    private static Object leave(Rpc rpc, GroupPlan plan) {
        rpc.shutdown(plan.timeout());
        return rpc;
    }

    private static void run(Callable<?> step, List<Throwable> failures) {
        try {
            step.call();
        } catch (ExecutionException e) {
            failures.add(e.getCause() == null ? e : e.getCause());
        } catch (Exception e) {
            failures.add(e);
        }
    }
}
