package org.gradwire.conformance.report;

import java.util.Locale;

/** What a line of the report is about, in the order of the report. */
enum Kind {
    RULE("Rules", "rules"),
    CASE("Cases of the specification", "cases"),
    PROPERTY("Properties of random programs", "properties"),
    BROKEN("Broken backends", "broken backends"),
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

    /** {@return the word for several of it, as in "15 rules"} */
    String plural() {
        return plural;
    }
}
