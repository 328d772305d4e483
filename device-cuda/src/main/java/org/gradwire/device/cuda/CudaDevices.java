package org.gradwire.device.cuda;

import org.gradwire.spi.Setting;
import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.spi.device.DeviceSharing;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The GPUs of the machine that its CUDA driver offers to this process. The driver is loaded at the
 * first use of a device: workers that use none do not wait for it.
 */
public final class CudaDevices implements DeviceProvider {
    private final Object loading = new Object();
    private volatile @Nullable Found found;

    /** For {@link java.util.ServiceLoader}. */
    public CudaDevices() {}

    /** The devices of the driver, found at the first use. */
    private record Found(
            List<CudaDevice> devices,
            String description,
            DeviceKernels kernels,
            Optional<DeviceSharing> sharing) {}

    private Found found() {
        Found known = found;
        if (known == null) {
            synchronized (loading) {
                known = found;
                if (known == null) {
                    known = load();
                    found = known;
                }
            }
        }
        return known;
    }

    private static Found load() {
        var settings = new CudaSettings();
        List<CudaDevice> devices = List.of();
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
                devices = opened;
            } catch (DeviceException | UnsatisfiedLinkError e) {
                text = "no CUDA devices: " + e.getMessage();
            }
        }
        return new Found(
                devices,
                text,
                devices.isEmpty() ? DeviceKernels.NONE : new CudaKernels(settings.tf32()),
                devices.isEmpty() || !settings.sharing()
                        ? Optional.empty()
                        : Optional.of(new CudaSharing(devices)));
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
        Found all = found();
        if (index < 0 || index >= all.devices.size()) {
            throw new IllegalArgumentException(
                    "there is no device cuda:%d; %s".formatted(index, all.description));
        }
        return all.devices.get(index);
    }

    @Override
    public String type() {
        return "cuda";
    }

    @Override
    public int count() {
        return found().devices.size();
    }

    @Override
    public String description() {
        return found().description;
    }

    @Override
    public DeviceMemory allocate(int index, long bytes) {
        return new CudaMemory(device(index), bytes);
    }

    @Override
    public DeviceKernels kernels() {
        return found().kernels;
    }

    @Override
    public List<Setting> settings() {
        return CudaSettings.ALL;
    }

    @Override
    public Optional<DeviceSharing> sharing() {
        return found().sharing;
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
