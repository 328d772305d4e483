package org.gradwire.tensor;

import static org.gradwire.tensor.Index.all;
import static org.gradwire.tensor.Index.ellipsis;
import static org.gradwire.tensor.Index.index;
import static org.gradwire.tensor.Index.newAxis;
import static org.gradwire.tensor.Index.range;
import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.GradMode;
import org.junit.jupiter.api.Test;

/** Tensors and masks between brackets, to read and to set; shapes and numbers are PyTorch's. */
class AdvancedIndexTest {
    private static final Tensor X = Tensor.arange(24).view(2, 3, 4);
    private static final Tensor I = Tensor.of(0L, 1);
    private static final Tensor J = Tensor.of(2L, 0);

    private static void assertPicked(int[] shape, long[] numbers, Tensor actual) {
        assertArrayEquals(shape, actual.shape());
        assertArrayEquals(numbers, actual.toLongArray());
    }

    private static int[] of(int... shape) {
        return shape;
    }

    @Test
    void tensorsAreUsedTogether() {
        assertPicked(of(2, 4), new long[] {8, 9, 10, 11, 12, 13, 14, 15}, X.at(index(I), index(J)));
        assertPicked(of(2, 2), new long[] {10, 0, 22, 12}, X.at(all(), index(J), index(J)));
        Tensor column = Tensor.of(new long[][] {{0}, {-1}});
        assertPicked(
                of(2, 2), new long[] {2, 0, 22, 20}, X.at(index(column), index(column), index(J)));
    }

    @Test
    void whatTensorsPickStandsInTheirPlaceUnlessOthersAreBetween() {
        assertArrayEquals(of(2, 2), X.at(all(), index(I), index(J)).shape());
        assertArrayEquals(of(2, 3), X.at(index(I), all(), index(J)).shape());
        assertArrayEquals(of(2), X.at(index(I), index(0), index(J)).shape());
        assertArrayEquals(of(2, 1, 3), X.at(index(I), newAxis(), ellipsis(), index(J)).shape());
        assertPicked(of(2, 3), new long[] {2, 6, 10, 12, 16, 20}, X.at(index(I), all(), index(J)));
    }

    @Test
    void masksPickWhereTheyAreSet() {
        Tensor even = X.remainder(2).eq(0);
        assertPicked(of(12), X.maskedSelect(even).toLongArray(), X.at(index(even)));
        Tensor rows = Tensor.of(new boolean[][] {{true, false, true}, {false, false, true}});
        assertPicked(of(3, 2), new long[] {1, 2, 9, 10, 21, 22}, X.at(index(rows), range(1, 3)));
        Tensor none = Tensor.zeros(DType.BOOL, 4);
        assertArrayEquals(of(2, 3, 0), X.at(ellipsis(), index(none)).shape());
    }

    @Test
    void wrongIndicesAreRefused() {
        assertFails(
                IndexOutOfBoundsException.class,
                "The shape of the mask [3] at index 0 does not match the shape of the indexed tensor",
                () -> X.at(index(Tensor.ones(DType.BOOL, 3))));
        assertFails(
                IndexOutOfBoundsException.class,
                "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]",
                () -> X.at(index(I), index(Tensor.of(0L, 1, 2))));
        assertFails(
                IndexOutOfBoundsException.class,
                "index 3 is out of bounds for dimension 1 with size 3",
                () -> X.at(index(I), index(Tensor.of(0L, 3))));
    }

    @Test
    void aPartIsReplacedInACopyWithGradients() {
        Tensor x = Tensor.ones(DType.FLOAT64, 2, 3).requiresGrad(true);
        Tensor values = Tensor.of(5.0, 7).requiresGrad(true);
        Tensor y = x.indexPut(values, index(I), index(J));
        assertArrayEquals(new double[] {1, 1, 5, 7, 1, 1}, y.toDoubleArray());
        y.mul(Tensor.of(1.0, 2, 3, 4, 5, 6).view(2, 3)).sum().backward();
        assertArrayEquals(
                new double[] {1, 2, 0, 0, 5, 6}, requireNonNull(x.grad()).toDoubleArray());
        assertArrayEquals(new double[] {3, 4}, requireNonNull(values.grad()).toDoubleArray());
    }

    @Test
    void aPartIsReplacedInPlace() {
        Tensor x = Tensor.zeros(2, 3);
        int before = x.storage().version();
        x.indexPut_(Tensor.of(1, 2), index(I), index(J));
        assertEquals(before + 1, x.storage().version());
        x.indexPut_(9, index(x.eq(0)));
        assertArrayEquals(new float[] {9, 9, 1, 2, 9, 9}, x.toFloatArray());
        x.indexPut_(Tensor.of(new float[][] {{3, 4, 5}}), index(-1));
        assertArrayEquals(new float[] {9, 9, 1, 3, 4, 5}, x.toFloatArray());
        Tensor view = x.t();
        view.indexPut_(0, range(0, 2));
        assertArrayEquals(new float[] {0, 0, 1, 0, 0, 5}, x.toFloatArray());
        assertFails(
                IllegalArgumentException.class,
                "shape mismatch: value tensor of shape [4] cannot be broadcast to indexing result of shape [2]",
                () -> x.indexPut_(Tensor.ones(4), index(I), index(J)));
    }

    @Test
    void operatorsInPlaceDoWhatTheOthersDo() {
        Tensor x = Tensor.of(new double[][] {{1, 2, 3}, {4, 5, 6}});
        Tensor mask = x.gt(3);
        Tensor one = Tensor.of(new long[][] {{0, 2}});
        Tensor source = Tensor.of(new double[][] {{7, 8}});
        Tensor rows = Tensor.of(1L);
        Tensor row = Tensor.of(new double[][] {{-1, -2, -3}});
        assertEqual(x.maskedFill(mask, 0), x.copy().maskedFill_(mask, 0));
        assertEqual(
                x.maskedFill(mask, Tensor.scalar(DType.FLOAT64, 2)),
                x.copy().maskedFill_(mask, Tensor.scalar(DType.FLOAT64, 2)));
        assertEqual(x.maskedScatter(mask, x), x.copy().maskedScatter_(mask, x));
        assertEqual(x.scatter(1, one, source), x.copy().scatter_(1, one, source));
        assertEqual(x.scatter(1, one, 5), x.copy().scatter_(1, one, 5));
        assertEqual(x.scatterAdd(1, one, source), x.copy().scatterAdd_(1, one, source));
        assertEqual(x.indexAdd(0, rows, row), x.copy().indexAdd_(0, rows, row));
        assertEqual(x.indexFill(0, rows, 4), x.copy().indexFill_(0, rows, 4));
        assertEqual(x.indexCopy(0, rows, row), x.copy().indexCopy_(0, rows, row));
    }

    private static void assertEqual(Tensor expected, Tensor actual) {
        assertArrayEquals(expected.toDoubleArray(), actual.toDoubleArray());
    }

    @Test
    void aLeafIsChangedInPlaceUnderNoGrad() {
        Tensor leaf = Tensor.ones(3).requiresGrad(true);
        Tensor mask = Tensor.ones(DType.BOOL, 3);
        assertFails(
                IllegalStateException.class,
                "a leaf that requires a gradient is changed in place",
                () -> leaf.maskedFill_(mask, 0));
        GradMode.noGrad(() -> leaf.maskedFill_(mask, 0));
        assertArrayEquals(new float[3], leaf.toFloatArray());
    }
}
