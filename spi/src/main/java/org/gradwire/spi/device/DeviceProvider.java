package org.gradwire.spi.device;

import org.gradwire.spi.Setting;

import java.util.List;
import java.util.Optional;

/**
 * Provides devices of one type for tensors, such as the accelerators of a machine. Found by {@link
 * java.util.ServiceLoader}; {@code cpu} needs no provider.
 *
 * <p>Operators run the devices' {@link #kernels}. Where one is missing, the host's runs on a copy.
 *
 * <p>Thread-safe.
 */
public interface DeviceProvider {

    /** {@return the type of the devices, in lower case, such as {@code cuda}} */
    String type();

    /** {@return the number of devices; their indices start at 0} */
    int count();

    /** {@return a readable sentence that names the devices, or the reason why there are none} */
    String description();

    /**
     * Allocate memory of a device, with undefined contents. It is released when it is no longer
     * reachable, if not before.
     *
     * @param index below {@link #count}
     * @throws OutOfMemoryError if the device does not have enough memory
     */
    DeviceMemory allocate(int index, long bytes);

    /** {@return the devices' kernels} */
    default DeviceKernels kernels() {
        return DeviceKernels.NONE;
    }

    /** {@return the settings of the devices, which hold for the whole JVM} */
    default List<Setting> settings() {
        return List.of();
    }

    /** {@return copies between processes; empty where the devices have none} */
    default Optional<DeviceSharing> sharing() {
        return Optional.empty();
    }

    /**
     * Wait until a device has done all work of this JVM.
     *
     * @param index below {@link #count}
     */
    default void synchronize(int index) {}

    /**
     * Return the use of a device's memory by this JVM.
     *
     * @param index below {@link #count}
     */
    MemoryUse memoryUse(int index);

    /**
     * The use of a device's memory, in bytes.
     *
     * @param allocated by {@link #allocate} and not released
     * @param reserved from the device, including memory kept for reuse
     * @param peak the largest {@code allocated} so far
     */
    record MemoryUse(long allocated, long reserved, long peak) {}
}
