/** Starts the child processes of a measurement, and frees what they use. */
@NullMarked
package org.gradwire.bench.process;

import org.jspecify.annotations.NullMarked;
