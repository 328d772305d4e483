package org.gradwire.collective;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** The tensors that members send: in host memory, contiguous, and without history. */
final class HostTensors {
    /**
     * Size up to which each member sends its tensors to all, and memory of the program is copied.
     */
    static final long SMALL_BYTES = 32 * 1024;

    private HostTensors() {}

    static Tensor onHost(Tensor tensor) {
        return tensor.detach().to(Device.CPU).contiguous();
    }

    static boolean isSmall(List<Tensor> tensors) {
        return bytes(tensors) <= SMALL_BYTES;
    }

    static long bytes(List<Tensor> tensors) {
        long bytes = 0;
        for (Tensor tensor : tensors) {
            bytes += (long) tensor.numel() * tensor.dtype().bytes();
        }
        return bytes;
    }

    static List<Tensor> copies(List<Tensor> tensors) {
        return Lists.map(tensors, Tensor::clone);
    }

    /**
     * {@return the tensors to send: copies if they are small; otherwise the operation ends after
     * all have received them}
     */
    static List<Tensor> lent(Round round, List<Tensor> host) {
        if (isSmall(host)) {
            return copies(host);
        }
        round.lend();
        return host;
    }

    static Tensor lent(Round round, Tensor host) {
        return lent(round, List.of(host)).getFirst();
    }

    static List<Tensor> toDevice(List<Tensor> tensors, Device device) {
        return device.isCpu() ? tensors : Lists.map(tensors, tensor -> tensor.to(device));
    }
}
