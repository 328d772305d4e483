/** Tests of traces that follow calls. */
@NullMarked
package org.gradwire.opentelemetry.tests;

import org.jspecify.annotations.NullMarked;
