package org.gradwire.tensor;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.storage.Devices;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A device on which tensors are stored and operators run: the host, {@link #CPU}, or a device of a
 * {@link org.gradwire.spi.device.DeviceProvider}.
 *
 * @param type such as {@code cpu} or {@code cuda}
 * @param index which of that type, from 0 on; 0 for the one {@code cpu}
 */
@WireValue
public record Device(String type, int index) {
    /** The host. */
    public static final Device CPU = new Device("cpu", 0);

    private static final Pattern FORM = Pattern.compile("([A-Za-z_]+)(?::(0|[1-9]\\d{0,8}))?");

    /** Checks that the index of the host is 0. */
    public Device {
        if (index < 0 || (index > 0 && type.equals("cpu"))) {
            throw new IllegalArgumentException(
                    type.equals("cpu")
                            ? "CPU device index must be -1 or zero, got " + index
                            : "the index of a device must be 0 or more, not " + index);
        }
    }

    /**
     * Parse a device: {@code cpu}, {@code cuda:1}; {@code cuda} is the first of its type. A device
     * that can be parsed need not exist.
     *
     * @throws IllegalArgumentException when it has another form, or a type without a provider
     */
    public static Device parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Device string must not be empty");
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Invalid device string: '%s'".formatted(text));
        }
        String type = parts.group(1);
        if (!Devices.installed().types().contains(type)) {
            throw new IllegalArgumentException(
                    "Expected one of %s device type at start of device string: %s"
                            .formatted(String.join(", ", Devices.installed().types()), text));
        }
        String index = parts.group(2);
        return new Device(type, index == null ? 0 : Integer.parseInt(index));
    }

    /** {@return the types that devices of this JVM have, and {@code cpu}} */
    public static Set<String> types() {
        return Devices.installed().types();
    }

    /** {@return the number of devices of a type in this JVM} */
    public static int count(String type) {
        return Devices.installed().count(type);
    }

    /**
     * {@return a readable sentence that names the devices of a type in this JVM, or the reason why
     * there are none}
     */
    public static String describe(String type) {
        return Devices.installed().describe(type);
    }

    /** {@return whether it is the host} */
    public boolean isCpu() {
        return type.equals(CPU.type);
    }

    /**
     * Wait until all operators on this device are done, also those of other threads. Operators
     * return as soon as the device has them; reading elements waits.
     */
    public void synchronize() {
        Devices.synchronize(this);
    }

    /** {@return as {@link #parse} reads it: {@code cpu}, {@code cuda:0}} */
    @Override
    public String toString() {
        return isCpu() ? type : type + ":" + index;
    }
}
