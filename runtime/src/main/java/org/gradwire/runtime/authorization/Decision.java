package org.gradwire.runtime.authorization;

/**
 * The decision about an action of a caller.
 *
 * @param isPermitted whether the caller may perform it
 * @param reason of a refusal, for the operator
 * @param isFinal whether it holds as long as the caller is a member
 */
record Decision(boolean isPermitted, String reason, boolean isFinal) {
    static final Decision PERMITTED = new Decision(true, "", true);

    static Decision denied(String reason) {
        return new Decision(false, reason, true);
    }

    /** Return the refusal of an authorizer that failed; it is asked again. */
    static Decision failed(String reason) {
        return new Decision(false, reason, false);
    }
}
