package org.gradwire.junit;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The resources that a test left open in its group, from the workers' metrics. The metrics are
 * polled until all are zero, since calls and the messages that release references take time.
 */
final class ResourceLeaks {
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

    /** Time without a call or message in flight after which the counts are final. */
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private ResourceLeaks() {}

    /**
     * Wait until a group is quiescent.
     *
     * @return a line for each worker with open resources; empty without any
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

    /** Wait a moment; simulated time advances only while a thread waits. */
    private static void pass(Rpc rpc, GroupPlan plan) {
        try {
            rpc.promise().join(plan.timeout());
        } catch (RpcException _) {
            // the time has passed
        }
    }

    private static boolean isBusy(List<Rpc> workers) {
        return workers.stream()
                .map(Rpc::debugInfo)
                .anyMatch(metrics -> UNDER_WAY.stream().anyMatch(key -> isSet(metrics, key)));
    }

    private static boolean isSet(Map<String, String> metrics, String key) {
        return !metrics.getOrDefault(key, "0").equals("0");
    }

    private static List<String> lines(List<Rpc> workers) {
        List<String> lines = new ArrayList<>();
        for (Rpc rpc : workers) {
            Map<String, String> metrics = rpc.debugInfo();
            List<String> left = new ArrayList<>();
            metrics.getOrDefault(REFERENCES, "")
                    .lines()
                    .forEach(kind -> left.add("references never closed: " + kind));
            for (List<String> keys : List.of(UNDER_WAY, LEFT)) {
                keys.stream()
                        .filter(key -> isSet(metrics, key))
                        .forEach(key -> left.add(key + "=" + metrics.get(key)));
            }
            if (!left.isEmpty()) {
                lines.add(rpc.self().name() + ": " + String.join("; ", left));
            }
        }
        return lines;
    }
}
