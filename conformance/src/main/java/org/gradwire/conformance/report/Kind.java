package org.gradwire.conformance.report;

import java.util.Locale;

/** The kinds of report lines, in the order of the report. */
enum Kind {
    RULE("Rules", "rules"),
    CASE("Cases of the specification", "cases"),
    PROPERTY("Properties of random programs", "properties"),
    BROKEN("Mutants", "mutants"),
    TEST("Other tests", "other tests");

    private final String heading;
    private final String plural;

    Kind(String heading, String plural) {
        this.heading = heading;
        this.plural = plural;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    String heading() {
        return heading;
    }

    /** {@return the plural, as in "15 rules"} */
    String plural() {
        return plural;
    }
}
