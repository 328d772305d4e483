package org.gradwire.backend.tensorpipe;

/**
 * The process of a number at a moment, whichever it is.
 *
 * @param start when it started, in a unit of the system; 0 when that is not known, or it does not
 *     live
 */
record ProcessSnapshot(Status status, long start) {
    /** The state of a process, as far as the system tells it. */
    enum Status {
        RUNNING,
        /** By a signal, or by a debugger. */
        STOPPED,
        ENDED,
        /** An error prevents an answer. */
        UNKNOWN
    }

    boolean isLiving() {
        return status == Status.RUNNING || status == Status.STOPPED;
    }

    /** {@return whether this is known to be another process than one that started then} */
    boolean isNot(long otherStart) {
        return isLiving() && start != 0 && start != otherStart;
    }
}
