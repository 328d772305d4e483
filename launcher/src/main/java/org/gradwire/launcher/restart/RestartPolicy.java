package org.gradwire.launcher.restart;

import java.time.Duration;
import java.util.Optional;

/**
 * The restarts that a user permits.
 *
 * @param most number of restarts, of all workers together
 * @param window time in which this number is permitted; empty for the whole run
 * @param standbys number of processes that wait to become restarted workers
 * @param least number of workers with which the run continues when there may be no further restart
 */
public record RestartPolicy(
        OnFailure onFailure, int most, Optional<Duration> window, int standbys, int least) {

    /** {@return the policy of a run that ends with its first failure} */
    public static RestartPolicy none() {
        return new RestartPolicy(OnFailure.END, 0, Optional.empty(), 0, 1);
    }

    /** {@return whether workers leave and return while others continue} */
    public boolean isElastic() {
        return onFailure == OnFailure.RESTART_WORKER;
    }
}
