package org.gradwire.tensor.storage;

import static org.gradwire.tensor.Index.all;
import static org.gradwire.tensor.Index.ellipsis;
import static org.gradwire.tensor.Index.index;
import static org.gradwire.tensor.Index.newAxis;
import static org.gradwire.tensor.Index.range;
import static org.gradwire.tensor.Index.startingAt;
import static org.gradwire.tensor.Index.step;
import static org.gradwire.tensor.Index.until;
import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SplittableRandom;

/** Picking parts of tensors, and elements by an index. */
class IndexTest {
    private static final Tensor X = Tensor.arange(24).reshape(2, 3, 4);

    private static void assertPart(Tensor part, int[] shape, long... numbers) {
        assertArrayEquals(shape, part.shape());
        assertArrayEquals(numbers, part.toLongArray());
    }

    private static int[] shape(int... sizes) {
        return sizes;
    }

    @Test
    void partsAreThoseOfPython() {
        assertPart(X.at(1, 2, 3), shape(), 23);
        assertPart(X.at(-1, 0), shape(4), 12, 13, 14, 15);
        assertPart(X.at(index(0), range(1, 3), index(-1)), shape(2), 7, 11);
        assertPart(X.at(ellipsis(), step(3)).at(0, 0), shape(2), 0, 3);
        assertPart(X.at(all(), until(-2), startingAt(-1)), shape(2, 1, 1), 3, 15);
        assertPart(X.at(index(1), ellipsis(), newAxis(), index(0)), shape(3, 1), 12, 16, 20);
        assertPart(
                X.at(range(0, 1), ellipsis(), newAxis(), step(2)).squeeze(),
                shape(3, 2),
                0,
                2,
                4,
                6,
                8,
                10);
        assertPart(X.at(startingAt(5)), shape(0, 3, 4));
        assertPart(X.at(range(-9, 99), index(0), until(1)), shape(2, 1), 0, 12);
        assertPart(Tensor.scalar(7).at(newAxis(), ellipsis()), shape(1), 7);
    }

    @Test
    void partsAreViewsThroughWhichTheyCanBeSet() {
        Tensor x = Tensor.zeros(3, 4).requiresGrad(true);
        try (var _ = GradMode.noGrad()) {
            x.at(startingAt(1), step(2)).copy_(Tensor.of(1, 2));
            x.at(0).fill_(5);
            x.at().at(all(), ellipsis()).at(-1, -1).fill_(9);
        }
        assertArrayEquals(
                new long[] {5, 5, 5, 5, 1, 0, 2, 0, 1, 0, 2, 9}, x.detach().toLongArray());
        assertSame(TensorAccess.storage(x), TensorAccess.storage(x.at(all())));
        assertNotSame(x, x.at());
        assertNotSame(TensorAccess.storage(x), TensorAccess.storage(x.at(index(Tensor.of(0)))));
    }

    @Test
    void tensorsOfNumbersPickCopies() {
        assertPart(X.at(index(1), index(Tensor.of(2, -3)), index(0)), shape(2), 20, 12);
        Tensor grid = Tensor.of(new long[][] {{0, -1}, {1, 0}});
        assertPart(X.at(index(0), index(0), index(grid)), shape(2, 2), 0, 3, 1, 0);
        assertArrayEquals(shape(2, 2, 2, 4), X.at(all(), index(grid)).shape());
        assertArrayEquals(shape(2, 4), X.at(all(), index(Tensor.scalar(-1))).shape());
        assertArrayEquals(shape(2, 0, 4), X.at(all(), index(Tensor.zeros(DType.INT64, 0))).shape());
    }

    @Test
    void gradientsFlowToThePart() {
        Tensor x = Tensor.zeros(3, 4).requiresGrad(true);
        x.at(startingAt(1), index(Tensor.of(0, 3, -1))).mul(2).sum().backward();
        assertGradient(x, 0, 0, 0, 0, 2, 0, 0, 4, 2, 0, 0, 4);
        x.grad(null);
        x.at(ellipsis(), newAxis(), step(2)).at(1).sum().backward();
        assertGradient(x, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0);
    }

    private static void assertGradient(Tensor x, long... expected) {
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        assertArrayEquals(expected, gradient.toLongArray());
    }

