package org.gradwire.nn.remote;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Device;

/**
 * Where a remote module lives: {@code worker/device}, {@code worker}, or {@code rank:N/device}.
 *
 * @param worker name of the worker, or {@code rank:} and its rank
 * @param device {@code cpu} when it is not given
 */
record RemoteDevice(String worker, Device device) {

    static RemoteDevice parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2 || parts[0].isEmpty()) {
            throw unparsable(text);
        }
        String worker = parts[0];
        Device device = parts.length == 2 ? device(parts[1]) : Device.CPU;
        if (worker.contains(":") && !worker.matches("rank:\\d+")) {
            throw unparsable(text);
        }
        return new RemoteDevice(worker, device);
    }

    private static Device device(String text) {
        try {
            return Device.parse(text);
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcErrorKind.UNKNOWN, String.valueOf(e.getMessage()), e);
        }
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
