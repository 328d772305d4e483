package org.gradwire.backend.tensorpipe.os;

/** The state of a process, as far as the system reports it. */
public enum ProcessStatus {
    RUNNING,

    /** Stopped by a signal or a debugger. */
    STOPPED,

    /** Certainly ended: an error never counts as an end. */
    ENDED,

    /** An error makes the state unknown. */
    UNKNOWN
}
