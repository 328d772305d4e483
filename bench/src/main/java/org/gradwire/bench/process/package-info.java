/** Processes that the measuring one starts. */
@NullMarked
package org.gradwire.bench.process;

import org.jspecify.annotations.NullMarked;
