package org.gradwire.tensor;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.storage.Storage;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/** Making, viewing, changing and refusing tensors. */
class TensorTest {

    @Test
    void factoriesGiveTypesOfPyTorch() {
        assertEquals(DType.FLOAT32, Tensor.zeros(2).dtype());
        assertEquals(DType.INT64, Tensor.of(1, 2).dtype());
        assertEquals(DType.FLOAT32, Tensor.of(1f, 2f).dtype());
        assertEquals(DType.FLOAT64, Tensor.of(1.0, 2.0).dtype());
        assertEquals(DType.INT64, Tensor.scalar(3).dtype());
        assertEquals(DType.FLOAT32, Tensor.scalar(3.5).dtype());
        assertEquals(DType.INT64, Tensor.arange(3).dtype());
        assertArrayEquals(new long[] {5, 3, 1}, Tensor.arange(5, 0, -2).toLongArray());
        assertArrayEquals(new long[] {0, 2, 4}, Tensor.arange(0, 5, 2).toLongArray());
        assertArrayEquals(new int[] {2, 3}, Tensor.onesLike(Tensor.zeros(2, 3)).shape());
        Tensor blocks = Tensor.of(new double[][][] {{{1, 2}}, {{3, 4}}});
        assertArrayEquals(new int[] {2, 1, 2}, blocks.shape());
        assertEquals(4, blocks.get(1, 0, 1));
    }

    @Test
    void arraysAreCopied() {
        float[] numbers = {1, 2};
        Tensor tensor = Tensor.of(numbers);
        numbers[0] = 9;
        assertEquals(1, tensor.get(0));
        tensor.toFloatArray()[0] = 9;
        assertEquals(1, tensor.get(0));
    }

    @Test
    void randomNumbersFollowFromTheSeed() {
        Tensor a = Tensor.randn(new SplittableRandom(7), 100);
        assertTrue(a.equal(Tensor.randn(new SplittableRandom(7), 100)));
        assertFalse(a.equal(Tensor.randn(new SplittableRandom(8), 100)));
        for (float number : Tensor.rand(new SplittableRandom(7), 100).toFloatArray()) {
            assertTrue(number >= 0 && number < 1);
        }
    }

    @Test
    void tensorsAreComparedByIdentity() {
        Tensor a = Tensor.ones(2);
        Tensor b = Tensor.ones(2);
        assertNotEquals(a, b);
        assertTrue(a.equal(b));
        assertTrue(a.allclose(b.add(1e-6)));
        assertFalse(a.allclose(b.add(1e-3)));
        assertFalse(a.equal(Tensor.ones(2, 1)));
        assertFalse(a.equal(Tensor.ones(DType.FLOAT64, 2)));
    }

    @Test
    void viewsShareMemory() {
        Tensor x = Tensor.arange(6).reshape(2, 3);
        for (Tensor view :
                List.of(
                        x.t(),
                        x.select(0, 1),
                        x.narrow(1, 0, 2),
                        x.view(-1),
                        x.expand(4, 2, 3),
                        x.unsqueeze(0),
                        x.detach())) {
            assertSame(x.storage(), view.storage());
        }
        x.select(0, 1).zero_();
        assertArrayEquals(new long[] {0, 1, 2, 0, 0, 0}, x.toLongArray());
        assertNotSame(x.storage(), x.t().contiguous().storage());
        assertSame(x, x.contiguous());
        assertFalse(x.t().isContiguous());
        assertArrayEquals(new int[] {1, 3}, x.t().strides());
    }

    @Test
    void typesArePromotedAsInPyTorch() {
        Tensor ints = Tensor.of(1, 2);
        Tensor floats = Tensor.of(1f, 2f);
        Tensor doubles = Tensor.of(1.0, 2.0);
        assertEquals(DType.FLOAT32, ints.add(floats).dtype());
        assertEquals(DType.FLOAT64, floats.mul(doubles).dtype());
        assertEquals(DType.FLOAT32, floats.add(2.5).dtype());
        assertEquals(DType.INT64, ints.add(2).dtype());
        assertEquals(DType.FLOAT32, ints.add(2.5).dtype());
        assertEquals(DType.FLOAT32, ints.div(ints).dtype());
        assertEquals(DType.FLOAT32, ints.exp().dtype());
        assertEquals(DType.INT64, ints.sum().dtype());
        assertArrayEquals(new long[] {1, 8}, ints.pow(3).toLongArray());
        assertSame(floats, floats.to(DType.FLOAT32));
        assertArrayEquals(new long[] {1, -2}, Tensor.of(1.9, -2.9).to(DType.INT64).toLongArray());
    }

