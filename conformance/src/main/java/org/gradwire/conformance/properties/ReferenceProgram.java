package org.gradwire.conformance.properties;

import java.util.List;

/**
 * What becomes of one value and the references to it.
 *
 * @param owner rank of the worker that has the value
 * @param value which it is
 * @param actions in order
 */
public record ReferenceProgram(int owner, int value, List<Action> actions) {

    /** What is done to a reference. */
    public enum Kind {
        FORK,
        READ,
        CLOSE
    }

    /**
     * One action.
     *
     * @param handle which of the open references it concerns, counted around
     * @param worker rank of the worker that gets the fork
     */
    public record Action(Kind kind, int handle, int worker) {}
}
