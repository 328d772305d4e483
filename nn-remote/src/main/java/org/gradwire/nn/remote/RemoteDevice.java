package org.gradwire.nn.remote;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Device;

import java.util.regex.Pattern;

/**
 * The location of a remote module: {@code worker/device}, {@code worker}, or {@code rank:N/device}.
 * The counterpart of {@code torch.distributed._remote_device}, with its validation order.
 *
 * @param worker name of the worker, or {@code rank:} and its rank
 * @param device {@code cpu} when it is not given
 */
record RemoteDevice(String worker, Device device) {
    private static final String RANK = "rank:";
    private static final Pattern BY_RANK = Pattern.compile(RANK + "[0-9]+");

    /**
     * Parse a location.
     *
     * @throws IllegalArgumentException when it is malformed
     * @throws RpcException when its device is malformed
     * @throws TypeMismatchException when it is a device without a worker
     */
    static RemoteDevice parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2 || parts[0].isEmpty()) {
            throw unparsable(text);
        }
        if (parts.length == 1 && isDevice(text)) {
            throw new TypeMismatchException(
                    "the place '%s' names a device without a worker; write WORKER/%s"
                            .formatted(text, text));
        }
        String worker = parts[0];
        Device device = parts.length == 2 ? device(parts[1]) : Device.CPU;
        if (worker.contains(":") && !BY_RANK.matcher(worker).matches()) {
            throw unparsable(text);
        }
        return new RemoteDevice(worker, device);
    }

    private static boolean isDevice(String text) {
        try {
            var _ = Device.parse(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
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
                "'%s' is not the place of a remote module; expected WORKER, WORKER/DEVICE or rank:RANK/DEVICE"
                        .formatted(text));
    }

    /**
     * Return the name of the worker.
     *
     * @throws RpcException when the group has none like that, or this worker has left it
     */
    String workerName(Rpc rpc) {
        try {
            return member(rpc);
        } catch (RpcException e) {
            if (e.kind() == RpcErrorKind.SHUTDOWN) {
                throw new RpcException(
                        e.kind(), "RemoteModule only works in RPC. " + e.getMessage(), e);
            }
            throw e;
        }
    }

    private String member(Rpc rpc) {
        if (worker.startsWith(RANK)) {
            try {
                return rpc.worker(Integer.parseInt(worker.substring(RANK.length()))).name();
            } catch (NumberFormatException _) {
                // No group is that large, so the error for an unknown name applies.
            }
        }
        return rpc.worker(worker).name();
    }

    @Override
    public String toString() {
        return worker + "/" + device;
    }
}
