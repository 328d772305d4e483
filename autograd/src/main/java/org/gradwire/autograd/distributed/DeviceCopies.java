package org.gradwire.autograd.distributed;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.Storage;

/** Elements of tensors that a receiver copies from the sender's device. */
interface DeviceCopies {
    /** For a worker that shares no memory. */
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

    /** Write where a peer finds elements of a tensor, which are retained. */
    void write(Tensor dense, long count, Output out);

    /**
     * Read elements that a peer's device has, by a copy to one of this process.
     *
     * @throws DecodingException when they cannot be copied
     */
    Storage read(DType dtype, Device device, int count, Input in);
}
