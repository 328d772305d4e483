/** Serializes modules by value between workers. */
@NullMarked
package org.gradwire.nn.wire;

import org.jspecify.annotations.NullMarked;
