/** Tests of context propagation and spans. */
@NullMarked
package org.gradwire.opentelemetry.tests;

import org.jspecify.annotations.NullMarked;
