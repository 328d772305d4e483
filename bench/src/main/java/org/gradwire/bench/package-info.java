/** The comparison: metrics, the systems under test, and the report. */
@NullMarked
package org.gradwire.bench;

import org.jspecify.annotations.NullMarked;
