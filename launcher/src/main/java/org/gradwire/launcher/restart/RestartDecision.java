package org.gradwire.launcher.restart;

import java.time.Duration;

/** Decision on the failure of a worker. */
public sealed interface RestartDecision {

    /**
     * The run ends.
     *
     * @param reason why the worker is not restarted; empty if the user wants no restarts
     */
    record End(String reason) implements RestartDecision {}

    /** The run continues without the worker. */
    record Continue(String reason) implements RestartDecision {}

    /**
     * The worker, or all workers, are started again.
     *
     * @param number number of this restart in the run, from 1
     */
    record Restart(Duration delay, int number) implements RestartDecision {}
}
