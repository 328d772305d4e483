/** The producer's end of streams of values. */
@NullMarked
package org.gradwire.runtime.stream;

import org.jspecify.annotations.NullMarked;
