package org.gradwire.conformance.report;

/**
 * One cell of the kill matrix.
 *
 * @param backend name of the correct backend that the mutant wraps
 * @param mutant name of the mutant
 * @param rule id of the rule
 * @param verdict {@code caught}, {@code passed}, {@code blamed} or {@code skipped}
 */
record Kill(String backend, String mutant, String rule, String verdict) {

    String toJson() {
        return new Json()
                .with("backend", backend)
                .with("kind", "kill")
                .with("id", mutant)
                .with("rule", rule)
                .with("result", verdict)
                .toString();
    }
}
