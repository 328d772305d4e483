package org.gradwire.conformance.report;

/**
 * One line of the report.
 *
 * @param backend name of the backend
 * @param id id of the rule, case, property or mutant; class and method of any other test
 * @param kind {@code rule}, {@code case}, {@code property}, {@code broken} or {@code test}
 * @param title description of the test
 * @param result {@code passed}, {@code failed}, {@code warning} or {@code skipped}
 * @param reason reason for a failure, warning or skip; empty if it passed
 * @param seed seed of a random test; empty for others
 * @param millis duration in milliseconds
 */
record Entry(
        String backend,
        String id,
        String kind,
        String title,
        String result,
        String reason,
        String seed,
        long millis) {

    boolean is(Kind wanted) {
        return kind.equals(wanted.text());
    }

    String toJson() {
        return new Json()
                .with("backend", backend)
                .with("id", id)
                .with("kind", kind)
                .with("title", title)
                .with("result", result)
                .with("reason", reason)
                .with("seed", seed)
                .with("millis", millis)
                .toString();
    }
}
