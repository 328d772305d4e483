/** Time that jumps, and threads that run one at a time, in an order drawn from a seed. */
@NullMarked
package org.gradwire.runtime.simulation;

import org.jspecify.annotations.NullMarked;
