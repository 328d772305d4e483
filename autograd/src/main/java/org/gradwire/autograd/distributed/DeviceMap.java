package org.gradwire.autograd.distributed;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Device;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The placement of one worker's tensors on the devices of another: a one-to-one map of devices.
 *
 * @param targets the target device of each source device
 */
record DeviceMap(Map<Device, Device> targets) {
    private static final int MOST = 1 << 12;

    /**
     * Create a map.
     *
     * @throws IllegalArgumentException if two devices are mapped to the same one
     */
    DeviceMap(Map<Device, Device> targets) {
        Map<Device, Device> sources = new LinkedHashMap<>();
        targets.forEach((from, to) -> {
            Device other = sources.put(to, from);
            if (other != null) {
                throw new IllegalArgumentException(
                        "a device map is one-to-one, but maps %s and %s to %s; map each to a different device"
                                .formatted(from, other, to));
            }
        });
        this.targets = Map.copyOf(targets);
    }

    @Nullable Device target(Device source) {
        return targets.get(source);
    }

    /** {@return the map for the opposite direction} */
    DeviceMap inverse() {
        Map<Device, Device> sources = new LinkedHashMap<>();
        targets.forEach((from, to) -> sources.put(to, from));
        return new DeviceMap(sources);
    }

    void write(Output out) {
        out.writeInt(targets.size());
        targets.forEach((from, to) -> {
            out.writeString(from.toString());
            out.writeString(to.toString());
        });
    }

    static DeviceMap read(Input in) {
        Map<Device, Device> targets = new LinkedHashMap<>();
        int count = in.readCount(MOST);
        for (int i = 0; i < count; i++) {
            Device from = Device.parse(in.readString());
            targets.put(from, Device.parse(in.readString()));
        }
        return new DeviceMap(targets);
    }

    @Override
    public String toString() {
        return targets.toString();
    }
}
