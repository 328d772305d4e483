package org.gradwire.launcher;

import org.gradwire.launcher.console.ExitStatus;

import java.time.Duration;

/** The reason that a group ended. */
sealed interface GroupOutcome {

    /** Every worker ended with exit code 0. */
    record Finished() implements GroupOutcome {}

    /**
     * A worker failed, and is not restarted.
     *
     * @param reason why not; empty if the user wants no restarts
     */
    record WorkerFailed(WorkerProcess worker, String reason) implements GroupOutcome {}

    /** The group reached its timeout. */
    record TimedOut(Duration limit) implements GroupOutcome {}

    /** The launcher received a signal to end. */
    record Signalled() implements GroupOutcome {}

    /** The reader of the launcher's output closed it. */
    record OutputClosed() implements GroupOutcome {}

    /** The input ended, and the run was to end with it. */
    record InputEnded() implements GroupOutcome {}

    /** A worker could not be started. */
    record NotStarted(String reason) implements GroupOutcome {}

    /**
     * {@return the launcher's exit code; after a signal the JVM itself ends with 128 + its number}
     */
    default int status() {
        return switch (this) {
            case Finished _, Signalled _ -> 0;
            case WorkerFailed(WorkerProcess worker, String _) -> worker.status().code();
            case TimedOut _ -> ExitStatus.TIMED_OUT;
            case OutputClosed _ -> ExitStatus.OUTPUT_CLOSED;
            case InputEnded _ -> ExitStatus.INPUT_ENDED;
            case NotStarted _ -> ExitStatus.CANNOT_START;
        };
    }
}