    @Test
    void wrongPartsAreNamed() {
        assertFails(
                IndexOutOfBoundsException.class,
                "index 5 is out of bounds for dimension 1 with size 3",
                () -> X.at(0, 5));
        assertFails(
                IndexOutOfBoundsException.class,
                "index -3 is out of bounds for dimension 0 with size 2",
                () -> X.at(index(Tensor.of(0, -3))));
        assertFails(
                IndexOutOfBoundsException.class,
                "too many indices for tensor of dimension 3: 4",
                () -> X.at(0, 0, 0, 0));
        assertFails(
                IllegalArgumentException.class,
                "an index can have one ellipsis at most, got 2",
                () -> X.at(ellipsis(), ellipsis()));
        assertFails(
                IndexOutOfBoundsException.class,
                "a tensor used as an index must be of int64, but is float32[1]",
                () -> X.at(index(Tensor.of(0f))));
        assertFails(IllegalArgumentException.class, "slice step must be positive", () -> step(0));
        assertFails(
                IllegalArgumentException.class,
                "slice step must be positive, got -1",
                () -> X.slice(0, 0, 2, -1));
    }

    @Test
    void emptyOnesHaveThePartsOfPyTorch() {
        Tensor none = Tensor.zeros(0, 2);
        assertEquals(4, none.chunk(4, 0).size());
        assertEquals(List.of(), none.unbind(0));
        assertEquals(List.of(), none.split(new int[0], 0));
        assertArrayEquals(shape(0, 2), none.flip(0, 1).roll(1, 0).tril().shape());
        assertArrayEquals(shape(4, 0), Tensor.ones(2, 3).repeat(2, 0).shape());
        assertArrayEquals(
                shape(3, 0), Tensor.ones(3, 3).diagonal().unsqueeze(1).slice(1, 1, 0).shape());
        assertArrayEquals(shape(0), Tensor.ones(2, 2).diagonal(7, 0, 1).shape());
        assertTrue(
                Tensor.ones(3)
                        .scatterAdd(0, Tensor.zeros(DType.INT64, 0), none.flatten())
                        .equal(Tensor.ones(3)));
    }

    @Test
    void gradientOfALargerSourceIsZeroWhereTheIndexDoesNotReach() {
        Tensor source = Tensor.ones(2, 3).requiresGrad(true);
        Tensor index = Tensor.of(new long[][] {{0, 0}});
        Tensor.zeros(2, 3).scatterAdd(0, index, source).mul(3).sum().backward();
        assertGradient(source, 3, 3, 0, 0, 0, 0);
    }

    /** Native memory, and rows wide and narrow, against single elements. */
    @Test
    void largeTensorsAreIndexedAsSmallOnes() {
        var random = new SplittableRandom(3);
        for (int width : new int[] {1, 3, 40}) {
            int rows = Storage.NATIVE_FROM_BYTES / 4 / width + 5;
            Tensor x = Tensor.randn(random, rows, width);
            assertTrue(TensorAccess.storage(x).isNative());
            Tensor index = Tensor.randint(random, 0, rows, 100);
            Tensor picked = x.indexSelect(0, index);
            Tensor gathered = x.gather(0, index.unsqueeze(1).expand(100, width));
            Tensor sums = x.indexAdd(0, index, picked, 2);
            Tensor scattered =
                    x.scatterAdd(0, index.unsqueeze(1).expand(100, width), picked.mul(2));
            assertTrue(picked.equal(gathered));
            assertTrue(sums.allclose(scattered));
            assertFalse(sums.equal(x));
            for (int i = 0; i < 100; i += 9) {
                assertTrue(picked.at(i).equal(x.at((int) index.getLong(i))));
            }
            Tensor order = Tensor.randperm(random, rows);
            assertTrue(x.indexSelect(0, order).indexSelect(0, inverse(order)).equal(x));
            assertTrue(x.flip(0, 1).flip(1, 0).equal(x));
            assertTrue(x.roll(7, 0).roll(-7, 0).equal(x));
            assertTrue(x.tril(2).add(x.triu(3)).equal(x));
            assertTrue(x.repeat(1, 2).slice(1, width, 2 * width).equal(x));
        }
    }

    private static Tensor inverse(Tensor order) {
        Tensor places = Tensor.arange(order.numel());
        return Tensor.zerosLike(order).scatter(0, order, places);
    }
}
