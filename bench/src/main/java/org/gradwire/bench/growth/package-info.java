/** Growth of metrics with a size: {@code ./gradwire bench --growth}. */
@NullMarked
package org.gradwire.bench.growth;

import org.jspecify.annotations.NullMarked;
