/** The comparison: figures, the systems that are measured, and the report. */
@NullMarked
package org.gradwire.bench;

import org.jspecify.annotations.NullMarked;
