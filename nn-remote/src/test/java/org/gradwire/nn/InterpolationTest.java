package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The repeated elements, as sums over many sizes and factors, compared with PyTorch 1.13. */
class InterpolationTest {

    @Test
    void emptyBatchesStayEmpty() {
        Tensor empty = Tensor.zeros(0, 3, 2).requiresGrad(true);
        Tensor result = new Upsample(1 << 29).forward(empty);
        assertArrayEquals(new int[] {0, 3, 1 << 30}, result.shape());
        result.sum().backward();
        assertArrayEquals(new int[] {0, 3, 2}, requireNonNull(empty.grad()).shape());
    }

    /** More places than indices are made for at a time. */
    @ParameterizedTest
    @CsvSource({"nearest", "linear"})
    void longRowsAreMadeInParts(String mode) {
        int length = 3 << 19;
        Tensor row = Tensor.of(0f, 1, 2).view(1, 1, 3);
        Tensor result = Functional.interpolate(row, new int[] {length}, mode, false);
        assertArrayEquals(new int[] {1, 1, length}, result.shape());
        assertEquals(length, result.to(DType.FLOAT64).sum().item(), 1e-3);
        assertEquals(1, result.get(0, 0, length / 2), 1e-4);
        assertEquals(2, result.get(0, 0, length - 1));
    }

    private static long weighted(Tensor result) {
        long sum = 0;
        long place = 1;
        for (long index : result.toLongArray()) {
            sum += index * place++;
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"FLOAT32, 6933273480", "FLOAT64, 6933281312"})
    void nearestOfASizeIsPyTorchs(DType dtype, long expected) {
        long sum = 0;
        for (int from = 1; from <= 200; from += 3) {
            Tensor row = Tensor.arange(from).to(dtype).view(1, 1, from);
            for (int to = 1; to <= 400; to += 7) {
                sum += weighted(Functional.interpolate(row, new int[] {to}, "nearest", false));
            }
        }
        assertEquals(expected, sum);
    }

    @ParameterizedTest
    @CsvSource({"FLOAT32, 18690408676", "FLOAT64, 18690575844"})
    void nearestOfAFactorIsPyTorchs(DType dtype, long expected) {
        long sum = 0;
        for (int from = 1; from <= 200; from += 3) {
            Tensor row = Tensor.arange(from).to(dtype).view(1, 1, from);
            for (int sevenths = 1; sevenths < 40; sevenths++) {
                if (from * (sevenths / 7.0) >= 1) {
                    sum += weighted(new Upsample(sevenths / 7.0).forward(row));
                }
            }
        }
        assertEquals(expected, sum);
    }
}
