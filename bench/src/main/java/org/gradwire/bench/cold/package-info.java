/** Measures a fresh pair of processes from its start on: {@code ./gradwire bench --cold}. */
@NullMarked
package org.gradwire.bench.cold;

import org.jspecify.annotations.NullMarked;
