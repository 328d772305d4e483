package org.gradwire.backend.tensorpipe.os;

/**
 * The state of the process with an id at one moment.
 *
 * @param start start time in a unit of the system; 0 if unknown or if the process has ended
 */
record ProcessSnapshot(ProcessStatus status, long start) {

    boolean isLiving() {
        return status == ProcessStatus.RUNNING || status == ProcessStatus.STOPPED;
    }

    /** {@return whether this is certainly not the process with a start time} */
    boolean isNot(long otherStart) {
        return isLiving() && start != 0 && start != otherStart;
    }
}
