/** Virtual devices in ordinary memory. */
@NullMarked
package org.gradwire.device.virtual;

import org.jspecify.annotations.NullMarked;
