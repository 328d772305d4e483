package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** Layouts for which each thread computes a row, as elements of several rows are adjacent. */
@NeedsFakeCuda
class RowSourceTest {
    private static final int PIXELS = 50;
    private static final int CLASSES = 7;

    private final DeviceMemory memory =
            new CudaMemory(FakeCuda.device(0), 8 * 2 * PIXELS * CLASSES);

    /** Images, pixels and classes. */
    private Operand operand(boolean classesApart) {
        int[] sizes = {2, PIXELS, CLASSES};
        int[] strides =
                classesApart
                        ? new int[] {PIXELS * CLASSES, 1, PIXELS}
                        : new int[] {PIXELS * CLASSES, CLASSES, 1};
        return Operand.of(memory, ElementType.FLOAT32, 0, sizes, strides);
    }

    private Operand numbers(ElementType type) {
        return Operand.of(memory, type, 0, new int[] {2 * PIXELS}, new int[] {1});
    }

    private static Operand number(long value) {
        return Operand.number(ElementType.INT64, value);
    }

    private static RowSource source(String kernel, Operand result, Operand... inputs) {
        return new RowSource(RowStepsTable.of(kernel), result, List.of(inputs), CLASSES);
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, true",
        "true, false, false",
        "false, true, false",
        "false, false, false"
    })
    void columnsAreRecognized(boolean result, boolean input, boolean expected) {
        Operand y = operand(result);
        assertEquals(expected, source("log_softmax", y, operand(input)).areColumns());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void resultsOrInputsAloneMayBeColumns(boolean apart) {
        var gradient =
                source(
                        "nll_loss_gradient",
                        operand(apart),
                        numbers(ElementType.FLOAT32),
                        numbers(ElementType.INT64),
                        number(1),
                        number(-100),
                        number(1));
        assertEquals(apart, gradient.areColumns());
        var largest = source("row_max", numbers(ElementType.FLOAT32), operand(apart));
        assertEquals(apart, largest.areColumns());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void kernelsOfOtherLayoutsHaveOtherKeys(boolean kept) {
        RowSource apart = source("log_softmax", operand(true), operand(true));
        int[] all = {2 * PIXELS * CLASSES};
        Operand contiguous = Operand.of(memory, ElementType.FLOAT32, 0, all, new int[] {1});
        RowSource adjacent = source("log_softmax", contiguous, operand(true));
        assertNotEquals(apart.key("log_softmax", kept), adjacent.key("log_softmax", kept));
        assertNotEquals(apart.key("log_softmax", kept), apart.key("log_softmax", !kept));
    }
}
