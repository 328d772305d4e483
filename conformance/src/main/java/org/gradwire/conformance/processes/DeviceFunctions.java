package org.gradwire.conformance.processes;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Tensor;

/** Remote functions of {@link DeviceWorker}. */
public final class DeviceFunctions {
    private DeviceFunctions() {}

    /** Change the argument, which is the callee's own, and return it. */
    @RemoteCallable
    public static Tensor doubled(Tensor x) {
        return x.mul_(2);
    }
}
