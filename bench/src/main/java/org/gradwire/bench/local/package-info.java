/** Operators and their backward passes on one thread: {@code ./gradwire bench --local}. */
@NullMarked
package org.gradwire.bench.local;

import org.jspecify.annotations.NullMarked;
