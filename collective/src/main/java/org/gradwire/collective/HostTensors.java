package org.gradwire.collective;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** The tensors that members send: in host memory, contiguous, and without history. */
final class HostTensors {
    /**
     * Size up to which each member sends its tensor to all, and memory of the program is copied.
     */
    static final long SMALL_BYTES = 32 * 1024;

    private HostTensors() {}

    static Tensor onHost(Tensor tensor) {
        return tensor.detach().to(Device.CPU).contiguous();
    }

    static boolean isSmall(Tensor tensor) {
        return bytes(tensor) <= SMALL_BYTES;
    }

    private static long bytes(Tensor tensor) {
        return (long) tensor.numel() * tensor.dtype().bytes();
    }

    /**
     * {@return the tensor to send: a copy if it is small; otherwise the operation ends after all
     * have received it}
     */
    static Tensor lent(Round round, Tensor host) {
        if (isSmall(host)) {
            return host.clone();
        }
        round.lend();
        return host;
    }

    static List<Tensor> toDevice(List<Tensor> tensors, Device device) {
        return device.isCpu()
                ? tensors
                : tensors.stream().map(tensor -> tensor.to(device)).toList();
    }
}
