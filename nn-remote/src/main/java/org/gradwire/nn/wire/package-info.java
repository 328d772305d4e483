/** Modules as values that travel between workers. */
@NullMarked
package org.gradwire.nn.wire;

import org.jspecify.annotations.NullMarked;
