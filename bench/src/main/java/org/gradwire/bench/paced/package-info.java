/** Calls at a fixed rate, and the processor time that they take: {@code --paced}. */
@NullMarked
package org.gradwire.bench.paced;

import org.jspecify.annotations.NullMarked;
