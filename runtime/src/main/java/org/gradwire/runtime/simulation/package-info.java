/** Simulated time and threads, for reproducible runs. */
@NullMarked
package org.gradwire.runtime.simulation;

import org.jspecify.annotations.NullMarked;
