package org.gradwire.conformance.report;

import java.util.Locale;

/** What a line of the report is about. */
enum Kind {
    RULE,
    CASE,
    PROPERTY,
    BROKEN;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
