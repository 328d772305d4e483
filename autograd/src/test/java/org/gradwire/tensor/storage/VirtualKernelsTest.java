package org.gradwire.tensor.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

import java.util.Objects;

/** The kernels of the virtual devices, which compute otherwise than the host's. */
@DisabledIfSystemProperty(
        named = "gradwire.cuda.libraries",
        matches = ".+",
        disabledReason = "this run is on CUDA's devices")
class VirtualKernelsTest {
    private static final Device SECOND = Device.parse("cuda:1");

    @Test
    void aDevicesOwnKernelsAreUsed() {
        Tensor row = Tensor.of(new float[] {1e8f, 1, -1e8f}, 1, 3).to(SECOND).requiresGrad(true);
        Tensor ones = Tensor.ones(3, 1).to(SECOND);
        Tensor product = row.mm(ones); // the virtual devices add up in float64
        assertEquals(1, product.item());
        product.sum().backward();
        assertArrayEquals(new float[] {1, 1, 1}, Objects.requireNonNull(row.grad()).toFloatArray());
        Tensor columns = Tensor.of(new float[] {1e8f, 2, 1, 3, -1e8f, 4}, 3, 2).to(SECOND);
        assertArrayEquals(new float[] {1, 9}, ones.t().mm(columns).toFloatArray());
        assertArrayEquals(new float[] {1, 9}, columns.t().mm(ones).toFloatArray());
        assertArrayEquals(new long[] {4}, ints(2, 1).mm(ints(1, 2).t()).toLongArray());
    }

    /** {@return integers, which the virtual devices leave to the host's kernels} */
    private static Tensor ints(long first, long second) {
        return Tensor.of(new long[][] {{first, second}}).to(SECOND);
    }
}
