/** Encoding of values and messages; integers as in Chronicle's binary wire. */
@NullMarked
package org.gradwire.runtime.wire;

import org.jspecify.annotations.NullMarked;
