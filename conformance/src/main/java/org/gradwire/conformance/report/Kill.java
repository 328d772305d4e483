package org.gradwire.conformance.report;

/**
 * One cell of the kill matrix.
 *
 * @param backend the sound backend that was broken
 * @param verdict {@code caught}, {@code passed} or {@code skipped}
 */
record Kill(String backend, String flaw, String rule, String verdict) {

    String toJson() {
        return new Json()
                .with("backend", backend)
                .with("kind", "kill")
                .with("id", flaw)
                .with("rule", rule)
                .with("result", verdict)
                .toString();
    }
}
