package org.gradwire.conformance.report;

/**
 * One line of the report.
 *
 * @param backend name of the backend
 * @param id of the rule, case, property or broken backend; class and method of any other test
 * @param kind {@code rule}, {@code case}, {@code property}, {@code broken} or {@code test}
 * @param title what the test says of itself
 * @param result {@code passed}, {@code failed}, {@code warning} or {@code skipped}
 * @param reason why it failed, was skipped or is a warning; empty when it passed
 * @param seed of a random test; empty for others
 * @param millis how long it took
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
