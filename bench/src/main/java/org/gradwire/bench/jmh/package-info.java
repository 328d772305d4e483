/** Microbenchmarks, run by JMH: {@code ./gradwire bench --jmh}. */
@NullMarked
package org.gradwire.bench.jmh;

import org.jspecify.annotations.NullMarked;
