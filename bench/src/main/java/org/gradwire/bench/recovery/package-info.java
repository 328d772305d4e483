/** The time in which a group continues after the end of a worker: {@code --recovery}. */
@NullMarked
package org.gradwire.bench.recovery;

import org.jspecify.annotations.NullMarked;
