/** Remote functions and values of the random programs. */
@NullMarked
package org.gradwire.conformance.properties.functions;

import org.jspecify.annotations.NullMarked;
