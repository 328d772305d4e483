/** Streams of values from other workers. */
@NullMarked
package org.gradwire.rpc.stream;

import org.jspecify.annotations.NullMarked;
