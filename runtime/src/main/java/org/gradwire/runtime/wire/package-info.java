/** Values to bytes and back, on Chronicle Wire. */
@NullMarked
package org.gradwire.runtime.wire;

import org.jspecify.annotations.NullMarked;
