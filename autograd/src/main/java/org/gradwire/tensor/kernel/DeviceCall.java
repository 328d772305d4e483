package org.gradwire.tensor.kernel;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.gradwire.tensor.kernel.element.DeviceBase;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** A call of a device's kernel, if it has that; inputs are added in order. */
public final class DeviceCall {
    private final String name;
    private final ElementType type;
    private final Strided result;
    private final @Nullable DeviceBase target; // null when the call cannot be
    private final List<Operand> inputs = new ArrayList<>(4);
    private boolean complete = true;

    /**
     * Begin a call.
     *
     * @param elements those of the result
     * @param result where that is on the host, nothing is done
     */
    public DeviceCall(String name, Elements<?> elements, Strided result) {
        this.name = name;
        this.type = elements.type();
        this.result = result;
        this.target = isPossible(name, elements, result) ? result.device() : null;
    }

    /** {@return whether the result is on a device that has the kernel} */
    public static boolean isPossible(String name, Elements<?> elements, Strided result) {
        DeviceBase device = result.device();
        return device != null && device.kernels().has(name, elements.type());
    }

    /** Add elements on the device, or one of the host. */
    public DeviceCall with(Elements<?> elements, Strided input) {
        if (target != null && complete) {
            Operand operand = input.operand(elements);
            if (operand == null) {
                complete = false;
            } else {
                inputs.add(operand);
            }
        }
        return this;
    }

    /** Add a number of the result's type. */
    public DeviceCall with(double number) {
        inputs.add(Operand.number(type, number));
        return this;
    }

    /** Add an integer. */
    public DeviceCall with(long number) {
        inputs.add(Operand.number(ElementType.INT64, number));
        return this;
    }

    /** {@return whether the kernel ran} */
    public boolean run() {
        if (target == null || !complete) {
            return false;
        }
        return result.count() == 0
                || target.kernels().run(name, result.operand(target.writable(), type), inputs);
    }
}
