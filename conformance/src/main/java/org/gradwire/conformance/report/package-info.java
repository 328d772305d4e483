/** The report of a run, as NDJSON and as an HTML page. */
@NullMarked
package org.gradwire.conformance.report;

import org.jspecify.annotations.NullMarked;
