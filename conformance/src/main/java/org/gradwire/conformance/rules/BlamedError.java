package org.gradwire.conformance.rules;

/** A check that failed since another rule than its own is broken. */
final class BlamedError extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String rule;

    /**
     * Create one.
     *
     * @param rule id of the rule that is broken
     */
    BlamedError(String rule, String message) {
        super(message);
        this.rule = rule;
    }

    String rule() {
        return rule;
    }
}
