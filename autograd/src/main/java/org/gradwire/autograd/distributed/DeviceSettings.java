package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Setting;
import org.gradwire.spi.Settings;
import org.gradwire.tensor.Device;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The device settings of a worker.
 *
 * @param devices the devices that it uses; empty if they follow from the maps
 * @param maps the device maps, by the name of the receiver
 */
record DeviceSettings(List<Device> devices, Map<String, DeviceMap> maps) {
    private static final String DEVICES = "gradwire.devices";
    private static final String MAPS = "gradwire.device-maps";
    private static final String FORM = "WORKER FROM=TO [FROM=TO...]";

    static final List<Setting> ALL =
            List.of(
                    new Setting(
                            DEVICES,
                            "",
                            "Devices that this worker uses, separated by commas, such as"
                                    + " cuda:0,cuda:1; those of the device maps when not set."),
                    new Setting(
                            MAPS,
                            "",
                            "Devices of other workers on which tensors that are sent there are placed: "
                                    + FORM
                                    + ", separated by commas, such as worker1 cuda:0=cuda:1; results"
                                    + " come back the other way."));

    /**
     * Read the settings of a worker.
     *
     * @throws RpcConfigurationException if they are invalid
     */
    static DeviceSettings of(Settings settings) {
        List<Device> devices =
                settings.find(DEVICES).stream()
                        .flatMap(text -> Arrays.stream(text.split(",", -1)))
                        .map(text -> device(settings, DEVICES, text.strip()))
                        .toList();
        for (Device device : devices) {
            if (device.isCpu()) {
                throw wrong(
                        settings,
                        DEVICES,
                        "each worker uses cpu; name only other devices, such as cuda:0");
            }
        }
        Map<String, Map<Device, Device>> targets = new LinkedHashMap<>();
        settings.find(MAPS).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .forEach(rule -> addRule(settings, rule.strip(), targets));
        Map<String, DeviceMap> maps = new LinkedHashMap<>();
        targets.forEach((worker, map) -> maps.put(worker, map(settings, map)));
        return new DeviceSettings(devices, maps);
    }

    private static void addRule(
            Settings settings, String rule, Map<String, Map<Device, Device>> targets) {
        String[] words = rule.split("\\s+", -1);
        if (words.length < 2) {
            throw wrong(settings, MAPS, "'%s' must be %s".formatted(rule, FORM));
        }
        Map<Device, Device> map = targets.computeIfAbsent(words[0], _ -> new LinkedHashMap<>());
        for (String pair : List.of(words).subList(1, words.length)) {
            String[] ends = pair.split("=", -1);
            if (ends.length != 2) {
                throw wrong(settings, MAPS, "'%s' must be %s".formatted(rule, FORM));
            }
            Device from = device(settings, MAPS, ends[0]);
            Device to = device(settings, MAPS, ends[1]);
            Device other = map.put(from, to);
            if (other != null && !other.equals(to)) {
                throw wrong(
                        settings,
                        MAPS,
                        "a device map is one-to-one, but maps %s to %s and %s; map it to one device"
                                .formatted(from, to, other));
            }
        }
    }

    private static DeviceMap map(Settings settings, Map<Device, Device> targets) {
        try {
            return new DeviceMap(targets);
        } catch (IllegalArgumentException e) {
            throw wrong(settings, MAPS, String.valueOf(e.getMessage()));
        }
    }

    private static Device device(Settings settings, String key, String text) {
        try {
            return Device.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong(settings, key, String.valueOf(e.getMessage()));
        }
    }

    private static RpcConfigurationException wrong(Settings settings, String key, String why) {
        return new RpcConfigurationException(
                "%s (%s, from %s)".formatted(why, key, settings.origin(key)));
    }
}
