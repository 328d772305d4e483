package org.gradwire.tensor.storage;

import org.gradwire.spi.Setting;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.spi.device.DeviceProvider.MemoryUse;
import org.gradwire.spi.process.CodePath;
import org.gradwire.tensor.Device;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The available devices, by the providers of their types. */
public final class Devices {
    private final Map<String, DeviceProvider> providers;
    private final SortedSet<String> types;
    private volatile boolean used; // before, metrics must not load a driver

    private Devices(Map<String, DeviceProvider> providers) {
        this.providers = providers;
        var all = new TreeSet<>(List.of(Device.CPU.type(), "cuda"));
        all.addAll(providers.keySet());
        this.types = Collections.unmodifiableSortedSet(all);
    }

    private static final class Installed {
        static final Devices DEVICES =
                of(ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader()));
    }

    /** {@return the devices of this JVM} */
    public static Devices installed() {
        return Installed.DEVICES;
    }

    /** Return the devices of some providers. */
    static Devices of(Iterable<DeviceProvider> found) {
        Map<String, DeviceProvider> byType = new TreeMap<>();
        for (DeviceProvider provider : found) {
            DeviceProvider twin = byType.put(provider.type(), provider);
            if (twin != null) {
                throw new IllegalStateException(
                        "devices of type '%s' are provided twice, by %s and by %s; leave one out"
                                .formatted(
                                        provider.type(),
                                        twin.getClass().getName(),
                                        provider.getClass().getName()));
            }
        }
        return new Devices(byType);
    }

    /** {@return the types that can be parsed, whether or not such devices exist} */
    public SortedSet<String> types() {
        return types;
    }

    /** {@return a sentence about the devices of a type} */
    public String describe(String type) {
        DeviceProvider provider = providers.get(type);
        return provider != null
                ? provider.description()
                : type.equals(Device.CPU.type())
                        ? "the host"
                        : "no module on the %s provides devices of type '%s'"
                                .formatted(CodePath.of(Devices.class), type);
    }

    /** {@return the use of each device's memory by this JVM; nothing before one was used} */
    public Map<Device, MemoryUse> memoryUse() {
        Map<Device, MemoryUse> uses = new LinkedHashMap<>();
        if (!used) {
            return uses;
        }
        providers.forEach((type, provider) -> {
            for (int i = 0; i < provider.count(); i++) {
                uses.put(new Device(type, i), provider.memoryUse(i));
            }
        });
        return uses;
    }

    /** {@return the settings of all providers} */
    public List<Setting> settings() {
        return providers.values().stream()
                .flatMap(provider -> provider.settings().stream())
                .toList();
    }

    /** {@return the number of devices of a type} */
    public int count(String type) {
        DeviceProvider provider = providers.get(type);
        return provider != null ? provider.count() : type.equals(Device.CPU.type()) ? 1 : 0;
    }

    /**
     * Return the provider of an existing device other than the host.
     *
     * @throws IllegalArgumentException when it does not exist
     */
    public DeviceProvider provider(Device device) {
        used = true;
        DeviceProvider provider = providers.get(device.type());
        if (provider == null) {
            throw new IllegalArgumentException(
                    "there is no %s: nothing on the %s provides devices of type '%s'; provided are %s"
                            .formatted(
                                    device,
                                    CodePath.of(Devices.class),
                                    device.type(),
                                    providers.keySet()));
        }
        if (device.index() >= provider.count()) {
            throw new IllegalArgumentException(
                    "%s error: invalid device ordinal: there is no %s, but %d device(s) from %s:0 on%s"
                            .formatted(
                                    device.type().toUpperCase(Locale.ROOT),
                                    device,
                                    provider.count(),
                                    device.type(),
                                    provider.count() == 0 ? "; " + provider.description() : ""));
        }
        return provider;
    }

    /** Wait until a device has done all work of this JVM; the host always has. */
    public static void synchronize(Device device) {
        if (!device.isCpu()) {
            installed().provider(device).synchronize(device.index());
        }
    }
}
