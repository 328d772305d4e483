package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.kernel.matrix.Winograd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

/** Convolutions of float32 by tiles, against the direct ones of float64. */
class WinogradTest {
    /**
     * Tolerance, relative to the standard deviation of the sums; up to 2e-5 was seen, 2e-6 to 4e-6
     * with the direct method.
     */
    private static final double TOLERANCE = 5e-5;

    private static Tensor direct(Tensor images, Tensor weight, Tensor bias, int padding) {
        return Ops.conv2d(
                images.to(DType.FLOAT64),
                weight.to(DType.FLOAT64),
                bias.to(DType.FLOAT64),
                new int[] {1, 1},
                new int[] {padding, padding});
    }

    private static void assertClose(Tensor expected, Tensor actual, double deviation) {
        assertArrayEquals(expected.shape(), actual.shape());
        double[] wanted = expected.toDoubleArray();
        double[] got = actual.to(DType.FLOAT64).toDoubleArray();
        for (int i = 0; i < wanted.length; i++) {
            assertEquals(wanted[i], got[i], TOLERANCE * deviation, "element " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 16, 16, 4, 4, 1", "3, 16, 17, 28, 28, 1", "5, 33, 16, 14, 30, 1", "2, 16, 16, 7, 8, 1",
        "2, 20, 24, 9, 10, 0", "2, 16, 16, 11, 13, 2", "1, 16, 16, 8, 8, 3", "9, 64, 64, 28, 28, 1"
    })
    void tilesGiveTheResultsOfTheDirectWay(
            int n, int channels, int outChannels, int height, int width, int padding) {
        var im2Col = new Im2Col(channels, height, width, 3, 3, 1, 1, padding, padding);
        assertTrue(Winograd.pays(DType.FLOAT32.elements(), im2Col, outChannels));
        var random = new Random(7);
        Tensor images = Tensor.randn(random, n, channels, height, width);
        Tensor weight = Tensor.randn(random, outChannels, channels, 3, 3);
        Tensor bias = Tensor.randn(random, outChannels);
        int[] both = {padding, padding};
        Tensor actual = Ops.conv2d(images, weight, bias, new int[] {1, 1}, both);
        assertClose(direct(images, weight, bias, padding), actual, Math.sqrt(channels * 9.0));
    }

    @Test
    void viewsAreTakenInTheirOwnOrder() {
        var random = new Random(8);
        Tensor images = Tensor.randn(random, 2, 16, 12, 10).transpose(2, 3);
        Tensor weight = Tensor.randn(random, 16, 16, 3, 3).transpose(2, 3);
        Tensor bias = Tensor.randn(random, 16);
        int[] ones = {1, 1};
        Tensor actual = Ops.conv2d(images, weight, bias, ones, ones);
        assertClose(direct(images, weight, bias, 1), actual, 12);
    }

    @Test
    void smallOrStridedConvolutionsGoTheDirectWay() {
        var few = new Im2Col(3, 28, 28, 3, 3, 1, 1, 1, 1);
        var strided = new Im2Col(64, 28, 28, 3, 3, 2, 2, 1, 1);
        var larger = new Im2Col(64, 28, 28, 5, 5, 1, 1, 2, 2);
        for (Im2Col im2Col : new Im2Col[] {few, strided, larger}) {
            assertEquals(false, Winograd.pays(DType.FLOAT32.elements(), im2Col, 64));
        }
        assertEquals(
                false,
                Winograd.pays(
                        DType.FLOAT64.elements(), new Im2Col(64, 28, 28, 3, 3, 1, 1, 1, 1), 64));
    }
}
