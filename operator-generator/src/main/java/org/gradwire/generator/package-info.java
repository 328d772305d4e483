/** The generator of tensor operators. */
@NullMarked
package org.gradwire.generator;

import org.jspecify.annotations.NullMarked;
