package org.gradwire.conformance.cases.autograd;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** A linear layer without bias on a device. */
@RemoteCallable
public final class DeviceLayer {
    private final Tensor weight;

    private DeviceLayer(Tensor weight) {
        this.weight = weight;
    }

    /** Create a layer from a weight in host memory. */
    public static DeviceLayer on(String device, Tensor weight) {
        return new DeviceLayer(weight.detach().to(Device.parse(device)).requiresGrad(true));
    }

    /** {@return the product of a batch of rows and the weight} */
    public Tensor forward(Tensor rows) {
        return Ops.linear(rows, weight, null);
    }

    /** {@return twice the input} */
    public Tensor twice(Tensor input) {
        return input.mul(2);
    }

    /** {@return the weight's gradient in a context, in host memory} */
    public static @Nullable Tensor gradient(RRef<DeviceLayer> layer, long contextId) {
        Tensor gradient =
                DistAutograd.gradients(Rpc.current(), contextId).get(layer.localValue().weight);
        return gradient == null ? null : gradient.to(Device.CPU);
    }
}
