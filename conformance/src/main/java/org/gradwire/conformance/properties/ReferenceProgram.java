package org.gradwire.conformance.properties;

import java.util.List;

/**
 * A random program of actions on one value and its references.
 *
 * @param owner rank of the worker that owns the value
 * @param value the value
 * @param actions actions in order
 */
public record ReferenceProgram(int owner, int value, List<Action> actions) {

    /** A kind of action. */
    public enum Kind {
        FORK,
        READ,
        CLOSE
    }

    /**
     * An action.
     *
     * @param kind kind of action
     * @param handle index of the reference, modulo the number of open ones
     * @param worker rank of the worker that gets the fork
     */
    public record Action(Kind kind, int handle, int worker) {}
}
