package org.gradwire.tensor.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;

/** Copies of tensors in native memory, whose runs are copied as a whole. */
class NativeCopiesTest {
    private static final int LENGTH = 100_000; // also of one byte, in native memory
    private static final int START = 3;
    private static final int PART = 70_001;

    /** {@return distinct numbers nearby; for bool 0 and 1} */
    private static double[] numbers(DType dtype) {
        double[] numbers = new double[LENGTH];
        Arrays.setAll(numbers, i -> dtype == DType.BOOL ? i % 7 & 1 : i % 120);
        return numbers;
    }

    private static Tensor tensor(double[] numbers, DType dtype) {
        Tensor tensor = Ops.to(Tensor.of(numbers, numbers.length), dtype).clone();
        assertTrue(TensorAccess.storage(tensor) instanceof NativeStorage, dtype.toString());
        return tensor;
    }

    private static void assertNumbers(double[] expected, Tensor actual) {
        double[] numbers = Ops.to(actual, DType.FLOAT64).toDoubleArray();
        assertEquals(-1, Arrays.mismatch(expected, numbers), actual.dtype().toString());
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void aPartIsClonedAndJoined(DType dtype) {
        double[] numbers = numbers(dtype);
        Tensor whole = tensor(numbers, dtype);
        Tensor part = Ops.narrow(whole, 0, START, PART);
        double[] ofPart = Arrays.copyOfRange(numbers, START, START + PART);
        assertNumbers(ofPart, part.clone());
        Tensor start = Ops.narrow(whole, 0, 0, START);
        Tensor end = Ops.narrow(whole, 0, START + PART, LENGTH - START - PART);
        assertNumbers(numbers, Ops.cat(List.of(start, part, end), 0));
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void aPartIsOverwrittenAndItsNeighboursAreNot(DType dtype) {
        double[] numbers = numbers(dtype);
        double[] others = numbers.clone();
        Arrays.setAll(others, i -> numbers[LENGTH - 1 - i]);
        Tensor target = tensor(numbers, dtype);
        Tensor source = Ops.narrow(tensor(others, dtype), 0, 1, PART);
        Tensor result = Ops.narrow(target, 0, START, PART).copy_(source);
        System.arraycopy(others, 1, numbers, START, PART);
        assertNumbers(numbers, target);
        assertNumbers(Arrays.copyOfRange(numbers, START, START + PART), result);
    }
}
