package org.gradwire.runtime.authorization;

/** A permission to send messages that name no function. */
public enum Permission {
    /** To fetch the value of a reference. */
    FETCH("gradwire::fetch"),
    /** To record calls in an autograd context here, and to run backward passes through it. */
    AUTOGRAD("gradwire::autograd"),
    /** To have calls profiled. */
    PROFILE("gradwire::profile"),
    /** To give values to an all-gather or a barrier, and to lead one. */
    ALL_GATHER("gradwire::all-gather"),
    /** To take part in collective operations of process groups. */
    COLLECTIVE("gradwire::collective"),
    /** To join a dynamic group. */
    JOIN("gradwire::join");

    private final String action;

    Permission(String action) {
        this.action = action;
    }

    /** {@return the name of the permission in a policy} */
    public String action() {
        return action;
    }
}
