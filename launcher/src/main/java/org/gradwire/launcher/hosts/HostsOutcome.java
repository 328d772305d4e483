package org.gradwire.launcher.hosts;

import org.gradwire.launcher.console.ExitStatus;

import java.time.Duration;

/** The reason that a group on several hosts ended. */
sealed interface HostsOutcome {

    /** The launcher of every host ended with exit code 0. */
    record Finished() implements HostsOutcome {}

    /** A worker failed. */
    record WorkerFailed(HostProcess host, String worker, ExitStatus exit) implements HostsOutcome {}

    /** A host cannot be reached, or its launcher ended and named no worker that had failed. */
    record HostFailed(HostProcess host) implements HostsOutcome {}

    /** The group reached its timeout. */
    record TimedOut(Duration limit) implements HostsOutcome {}

    /** The launcher received a signal to end. */
    record Signalled() implements HostsOutcome {}

    /** The reader of the launcher's output closed it. */
    record OutputClosed() implements HostsOutcome {}

    /** The program {@code ssh} cannot be started. */
    record NotStarted(String reason) implements HostsOutcome {}

    /**
     * {@return the launcher's exit code; after a signal the JVM itself ends with 128 + its number}
     */
    default int status() {
        return switch (this) {
            case Finished _, Signalled _ -> 0;
            case WorkerFailed(HostProcess _, String _, ExitStatus exit) -> exit.code();
            case HostFailed(HostProcess host) ->
                    host.lost() ? ExitStatus.CANNOT_START : host.status().code();
            case TimedOut _ -> ExitStatus.TIMED_OUT;
            case OutputClosed _ -> ExitStatus.OUTPUT_CLOSED;
            case NotStarted _ -> ExitStatus.CANNOT_START;
        };
    }
}
