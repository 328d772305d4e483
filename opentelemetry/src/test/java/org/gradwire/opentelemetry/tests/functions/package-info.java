/** Remote functions of the tests. */
@NullMarked
package org.gradwire.opentelemetry.tests.functions;

import org.jspecify.annotations.NullMarked;
