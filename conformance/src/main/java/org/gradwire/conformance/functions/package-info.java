/** Remote functions and values that several suites share. */
@NullMarked
package org.gradwire.conformance.functions;

import org.jspecify.annotations.NullMarked;
