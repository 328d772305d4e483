/** Values to bytes and back; numbers have the forms of Chronicle's binary wire. */
@NullMarked
package org.gradwire.runtime.wire;

import org.jspecify.annotations.NullMarked;
