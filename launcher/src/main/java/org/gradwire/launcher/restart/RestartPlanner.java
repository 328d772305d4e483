package org.gradwire.launcher.restart;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides what follows the failures of workers. Restarts have a budget, and a worker that fails
 * soon after its start waits longer each time. Not thread-safe.
 */
public final class RestartPlanner {
    /** Run time after which a failure no longer counts as soon. */
    private static final Duration STABLE = Duration.ofSeconds(30);

    private static final Duration FIRST_DELAY = Duration.ofMillis(500);
    private static final Duration MOST_DELAY = Duration.ofSeconds(30);

    private static final String HAD_LEFT = "it had left its group";

    private final RestartPolicy policy;
    private final Deque<Long> recent = new ArrayDeque<>(); // times of restarts in the window
    private final Map<Integer, Integer> soon = new HashMap<>(); // failures in a row, by rank
    private int restarts;

    public RestartPlanner(RestartPolicy policy) {
        this.policy = policy;
    }

    /**
     * A process of a worker that has failed.
     *
     * @param restart number of its earlier processes
     */
    public record Failure(int rank, int restart, Membership membership, Duration age) {}

    /** {@return the number of restarts so far} */
    public int restarts() {
        return restarts;
    }

    /**
     * Decide on a failure.
     *
     * @param others number of the other workers that run or are about to be restarted
     * @param nowNanos by {@link System#nanoTime}
     */
    public RestartDecision decide(Failure failure, int others, long nowNanos) {
        if (policy.onFailure() == OnFailure.END) {
            return new RestartDecision.End("");
        }
        if (failure.membership() == Membership.LEFT && policy.isElastic()) {
            return others > 0
                    ? new RestartDecision.Continue(HAD_LEFT)
                    : new RestartDecision.End(HAD_LEFT);
        }
        if (failure.membership() == Membership.NOT_YET && failure.restart() == 0) {
            return new RestartDecision.End(
                    "it had not joined its group, so a restart would probably fail too");
        }
        if (!tryTake(nowNanos)) {
            return withoutRestart(others);
        }
        return new RestartDecision.Restart(delay(failure), restarts);
    }

    private RestartDecision withoutRestart(int others) {
        String reason =
                "%d of %d restarts%s are used"
                        .formatted(
                                recent.size(),
                                policy.most(),
                                policy.window()
                                        .map(window -> " in " + window.toSeconds() + " s")
                                        .orElse(""));
        return policy.isElastic() && others >= policy.least()
                ? new RestartDecision.Continue(reason)
                : new RestartDecision.End(reason);
    }

    private boolean tryTake(long nowNanos) {
        policy.window()
                .ifPresent(window -> recent.removeIf(time -> nowNanos - time > window.toNanos()));
        if (recent.size() >= policy.most()) {
            return false;
        }
        recent.add(nowNanos);
        restarts++;
        return true;
    }

    private Duration delay(Failure failure) {
        if (failure.age().compareTo(STABLE) >= 0) {
            soon.remove(failure.rank());
        }
        int failures = soon.merge(failure.rank(), 1, Integer::sum) - 1;
        if (failures == 0) {
            return Duration.ZERO;
        }
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(failures - 1, 10));
        return delay.compareTo(MOST_DELAY) < 0 ? delay : MOST_DELAY;
    }
}
