package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

/** Functions that inspect and choose devices. */
@RemoteCallable
public final class DeviceFunctions {

    private DeviceFunctions() {}

    /** {@return the name of the device of an arrived tensor} */
    public static String where(Tensor tensor) {
        return tensor.device().toString();
    }

    /** {@return twice a tensor, on its device} */
    public static Tensor twice(Tensor tensor) {
        return tensor.mul(2);
    }

    /** {@return ones on a device} */
    public static Tensor onesOn(String device) {
        return Tensor.ones(2).to(Device.parse(device));
    }
}
