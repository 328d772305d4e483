package org.gradwire.junit;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a test has left open in its group, by the workers' figures. They are looked at until they
 * are all zero, since calls take their time, and messages that give references up, too.
 */
final class Leaks {
    private static final List<String> UNDER_WAY =
            List.of(
                    "agent.client_active_calls",
                    "agent.server_active_calls",
                    "num_retried_calls",
                    "num_unsent_messages",
                    "num_pending_futures",
                    "num_pending_users",
                    "num_current_backward_passes");
    private static final List<String> LEFT =
            List.of("num_owner_rrefs", "num_forks", "num_autograd_contexts");
    private static final String REFERENCES = "open_references";

    /** After so long without a call or message under way nothing changes any more. */
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Leaks() {}

    /**
     * Wait until a group has come to rest.
     *
     * @return a line for each worker that has something left; empty when none has
     */
    static List<String> of(List<Rpc> workers, GroupPlan plan) {
        if (workers.isEmpty()) {
            return List.of();
        }
        if (plan.wanted().simulated()) {
            pass(workers.getFirst(), plan);
            return lines(workers);
        }
        long start = System.nanoTime();
        long busy = start;
        while (true) {
            List<String> lines = lines(workers);
            long now = System.nanoTime();
            busy = isBusy(workers) ? now : busy;
            if (lines.isEmpty()
                    || now - busy > SETTLED_NANOS
                    || now - start > plan.timeout().toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return lines;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Let simulated time go by, which it does while a thread waits. */
    private static void pass(Rpc rpc, GroupPlan plan) {
        try {
            rpc.promise().join(plan.timeout());
        } catch (RpcException _) {
            // that much time has gone by
        }
    }

    private static boolean isBusy(List<Rpc> workers) {
        return workers.stream()
                .map(Rpc::debugInfo)
                .anyMatch(figures -> UNDER_WAY.stream().anyMatch(key -> isSet(figures, key)));
    }

    private static boolean isSet(Map<String, String> figures, String key) {
        return !figures.getOrDefault(key, "0").equals("0");
    }

    private static List<String> lines(List<Rpc> workers) {
        List<String> lines = new ArrayList<>();
        for (Rpc rpc : workers) {
            Map<String, String> figures = rpc.debugInfo();
            List<String> left = new ArrayList<>();
            figures.getOrDefault(REFERENCES, "")
                    .lines()
                    .forEach(kind -> left.add("references never closed: " + kind));
            for (List<String> keys : List.of(UNDER_WAY, LEFT)) {
                keys.stream()
                        .filter(key -> isSet(figures, key))
                        .forEach(key -> left.add(key + "=" + figures.get(key)));
            }
            if (!left.isEmpty()) {
                lines.add(rpc.self().name() + ": " + String.join("; ", left));
            }
        }
        return lines;
    }
}
