package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.gradwire.tensor.storage.Storage;
import org.gradwire.tensor.testing.NeedsDevices;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** Every row and sample on a device: the values and gradients that it has on the host. */
@NeedsDevices
class DeviceRowsTest {
    private static final Device CUDA = Device.parse("cuda:0");
    private static final double TOLERANCE = 1e-12;

    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    static Stream<RowCase> cases() {
        return RowCases.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void valuesAndGradientsAreThoseOfTheHost(RowCase rowCase) {
        OperatorRow row = rowCase.row();
        if (row.name().equals("aten::to.device")) {
            return; // it leaves the device; see DevicesTest
        }
        @Nullable Object[] args = rowCase.args();
        @Nullable Object[] moved = moved(args);
        List<Tensor> expected = RowCases.results(row.apply(args));
        List<Tensor> actual = RowCases.results(row.apply(moved));
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(CUDA, actual.get(i).device(), rowCase + " result " + i);
            assertSame(expected.get(i), actual.get(i), "result " + i);
        }
        if (expected.stream().noneMatch(Tensor::requiresGrad)) {
            return;
        }
        mixed(expected).backward();
        mixed(actual).backward();
        compareGradients(row.inputs(args), row.inputs(moved));
    }

    private static void compareGradients(List<Tensor> inputs, List<Tensor> moved) {
        int compared = 0;
        for (int i = 0; i < inputs.size(); i++) {
            Tensor gradient = inputs.get(i).grad();
            Tensor there = moved.get(i).grad();
            if (gradient == null) {
                assertNull(there);
                continue;
            }
            assertNotNull(there);
            assertEquals(CUDA, there.device());
            assertSame(gradient, there, "gradient " + i);
            compared++;
        }
        assertTrue(compared > 0);
    }

    private static void assertSame(Tensor expected, Tensor actual, String what) {
        assertEquals(expected.dtype(), actual.dtype(), what);
        assertArrayEquals(expected.shape(), actual.shape(), what);
        assertEquals(expected.layout(), actual.layout(), what);
        assertArrayEquals(dense(expected), dense(actual), TOLERANCE, what);
    }

    private static double[] dense(Tensor tensor) {
        return (tensor.isSparse() ? tensor.detach().toDense() : tensor).toDoubleArray();
    }

    /** As {@link RowCases#mixed}, where the results are. */
    static Tensor mixed(List<Tensor> results) {
        Tensor sum = Tensor.zeros(DType.FLOAT64, results.getFirst().device());
        for (Tensor result : results) {
            sum = sum.add(result.mul(RowCases.weights(result).to(result.device())).sum());
        }
        return sum;
    }

    static @Nullable Object[] moved(@Nullable Object[] args) {
        @Nullable Object[] moved = args.clone();
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof Tensor tensor) {
                moved[i] = moved(tensor);
            } else if (args[i] instanceof List<?> list) {
                moved[i] = list.stream().map(t -> (Object) moved((Tensor) t)).toList();
            }
        }
        return moved;
    }

    /** Copy all of a tensor's memory, and view it as the tensor does. */
    private static Tensor moved(Tensor tensor) {
        if (tensor.isSparse()) {
            return tensor.detach().to(CUDA).requiresGrad(tensor.requiresGrad());
        }
        Storage storage = TensorAccess.storage(tensor);
        Tensor flat =
                TensorAccess.view(storage, 0, new int[] {storage.length()}, new int[] {1}).to(CUDA);
        return TensorAccess.view(
                        TensorAccess.storage(flat),
                        tensor.storageOffset(),
                        tensor.shape(),
                        tensor.strides())
                .requiresGrad(tensor.requiresGrad());
    }
}
