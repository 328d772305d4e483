package org.gradwire.nn.remote;

import org.gradwire.rpc.RpcException;

/**
 * Where a remote module lives: {@code worker/device}, {@code worker}, or {@code rank:N/device}.
 *
 * @param worker name of the worker, or {@code rank:} and its rank
 * @param device such as {@code cpu}
 */
record RemoteDevice(String worker, String device) {
    private static final String CPU = "cpu";

    static RemoteDevice parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2 || parts[0].isEmpty()) {
            throw unparsable(text);
        }
        String worker = parts[0];
        String device = parts.length == 2 ? parts[1] : CPU;
        if (parts.length == 2 && device.isEmpty()) {
            throw new RpcException("Device string must not be empty");
        }
        if (worker.contains(":") && !worker.matches("rank:\\d+")) {
            throw unparsable(text);
        }
        checkDevice(device);
        return new RemoteDevice(worker, device);
    }

    private static void checkDevice(String device) {
        if (device.equals(CPU)) {
            return;
        }
        if (device.startsWith(CPU)) {
            throw new RpcException("Invalid device string: '%s'".formatted(device));
        }
        throw new RpcException(
                "Expected one of cpu device type at start of device string: %s".formatted(device));
    }

    private static IllegalArgumentException unparsable(String text) {
        return new IllegalArgumentException(
                "Could not parse remote_device: %s. The valid format is '<workername>/<device>' or 'rank:<rank>/<device>' or '<device>'"
                        .formatted(text));
    }

    @Override
    public String toString() {
        return worker + "/" + device;
    }
}
