package org.gradwire.launcher;

import java.time.Duration;

/** Why a group came to its end. */
sealed interface GroupEnd {

    /** Every worker ended with exit code 0. */
    record Finished() implements GroupEnd {}

    /** A worker failed, before any other did. */
    record WorkerFailed(WorkerProcess worker) implements GroupEnd {}

    /** The group ran for as long as it was allowed to. */
    record TimedOut(Duration limit) implements GroupEnd {}

    /** A signal told the launcher to end. */
    record Signalled() implements GroupEnd {}

    /** Nobody reads the launcher's output any more. */
    record OutputClosed() implements GroupEnd {}

    /** A worker could not be started. */
    record NotStarted(String reason) implements GroupEnd {}

    /**
     * {@return the launcher's exit code; after a signal the JVM ends with one of its own, 128 + the
     * signal's number}
     */
    default int status() {
        return switch (this) {
            case Finished _, Signalled _ -> 0;
            case WorkerFailed(WorkerProcess worker) -> worker.status().code();
            case TimedOut _ -> ExitStatus.TIMED_OUT;
            case OutputClosed _ -> ExitStatus.OUTPUT_CLOSED;
            case NotStarted _ -> ExitStatus.CANNOT_START;
        };
    }
}
