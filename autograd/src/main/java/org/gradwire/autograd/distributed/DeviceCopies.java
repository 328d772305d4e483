package org.gradwire.autograd.distributed;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.Storage;

/** Copies of tensor elements that a receiver makes from the memory of a sender's device. */
interface DeviceCopies {
    /** The copies of a worker that shares no memory: none. */
    DeviceCopies NONE =
            new DeviceCopies() {
                @Override
                public boolean reaches(Output out, Device device) {
                    return false;
                }

                @Override
                public void write(Tensor dense, long count, Output out) {
                    throw new AssertionError("no peer reaches a device");
                }

                @Override
                public Storage read(DType dtype, Device device, int count, Input in) {
                    throw new DecodingException(
                            "worker %d sent device memory that this process cannot open"
                                    .formatted(in.source()));
                }
            };

    /** {@return whether the receiver of a message can copy from a device} */
    boolean reaches(Output out, Device device);

    /** Write the location of elements of a tensor for a peer, and retain them. */
    void write(Tensor dense, long count, Output out);

    /**
     * Read elements by a copy from a peer's device to one of this process.
     *
     * @throws DecodingException if they cannot be copied
     */
    Storage read(DType dtype, Device device, int count, Input in);
}
