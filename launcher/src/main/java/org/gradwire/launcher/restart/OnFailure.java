package org.gradwire.launcher.restart;

/** Reaction of a launcher to the failure of a worker. */
public enum OnFailure {
    /** End the other workers. */
    END,
    /** Start the worker again, while the others continue. */
    RESTART_WORKER,
    /** End the other workers, and start all again as a new group. */
    RESTART_ALL
}
