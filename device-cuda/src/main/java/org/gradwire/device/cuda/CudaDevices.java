package org.gradwire.device.cuda;

import org.gradwire.spi.Setting;
import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.spi.device.DeviceSharing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The GPUs of the machine that its CUDA driver offers to this process. */
public final class CudaDevices implements DeviceProvider {
    private final List<CudaDevice> devices;
    private final String description;
    private final DeviceKernels kernels;
    private final Optional<DeviceSharing> sharing;

    /** For {@link java.util.ServiceLoader}. */
    public CudaDevices() {
        var settings = new CudaSettings();
        List<CudaDevice> found = List.of();
        String text;
        if (Driver.LIBRARY == null) {
            text =
                    "no CUDA devices: libcuda.so.1 was not found; install NVIDIA's driver, or set %s"
                            .formatted(CudaSettings.LIBRARIES);
        } else {
            try {
                Driver.check("cuInit", Driver.initialize());
                List<CudaDevice> opened = open(settings);
                text = describe(opened);
                found = opened;
            } catch (DeviceException | UnsatisfiedLinkError e) {
                text = "no CUDA devices: " + e.getMessage();
            }
        }
        this.devices = found;
        this.description = text;
        this.sharing =
                found.isEmpty() || !settings.sharing()
                        ? Optional.empty()
                        : Optional.of(new CudaSharing(found));
        this.kernels = found.isEmpty() ? DeviceKernels.NONE : new CudaKernels(settings.tf32());
    }

    private static List<CudaDevice> open(CudaSettings settings) {
        List<CudaDevice> devices = new ArrayList<>();
        int count = Driver.count();
        for (int i = 0; i < count; i++) {
            devices.add(new CudaDevice(i, settings.cache(), settings.memoryLimit()));
        }
        devices.forEach(device -> device.peers(devices));
        return List.copyOf(devices);
    }

    private static String describe(List<CudaDevice> devices) {
        String names =
                devices.stream()
                        .map(device ->
                                "%s, %d MiB".formatted(device, device.properties().memory() >> 20))
                        .collect(Collectors.joining("; "));
        return "CUDA driver %d.%d, %s, %s: %s"
                .formatted(
                        Driver.version() / 1000,
                        Driver.version() % 1000 / 10,
                        Cublas.exists() ? "cuBLAS" : "no cuBLAS",
                        Nvrtc.exists() ? "NVRTC " + Nvrtc.version() : "no NVRTC",
                        devices.isEmpty() ? "no devices" : names);
    }

    private CudaDevice device(int index) {
        if (index < 0 || index >= devices.size()) {
            throw new IllegalArgumentException(
                    "there is no device cuda:%d; %s".formatted(index, description));
        }
        return devices.get(index);
    }

    @Override
    public String type() {
        return "cuda";
    }

    @Override
    public int count() {
        return devices.size();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public DeviceMemory allocate(int index, long bytes) {
        return new CudaMemory(device(index), bytes);
    }

    @Override
    public DeviceKernels kernels() {
        return kernels;
    }

    @Override
    public List<Setting> settings() {
        return CudaSettings.ALL;
    }

    @Override
    public Optional<DeviceSharing> sharing() {
        return sharing;
    }

    @Override
    public void synchronize(int index) {
        device(index).synchronize();
    }

    @Override
    public MemoryUse memoryUse(int index) {
        return device(index).allocator().use();
    }
}
