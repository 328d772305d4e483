/** Collective operations: all-gather, and the barriers made of it. */
@NullMarked
package org.gradwire.runtime.collective;

import org.jspecify.annotations.NullMarked;
