/** What the tests call. */
@NullMarked
package org.gradwire.opentelemetry.tests.functions;

import org.jspecify.annotations.NullMarked;
