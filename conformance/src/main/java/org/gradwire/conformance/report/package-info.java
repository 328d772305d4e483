/** The report of a conformance run: one JSON object a line, and a page that a person can read. */
@NullMarked
package org.gradwire.conformance.report;

import org.jspecify.annotations.NullMarked;
