package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.gradwire.spi.device.ElementType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.Devices;
import org.gradwire.tensor.storage.HostCopyCounts;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;

/** Comparisons of computations on a device with those on the host, in float32. */
final class DeviceComparison {
    static final Device CUDA = Device.parse("cuda:0");

    private DeviceComparison() {}

    /** {@return whether the device has the kernels of CUDA devices} */
    static boolean hasKernels() {
        return Devices.installed().provider(CUDA).kernels().has("layer_norm", ElementType.FLOAT32);
    }

    /** {@return numbers from -0.5 to 0.5} */
    static Tensor numbers(Random random, int... shape) {
        return Tensor.rand(random, shape).sub(0.5).detach();
    }

    /**
     * Compare the result, and the gradients of all floating inputs, with those of the host. No
     * kernel of the host may run for a device that has the kernels.
     */
    static void compare(Function<Tensor[], Tensor> function, Tensor... inputs) {
        Tensor[] here = with(Device.CPU, inputs);
        Tensor[] there = with(CUDA, inputs);
        Tensor expected = function.apply(here);
        long before = HostCopyCounts.bytes();
        Tensor actual = function.apply(there);
        assertEquals(CUDA, actual.device());
        if (expected.requiresGrad()) {
            Tensor weights = Tensor.rand(new Random(3), expected.shape());
            Tensor moved = weights.to(CUDA);
            expected.mul(weights).sum().backward();
            actual.mul(moved).sum().backward();
        }
        if (hasKernels()) {
            assertEquals(before, HostCopyCounts.bytes(), () -> HostCopyCounts.copies().toString());
        }
        assertNear(expected, actual);
        for (int i = 0; i < inputs.length; i++) {
            Tensor gradient = here[i].grad();
            if (gradient == null) { // detached by the function
                assertNull(there[i].grad());
            } else {
                assertNear(gradient, gradient(there[i]));
            }
        }
    }

    private static Tensor[] with(Device device, Tensor... inputs) {
        return Arrays.stream(inputs)
                .map(x -> x.to(device).detach().requiresGrad(x.dtype().isFloating()))
                .toArray(Tensor[]::new);
    }

    static Tensor gradient(Tensor x) {
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        return gradient;
    }

    private static void assertNear(Tensor expected, Tensor actual) {
        assertEquals(expected.dtype(), actual.dtype());
        assertArrayEquals(expected.shape(), actual.shape());
        double[] here = expected.detach().toDoubleArray();
        double[] there = actual.detach().toDoubleArray();
        for (int i = 0; i < here.length; i++) {
            double most = Double.isNaN(here[i]) ? 1 : 2e-5 + 2e-5 * Math.abs(here[i]);
            assertEquals(here[i], there[i], most, "element " + i);
        }
    }
}
