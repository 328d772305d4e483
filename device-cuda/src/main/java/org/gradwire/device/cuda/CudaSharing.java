package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DevicePeer;
import org.gradwire.spi.device.DeviceSharing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Copies between processes of a machine by the driver's handles of memory and events. */
final class CudaSharing implements DeviceSharing {
    private final List<CudaDevice> devices;
    private final String machine = machineIdentity();

    CudaSharing(List<CudaDevice> devices) {
        this.devices = devices;
    }

    /** {@return the kernel's boot id; a random id if it is unknown} */
    private static String machineIdentity() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException _) {
            return UUID.randomUUID().toString();
        }
    }

    @Override
    public String machine() {
        return machine;
    }

    @Override
    public List<String> devices() {
        return devices.stream().map(CudaSharing::identity).toList();
    }

    private static String identity(CudaDevice device) {
        return HexFormat.of().formatHex(device.properties().uuid());
    }

    @Override
    public byte[] exported(DeviceMemory memory, long offset, long bytes) {
        CudaMemory exported = (CudaMemory) memory;
        return exported.exported(identity(exported.device()), offset, bytes).encoded();
    }

    @Override
    public DevicePeer peer() {
        return new CudaPeer(this);
    }

    /** Wait for all work of this process. */
    void synchronize() {
        devices.forEach(CudaDevice::synchronize);
    }

    /** {@return the device with an identity that a peer sent} */
    CudaDevice device(String identity) {
        return devices.stream()
                .filter(device -> identity(device).equals(identity))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "a peer exported memory of device %s, which this process does not have"
                                        .formatted(identity)));
    }
}
