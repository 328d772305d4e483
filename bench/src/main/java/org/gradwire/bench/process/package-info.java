/** Starts the child processes of a measurement. */
@NullMarked
package org.gradwire.bench.process;

import org.jspecify.annotations.NullMarked;
