package org.gradwire.tensor.kernel;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

/** Loops over operands on a device, by the kernels that it has; see {@link DeviceKernels}. */
public final class DeviceLoops {

    private DeviceLoops() {}

    /**
     * Run a kernel.
     *
     * @param y its result; where that is on the host, nothing is done
     * @param inputs elements of the result's type, or one number
     * @return whether it ran
     */
    public static <A> boolean run(String name, Elements<A> elements, Strided y, Strided... inputs) {
        if (y.device() == null) {
            return false;
        }
        var call = new DeviceCall(name, elements, y);
        for (Strided input : inputs) {
            call.with(elements, input);
        }
        return call.run();
    }

    /** As above, with a number as the last input. */
    public static <A> boolean run(
            String name, Elements<A> elements, double number, Strided y, Strided... inputs) {
        if (y.device() == null) {
            return false;
        }
        var call = new DeviceCall(name, elements, y);
        for (Strided input : inputs) {
            call.with(elements, input);
        }
        return call.with(number).run();
    }

    /** Convert elements. */
    static <A, B> boolean convert(Elements<A> from, Strided x, Elements<B> to, Strided y) {
        return y.device() != null && new DeviceCall("copy", to, y).with(from, x).run();
    }
}