    @Test
    void aLeafIsChangedInPlaceUnderNoGrad() {
        Tensor w = Tensor.ones(2).requiresGrad(true);
        assertFails(
                IllegalStateException.class,
                "a leaf that requires a gradient is changed in place",
                w::zero_);
        try (var _ = GradMode.noGrad()) {
            w.add_(Tensor.of(1, 2), -0.5).mul_(4);
        }
        assertTrue(w.detach().equal(Tensor.of(2f, 0f)));
        assertEquals(2, w.storage().version());
        assertFails(
                IllegalArgumentException.class,
                "doesn't match the broadcast shape",
                () -> Tensor.ones(2).copy_(Tensor.ones(3, 2)));
    }

    @Test
    void onlyFractionsCanRequireGradients() {
        assertFails(
                IllegalStateException.class,
                "only Tensors of floating point dtype can require gradients",
                () -> Tensor.of(1, 2).requiresGrad(true));
        assertFails(
                IllegalStateException.class,
                "only a leaf can stop requiring a gradient",
                () -> Tensor.ones(1).requiresGrad(true).mul(2).requiresGrad(false));
        assertFails(
                IllegalArgumentException.class,
                "different size or type",
                () -> Tensor.ones(1).grad(Tensor.ones(2)));
    }

    @Test
    void wrongShapesAreNamed() {
        assertFails(
                IllegalArgumentException.class,
                "more than 2147483647 elements",
                () -> Tensor.zeros(1 << 16, 1 << 16));
        assertFails(
                IllegalStateException.class,
                "a Tensor with 2 elements cannot be converted to Scalar",
                () -> Tensor.ones(2).item());
        assertFails(
                IllegalArgumentException.class,
                "expected sequence of length 2 at dim 1 (got 1)",
                () -> Tensor.of(new float[][] {{1, 2}, {3}}));
    }

    @Test
    void storageOverReceivedMemoryIsNotCopiedWhenItFits() {
        float[] array = {1, 2, 3, 4};
        Storage over = Storage.over(DType.FLOAT32, MemorySegment.ofArray(array));
        Tensor view = Tensor.view(over, 1, new int[] {2}, new int[] {2});
        array[3] = 9;
        assertTrue(view.equal(Tensor.of(2f, 9f)));
        byte[] bytes = new byte[16];
        bytes[8] = 7;
        Storage copied = Storage.over(DType.INT64, MemorySegment.ofArray(bytes));
        assertEquals(7, Tensor.view(copied, 0, new int[] {2}, new int[] {1}).getLong(1));
        assertFails(
                IllegalArgumentException.class,
                "need 5 elements, the storage has 4",
                () -> Tensor.view(over, 0, new int[] {2, 2}, new int[] {3, 1}));
    }

    @Test
    void printsLikePyTorch() {
        assertEquals("tensor(3.5000)", Tensor.scalar(3.5).toString());
        assertEquals("tensor([1, 2])", Tensor.of(1, 2).toString());
        assertEquals("tensor([[1., 2.],\n        [3., 4.]])", matrix().toString());
        assertEquals(
                "tensor([[1., 2.],\n        [3., 4.]], requires_grad=True)",
                matrix().requiresGrad(true).toString());
        assertEquals(
                "tensor(10., grad_fn=<SumBackward0>)",
                matrix().requiresGrad(true).sum().toString());
        assertEquals("tensor([0.5000], dtype=torch.float64)", Tensor.of(0.5).toString());
        assertEquals("tensor([], size=(0, 3))", Tensor.zeros(0, 3).toString());
        assertEquals("tensor([1.0000e-06, 1.0000e+05])", Tensor.of(1e-6f, 1e5f).toString());
        assertEquals(
                "tensor([    nan,     inf, -1.5000])",
                Tensor.of(Float.NaN, Float.POSITIVE_INFINITY, -1.5f).toString());
        assertEquals(
                "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])",
                Tensor.arange(2000).toString());
        assertEquals(
                "tensor([[[1., 1.]],\n\n        [[1., 1.]]])", Tensor.ones(2, 1, 2).toString());
    }

    private static Tensor matrix() {
        return Tensor.of(new float[][] {{1, 2}, {3, 4}});
    }

    @Test
    void crossEntropyOfUniformScoresIsTheLogarithmOfTheClasses() {
        double loss = Tensor.zeros(3, 8).crossEntropy(Tensor.of(1, 2, 3)).item();
        assertEquals(Math.log(8), loss, 1e-6);
    }
}
