package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;

/** The memory under a {@link Strided} on a device other than the host. */
public interface DeviceBase {

    /** {@return the device's kernels} */
    DeviceKernels kernels();

    /** {@return the memory, with changes that host kernels made to their copy} */
    DeviceMemory readable();

    /** {@return the memory, which a kernel of the device is about to change} */
    DeviceMemory writable();

    /** {@return an array or a native segment with a copy, for a kernel of the host} */
    Object onHost();
}
