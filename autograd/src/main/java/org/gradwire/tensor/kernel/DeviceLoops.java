package org.gradwire.tensor.kernel;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.gradwire.tensor.kernel.element.DeviceBase;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.util.ArrayList;
import java.util.List;

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
        DeviceBase target = y.device();
        if (target == null || !target.kernels().has(name, elements.type())) {
            return false;
        }
        List<Operand> operands = new ArrayList<>(inputs.length + 1);
        for (Strided input : inputs) {
            Operand operand = input.operand(elements);
            if (operand == null) {
                return false;
            }
            operands.add(operand);
        }
        return run(target, name, elements.type(), y, operands);
    }

    /** As above, with a number as the last input. */
    public static <A> boolean run(
            String name, Elements<A> elements, double number, Strided y, Strided... inputs) {
        DeviceBase target = y.device();
        if (target == null || !target.kernels().has(name, elements.type())) {
            return false;
        }
        List<Operand> operands = new ArrayList<>(inputs.length + 1);
        for (Strided input : inputs) {
            Operand operand = input.operand(elements);
            if (operand == null) {
                return false;
            }
            operands.add(operand);
        }
        operands.add(Operand.number(elements.type(), number));
        return run(target, name, elements.type(), y, operands);
    }

    /** Convert elements. */
    static <A, B> boolean convert(Elements<A> from, Strided x, Elements<B> to, Strided y) {
        DeviceBase target = y.device();
        if (target == null || !target.kernels().has("copy", to.type())) {
            return false;
        }
        Operand input = x.operand(from);
        return input != null && run(target, "copy", to.type(), y, List.of(input));
    }

    private static boolean run(
            DeviceBase target, String name, ElementType type, Strided y, List<Operand> inputs) {
        return y.count() == 0
                || target.kernels().run(name, y.operand(target.writable(), type), inputs);
    }
}
