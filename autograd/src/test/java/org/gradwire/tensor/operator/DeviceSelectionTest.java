package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.gradwire.tensor.operator.DeviceComparison.compare;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Index;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/**
 * Flips, and selections by masks, on a device: the values and gradients of the host, without copies
 * where the device has the kernels.
 */
@NeedsDevices
@Isolated("copies to the host are counted for the whole JVM")
class DeviceSelectionTest {
    private final Random random = new Random(7);

    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    private Tensor numbers(int... shape) {
        return DeviceComparison.numbers(random, shape);
    }

    @Test
    void flips() {
        int[][] choices = {{0}, {1}, {2}, {0, 2}, {-1, -2}, {0, 1, 2}, {}};
        for (int[] dims : choices) {
            compare(x -> Ops.flip(x[0], dims), numbers(7, 40, 30));
            compare(x -> Ops.flip(x[0].transpose(0, 2), dims), numbers(30, 40, 7));
            compare(x -> Ops.flip(x[0].narrow(1, 3, 20), dims), numbers(7, 40, 30));
        }
        compare(x -> Ops.flip(x[0].gt(0), new int[] {0}).to(DType.INT32), numbers(50, 3));
        compare(x -> Ops.flip(x[0], new int[] {0}), numbers(1 << 13));
    }

    /** Fewer elements than a chunk, as many, some more, and many chunks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 40, 1023, 1024, 1025, 2048, 300_001})
    void elementsWhereAMaskIsSet(int count) {
        Tensor mask = numbers(count).gt(0.1);
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(count), mask);
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(count), Tensor.ones(count).gt(0));
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(count), Tensor.ones(count).gt(1));
    }

    @Test
    void masksAreBroadcastAndStrided() {
        Tensor mask = numbers(70).gt(0);
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(60, 70), mask);
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(60, 1), mask);
        compare(x -> Ops.maskedSelect(x[0].t(), x[1].t()), numbers(70, 60), numbers(70, 60).gt(0));
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(3, 4), Tensor.scalar(1).gt(0));
        compare(x -> Ops.maskedSelect(x[0], x[1]), numbers(3, 0), Tensor.scalar(1).gt(0));
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void elementsOfAllTypes(DType dtype) {
        Tensor x = numbers(90, 40).mul(100).to(dtype);
        Tensor mask = numbers(90, 40).gt(0);
        double[] expected = Ops.maskedSelect(x, mask).to(DType.FLOAT64).toDoubleArray();
        Tensor there = Ops.maskedSelect(x.to(CUDA), mask.to(CUDA));
        assertArrayEquals(expected, there.to(DType.FLOAT64).toDoubleArray());
    }

    @Test
    void indicesOfSetElements() {
        Tensor x = numbers(30, 40, 50).gt(0.3);
        compare(y -> y[0].nonzero().to(DType.INT32), x);
        compare(y -> y[0].transpose(0, 2).nonzero().to(DType.INT32), x);
        compare(y -> y[0].nonzero().to(DType.INT32), numbers(500).round());
        compare(y -> y[0].nonzero().to(DType.INT32), Tensor.zeros(500));
        compare(y -> y[0].nonzero().to(DType.INT32), Tensor.scalar(3));
        compare(y -> y[0].nonzero().to(DType.INT32), Tensor.zeros(3, 0));
    }

    @Test
    void subscriptsByMasks() {
        Tensor mask = numbers(60, 70).gt(0);
        compare(x -> x[0].at(Index.index(x[1])), numbers(60, 70), mask);
        compare(x -> x[0].at(Index.index(x[1])), numbers(60, 70, 3), mask);
    }
}
