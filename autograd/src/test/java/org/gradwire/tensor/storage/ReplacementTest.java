package org.gradwire.tensor.storage;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Leaves that get other memory and stay the same tensors. */
class ReplacementTest {

    private static Tensor leaf(float... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static Tensor gradient(Tensor leaf) {
        return requireNonNull(leaf.grad());
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3"})
    void leafHasElementsTypeAndDeviceOfTheOther(String name) {
        Device device = Device.parse(name);
        Tensor x = leaf(1, 2, 3, 4).view(2, 2).detach().requiresGrad(true);
        Tensor values = Tensor.of(new double[][] {{1, 2}, {3, 4}}).to(device).t();
        assertSame(x, x.data(values));
        assertEquals(device, x.device());
        assertEquals(DType.FLOAT64, x.dtype());
        assertSame(TensorAccess.storage(values), TensorAccess.storage(x));
        assertArrayEquals(values.strides(), x.strides());
        assertEquals(values.isContiguous(), x.isContiguous());
        assertArrayEquals(new double[] {1, 3, 2, 4}, x.toDoubleArray());
        assertTrue(x.isLeaf() && x.requiresGrad());
        x.mul(x).sum().backward();
        assertEquals(device, gradient(x).device());
        assertArrayEquals(new double[] {2, 6, 4, 8}, gradient(x).toDoubleArray());
    }

    @Test
    void viewsKeepTheMemoryThatWasThere() {
        Tensor x = Tensor.of(1f, 2f);
        Tensor view = x.narrow(0, 0, 1);
        x.data(Tensor.of(5f, 6f));
        assertEquals(1, view.item());
        assertNotSame(TensorAccess.storage(view), TensorAccess.storage(x));
    }

    @Test
    void whatNeedsTheElementsThatWereThereIsRefused() {
        Tensor x = leaf(1, 2);
        Tensor square = x.mul(x).sum();
        x.data(Tensor.of(5f, 6f));
        assertFails(
                IllegalStateException.class,
                "one of the tensors needed for gradient computation was changed in place",
                square::backward);
        Tensor y = leaf(1, 2);
        Tensor before = y.detach();
        Tensor kept = y.mul(y).sum();
        y.data(Tensor.of(5f, 6f)).data(before);
        assertFails(
                IllegalStateException.class,
                "one of the tensors needed for gradient computation was changed in place",
                kept::backward);
    }

    @Test
    void gradientOfWhatWasRecordedBeforeGoesToTheNewDevice() {
        Tensor x = leaf(1, 2);
        Tensor y = x.mul(3).sum();
        Device device = Device.parse("cuda:1");
        x.data(Tensor.of(1.0, 2.0).to(device));
        y.backward();
        assertEquals(device, gradient(x).device());
        assertArrayEquals(new double[] {3, 3}, gradient(x).toDoubleArray());
        assertEquals(DType.FLOAT64, gradient(x).dtype());
    }

    @Test
    void hooksStay() {
        Tensor x = leaf(1, 2);
        List<Device> seen = new ArrayList<>();
        x.registerHook(gradient -> {
            seen.add(gradient.device());
            return gradient.mul(10);
        });
        Device device = Device.parse("cuda:2");
        x.data(x.detach().to(device));
        x.sum().backward();
        assertEquals(List.of(device), seen);
        assertArrayEquals(new float[] {10, 10}, gradient(x).toFloatArray());
    }

    @Test
    void memoryOutlivesItsScope() {
        Tensor x = Tensor.zeros(300_000);
        Tensor values;
        try (var _ = TensorScope.open()) {
            values = Tensor.rand(new SplittableRandom(7), 300_000);
            x.data(values);
        }
        assertTrue(x.equal(Tensor.rand(new SplittableRandom(7), 300_000)));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Tensor x = leaf(1, 2);
        assertFails(
                IllegalArgumentException.class,
                "data of float32[2] cannot be replaced by float32[3]: the shapes differ",
                () -> x.data(Tensor.ones(3)));
        assertFails(
                IllegalArgumentException.class,
                "data set to a tensor that requires gradients must be floating point dtype; it is int64",
                () -> x.data(Tensor.of(1L, 2L)));
        assertFails(
                IllegalArgumentException.class,
                "data of float32[2] cannot be replaced by float32[2] (sparse): both must be dense; use toDense()",
                () -> x.data(Tensor.ones(2).toSparse()));
        Tensor result = x.mul(2);
        assertFails(
                IllegalStateException.class,
                "cannot be replaced; only a leaf's can",
                () -> result.data(Tensor.ones(2)));
        result.sum().backward();
        assertFails(
                IllegalStateException.class,
                "data of float32[2] on cpu cannot be replaced by float64[2] on cpu while it has a gradient; remove that first: grad(null)",
                () -> x.data(Tensor.of(1.0, 2.0)));
        assertArrayEquals(new float[] {1, 2}, x.toFloatArray());
        assertSame(x, x.data(Tensor.of(3f, 4f)));
        assertArrayEquals(new float[] {2, 2}, gradient(x).toFloatArray());
    }
}
