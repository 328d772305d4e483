/** Limits of what the constructor of a module may take when a peer asked for it. */
@NullMarked
package org.gradwire.nn.limit;

import org.jspecify.annotations.NullMarked;
