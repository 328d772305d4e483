/** The functions that the cases call, on whichever worker. */
@NullMarked
package org.gradwire.conformance.functions;

import org.jspecify.annotations.NullMarked;
