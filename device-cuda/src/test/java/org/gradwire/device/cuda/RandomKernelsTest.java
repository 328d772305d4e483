package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Random numbers, whose generator has published results. */
@NeedsFakeCuda
class RandomKernelsTest {
    private static final int COUNT = 1000;

    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);

    /** {@return the first two words of Philox4x32-10} */
    private static long words(int counter, long key) {
        int[] x = {counter, 0, 0, 0};
        int low = (int) key;
        int high = (int) (key >>> 32);
        for (int round = 0; round < 10; round++) {
            long a = (x[0] & 0xFFFFFFFFL) * 0xD2511F53L;
            long b = (x[2] & 0xFFFFFFFFL) * 0xCD9E8D57L;
            x =
                    new int[] {
                        (int) (b >>> 32) ^ x[1] ^ low,
                        (int) b,
                        (int) (a >>> 32) ^ x[3] ^ high,
                        (int) a
                    };
            low += 0x9E3779B9;
            high += 0xBB67AE85;
        }
        return (long) x[1] << 32 | (x[0] & 0xFFFFFFFFL);
    }

    private TestOperand drawn(ElementType type, long key) {
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, COUNT));
        List<Operand> inputs =
                List.of(
                        Operand.number(ElementType.INT64, key),
                        Operand.number(type, 0.0),
                        Operand.number(type, 1.0),
                        Operand.number(ElementType.INT64, type == ElementType.FLOAT64 ? 53L : 24L),
                        Operand.number(ElementType.INT64, 1L));
        assertTrue(kernels.run("random_uniform", y.operand, inputs));
        return y;
    }

    /** The words for the counter 0 and the key 0 are in the authors' list of known answers. */
    @Test
    void wordsAreThoseOfThePaper() {
        assertEquals(0xe169c58d6627e8d5L, words(0, 0));
    }

    @Test
    void elementsAreTheUpperDigitsOfTheirWords() {
        long key = 0x123456789ABCDEFL * FakeCuda.SEED;
        System.out.println("seed " + FakeCuda.SEED);
        double[] wide = new double[COUNT];
        double[] single = new double[COUNT];
        for (int i = 0; i < COUNT; i++) {
            wide[i] = (words(i, key) >>> 11) * 0x1p-53;
            single[i] = (words(i, key) >>> 40) * 0x1p-24;
        }
        assertArrayEquals(wide, numbers(drawn(ElementType.FLOAT64, key)));
        assertArrayEquals(single, numbers(drawn(ElementType.FLOAT32, key)));
    }

    private static double[] numbers(TestOperand y) {
        HostArray read = y.read();
        double[] numbers = new double[read.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = read.get(i);
        }
        y.release();
        return numbers;
    }

    @Test
    void wholeNumbersHaveNoKernel() {
        for (String name : List.of("random_uniform", "random_normal", "random_mask")) {
            assertTrue(kernels.has(name, ElementType.BFLOAT16));
            assertFalse(kernels.has(name, ElementType.INT64));
        }
    }
}
