/** OpenTelemetry's context propagation and spans for calls. */
@NullMarked
package org.gradwire.opentelemetry;

import org.jspecify.annotations.NullMarked;
