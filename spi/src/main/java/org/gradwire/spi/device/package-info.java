/**
 * Devices other than the host: their memory and their kernels. A {@link
 * org.gradwire.spi.device.DeviceProvider} provides them.
 */
@NullMarked
package org.gradwire.spi.device;

import org.jspecify.annotations.NullMarked;
