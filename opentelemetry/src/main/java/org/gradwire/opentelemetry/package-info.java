/** Calls as OpenTelemetry sees them. */
@NullMarked
package org.gradwire.opentelemetry;

import org.jspecify.annotations.NullMarked;
