package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;

/**
 * The description of a tensor without its elements: a few bytes, for references to large tensors.
 *
 * {@snippet :
 * if (TensorInfo.ofReferent(parameter).requiresGrad()) {
 *     trained.add(parameter);
 * }
 * }
 *
 * @param dtype the type of the elements
 * @param shape the extents of the dimensions
 * @param device the device that has the memory, in the owner's terms
 * @param requiresGrad whether gradients flow to or through the tensor
 * @param isLeaf whether the tensor is not the result of a recorded operator
 */
@WireValue
@RemoteCallable
public record TensorInfo(
        DType dtype, List<Integer> shape, Device device, boolean requiresGrad, boolean isLeaf) {

    /** Copies the shape. */
    public TensorInfo {
        shape = List.copyOf(shape);
    }

    /** {@return the description of a tensor as it is now} */
    public static TensorInfo of(Tensor tensor) {
        return new TensorInfo(
                tensor.dtype(),
                Arrays.stream(tensor.shape()).boxed().toList(),
                tensor.device(),
                tensor.requiresGrad(),
                tensor.isLeaf());
    }

    /**
     * Ask the owner of a reference for the description of its tensor, and wait for it. The tensor
     * is not sent.
     *
     * @throws org.gradwire.rpc.RpcException if the owner cannot be reached, or could not create the
     *     value
     */
    public static TensorInfo ofReferent(RRef<Tensor> reference) {
        return reference.rpcSync(TensorInfo::of);
    }
}
