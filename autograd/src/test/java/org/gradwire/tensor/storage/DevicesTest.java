package org.gradwire.tensor.storage;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.io.SafeTensors;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;

/** Tensors on several devices, whose memory the host cannot address. */
@NeedsDevices
class DevicesTest {
    private static final Device FIRST = Device.parse("cuda:0");
    private static final Device SECOND = Device.parse("cuda:1");

    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    @AfterEach
    void threadIsBackOnTheHost() {
        assertEquals(Device.CPU, ThreadState.current().device);
    }

    private static Tensor onFirst(float... numbers) {
        return Tensor.of(numbers).to(FIRST);
    }

    private static Tensor gradient(Tensor tensor) {
        Tensor gradient = tensor.grad();
        assertNotNull(gradient);
        return gradient;
    }

    @Test
    void tensorsAreOnTheHostUnlessADeviceIsGiven() {
        assertEquals(Device.CPU, Tensor.ones(2).device());
        assertEquals(Device.CPU, Tensor.zeros(1 << 20).device());
        assertEquals(FIRST, Tensor.zeros(DType.FLOAT32, FIRST, 2).device());
        assertEquals(Device.CPU, Tensor.zeros(DType.FLOAT32, Device.CPU, 2).device());
    }

    @Test
    void factoriesFillTheMemoryOfTheDevice() {
        assertArrayEquals(new float[] {0, 0}, Tensor.zeros(DType.FLOAT32, FIRST, 2).toFloatArray());
        assertArrayEquals(
                new double[] {1, 1}, Tensor.ones(DType.FLOAT64, SECOND, 2).toDoubleArray());
        Tensor full = Tensor.full(DType.INT64, SECOND, 7, 2, 1);
        assertArrayEquals(new long[] {7, 7}, full.toLongArray());
        for (Tensor like : List.of(Tensor.zerosLike(full), Tensor.onesLike(full))) {
            assertEquals(SECOND, like.device());
            assertEquals(DType.INT64, like.dtype());
            assertArrayEquals(new int[] {2, 1}, like.shape());
        }
    }

    @Test
    void copiesGoFromDeviceToDeviceAndBack() {
        Tensor matrix = Tensor.of(new double[][] {{1, 2, 3}, {4, 5, 6}});
        Tensor there = matrix.t().to(FIRST).to(SECOND);
        assertEquals(SECOND, there.device());
        Tensor back = there.narrow(0, 1, 2).to(Device.CPU);
        assertEquals(Device.CPU, back.device());
        assertArrayEquals(new double[] {2, 5, 3, 6}, back.toDoubleArray());
        assertArrayEquals(new int[] {0, 3}, Tensor.zeros(0, 3).to(FIRST).shape());
        Tensor large = Tensor.randn(new SplittableRandom(3), 300, 400);
        assertTrue(large.equal(large.to(FIRST).to(SECOND).to(Device.CPU)));
    }

    @Test
    void copyToWhereATensorIsGivesTheTensorItself() {
        Tensor tensor = onFirst(1, 2);
        assertSame(tensor, tensor.to(FIRST));
        assertNotSame(tensor, tensor.to(SECOND));
        assertSame(tensor, Ops.to(tensor, "cuda"));
    }

    @Test
    void viewsStayOnTheDeviceAndShareItsMemory() {
        Tensor tensor = onFirst(1, 2, 3);
        Tensor part = tensor.narrow(0, 1, 2);
        assertSame(TensorAccess.storage(tensor), TensorAccess.storage(part));
        try (var _ = GradMode.noGrad()) {
            part.add_(onFirst(10, 20)).mul_(2);
            tensor.select(0, 0).fill_(-1);
        }
        assertArrayEquals(new float[] {-1, 24, 46}, tensor.toFloatArray());
    }

    @Test
    void operatorsRefuseTensorsOfSeveralDevices() {
        Tensor here = Tensor.ones(2);
        Tensor first = onFirst(1, 2);
        Tensor second = first.to(SECOND);
        String text =
                "Expected all tensors to be on the same device, but found at least two devices, %s and %s!";
        var e = assertThrows(IllegalArgumentException.class, () -> first.add(here));
        assertEquals(text.formatted("cuda:0", "cpu"), e.getMessage());
        assertFails(
                IllegalArgumentException.class,
                text.formatted("cpu", "cuda:0"),
                () -> here.mul(first));
        assertFails(
                IllegalArgumentException.class,
                text.formatted("cuda:0", "cuda:1"),
                () -> Ops.stack(List.of(first, first, second), 0));
        assertFails(
                IllegalArgumentException.class,
                text.formatted("cuda:0", "cuda:1"),
                () -> first.add_(second));
        assertFails(
                IllegalArgumentException.class,
                text.formatted("cpu", "cuda:1"),
                () -> Tensor.scalar(1.5).add(here).add(Tensor.scalar(1).to(SECOND)));
    }

    @Test
    void singleNumbersOfTheHostGoWithAnyDevice() {
        Tensor number = Tensor.scalar(2f).requiresGrad(true);
        Tensor there = onFirst(1, 2, 3).requiresGrad(true);
        for (Tensor product : List.of(there.mul(number), number.mul(there))) {
            assertEquals(FIRST, product.device());
            assertArrayEquals(new float[] {2, 4, 6}, product.toFloatArray());
            there.grad(null);
            number.grad(null);
            product.sum().backward();
            assertEquals(FIRST, gradient(there).device());
            assertArrayEquals(new float[] {2, 2, 2}, gradient(there).toFloatArray());
            assertEquals(Device.CPU, gradient(number).device());
            assertEquals(6, gradient(number).item());
        }
    }

    @Test
    void gradientsEndOnTheDeviceOfTheirVariable() {
        Tensor here = Tensor.of(1.0, 2.0).requiresGrad(true);
        Tensor first = Tensor.of(3.0, 4.0).to(FIRST).requiresGrad(true);
        Tensor second = Tensor.of(5.0, 6.0).to(SECOND).requiresGrad(true);
        Tensor onSecond = here.to(FIRST).mul(first).to(SECOND).mul(second);
        assertEquals(
                "ToCopyBackward0", String.valueOf(here.to(FIRST).gradFn()).replaceAll("[<>]", ""));
        for (int pass = 1; pass <= 2; pass++) {
            onSecond.sum().to(Device.CPU).backward(true);
            assertEquals(Device.CPU, gradient(here).device());
            assertEquals(FIRST, gradient(first).device());
            assertEquals(SECOND, gradient(second).device());
            assertArrayEquals(new double[] {15 * pass, 24 * pass}, gradient(here).toDoubleArray());
            assertArrayEquals(new double[] {5 * pass, 12 * pass}, gradient(first).toDoubleArray());
            assertArrayEquals(new double[] {3 * pass, 8 * pass}, gradient(second).toDoubleArray());
        }
    }

    /** Gradients of one tensor come from two devices, and over a broadcast. */
    @Test
    void gradientsFromSeveralDevicesAreSummedWhereTheTensorIs() {
        Tensor start = Tensor.of(1.0, 2.0).requiresGrad(true);
        Tensor shared = start.mul(3);
        Tensor first = shared.to(FIRST).mul(Tensor.ones(DType.FLOAT64, FIRST, 4, 2)).sum();
        Tensor second = shared.to(SECOND).mul(shared.to(SECOND)).sum();
        first.to(Device.CPU).add(second.to(Device.CPU)).backward();
        assertArrayEquals(new double[] {12 + 18, 12 + 36}, gradient(start).toDoubleArray());
    }

    @Test
    void gradientGivenByHandMustBeOnTheDevice() {
        Tensor tensor = onFirst(1, 2).requiresGrad(true);
        assertFails(
                IllegalArgumentException.class,
                "assigned grad has data located on a different device: cpu for a tensor on cuda:0",
                () -> tensor.grad(Tensor.ones(2)));
        tensor.mul(2).backward(onFirst(1, 10));
        assertArrayEquals(new float[] {2, 20}, gradient(tensor).toFloatArray());
    }

    @Test
    void hostReadsWhatIsOnTheDevice() {
        Tensor tensor = Tensor.of(new float[][] {{1, 2}, {3, 4}}).to(SECOND).t();
        assertEquals(2, tensor.get(1, 0));
        assertEquals(3, tensor.getLong(0, 1));
        assertEquals(4, tensor.select(0, 1).select(0, 1).item());
        assertEquals(4, tensor.select(0, 1).select(0, 1).itemAsLong());
        assertArrayEquals(new float[] {1, 3, 2, 4}, tensor.toFloatArray());
        assertArrayEquals(new double[] {1, 3, 2, 4}, tensor.toDoubleArray());
        assertArrayEquals(new long[] {1, 3, 2, 4}, tensor.toLongArray());
        assertTrue(tensor.equal(tensor.to(Device.CPU)));
        assertTrue(tensor.allclose(tensor.to(FIRST)));
    }

    @Test
    void printingSaysWhichDeviceItIs() {
        assertEquals("tensor([1., 2.], device='cuda:0')", onFirst(1, 2).toString());
        assertEquals(
                "tensor([1.5000], device='cuda:1', dtype=torch.float64, requires_grad=True)",
                Tensor.of(1.5).to(SECOND).requiresGrad(true).toString());
        assertEquals(
                "tensor([2., 4.], device='cuda:0', grad_fn=<MulBackward0>)",
                onFirst(1, 2).requiresGrad(true).mul(2).toString());
        assertEquals(
                "tensor([], device='cuda:0', size=(0, 2))",
                Tensor.zeros(DType.FLOAT32, FIRST, 0, 2).toString());
        assertEquals("tensor([1.])", Tensor.ones(1).toString());
    }

    @Test
    void kernelsThatTouchTheMemoryOfAnotherDeviceFail() {
        Tensor second = onFirst(1, 2).to(SECOND);
        assertFails(
                IllegalStateException.class,
                "the memory of cuda:1 was touched by a kernel that runs for cuda:0",
                () -> CurrentDevice.on(FIRST, () -> Elementwise.add(second, second)));
        assertFails(
                IllegalStateException.class,
                "the memory of cuda:1 was touched by host code",
                () -> Elementwise.add(second, second));
        assertFails(
                IllegalStateException.class,
                "the memory of cuda:1 cannot be used by the host; copy the tensor first",
                () -> TensorAccess.storage(second).segment());
    }

    @Test
    void copyInPlaceGoesFromDeviceToDevice() {
        Tensor first = onFirst(1, 2);
        Tensor here = Tensor.zeros(DType.FLOAT64, 2);
        Tensor second = Tensor.zeros(DType.INT64, SECOND, 2, 2);
        try (var _ = GradMode.noGrad()) {
            here.copy_(first);
            second.copy_(first);
            first.copy_(Tensor.of(8f, 9f)).add_(Tensor.scalar(1));
        }
        assertArrayEquals(new double[] {1, 2}, here.toDoubleArray());
        assertArrayEquals(new long[] {1, 2, 1, 2}, second.toLongArray());
        assertArrayEquals(new float[] {9, 10}, first.toFloatArray());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changesInPlaceAreThoseOfTheHost(BinaryOperator<Tensor> change) {
        Tensor x = Tensor.of(new double[] {0.5, -1, 2, 3, 0.25, 1}, 2, 3);
        Tensor other = Tensor.of(new double[] {2, 0.5, 3, 1, 4, 2}, 2, 3);
        Tensor there = x.to(SECOND);
        assertSame(there, change.apply(there, other.to(SECOND)));
        assertSame(x, change.apply(x, other));
        assertEquals(SECOND, there.device());
        // Functions of CUDA and of Java may differ in their last digits.
        assertArrayEquals(x.toDoubleArray(), there.toDoubleArray(), 1e-14);
    }

    static List<BinaryOperator<Tensor>> changes() {
        return List.of(
                (x, y) -> x.add_(y, 2),
                (x, y) -> x.add_(3),
                (x, y) -> x.sub_(y),
                (x, y) -> x.mul_(y),
                (x, y) -> x.div_(y),
                (x, y) -> x.pow_(y),
                (x, y) -> x.pow_(2),
                (x, y) -> x.clamp_(0, 1),
                (x, y) -> x.tanh_(),
                (x, y) -> x.addcmul_(y, y, 0.5),
                (x, y) -> x.addcdiv_(y, y, 0.5),
                (x, y) -> x.lerp_(y, 0.25),
                (x, y) -> x.lerp_(y, y.mul(0.125)),
                (x, y) -> x.copy_(y),
                (x, y) -> x.fill_(7),
                (x, y) -> x.zero_());
    }

    @Test
    void changesInPlaceRefuseTensorsOfOtherDevices() {
        Tensor x = Tensor.ones(2).to(SECOND);
        var e = assertThrows(IllegalArgumentException.class, () -> x.add_(Tensor.ones(2)));
        assertEquals(
                "Expected all tensors to be on the same device, but found at least two devices, cuda:1 and cpu!",
                e.getMessage());
        assertTrue(x.add_(Tensor.scalar(2f)).to(Device.CPU).equal(Tensor.of(3f, 3f)));
    }

    @Test
    void sparseTensorsMoveWithIndicesAndValues() {
        Tensor x =
                Tensor.sparseCoo(Tensor.of(new long[][] {{0, 2}}), Tensor.of(1.5, 2.5), 4)
                        .coalesce();
        Tensor there = x.to(SECOND);
        assertEquals(SECOND, there.device());
        assertEquals(SECOND, there.indices().device());
        assertEquals(SECOND, there.values().device());
        assertTrue(there.to(Device.CPU).equal(x));
        assertTrue(String.valueOf(there).contains("device='cuda:1'"), String.valueOf(there));
    }

    /** A copy for a kernel of the host that only reads is not copied back. */
    @Test
    void aReaderDoesNotUndoTheChangeOfAnotherThread() throws InterruptedException {
        Tensor[] tensor = new Tensor[1];
        inNewThread(() -> tensor[0] = onFirst(0, 0));
        Tensor shared = tensor[0];
        for (int k = 1; k <= 16; k++) {
            int scopes = k; // of a thread as young as the one that made the tensor
            inNewThread(() -> {
                for (int i = 1; i < scopes; i++) {
                    var _ = CurrentDevice.on(FIRST, () -> FIRST);
                }
                var _ = CurrentDevice.on(FIRST, () -> readWhileChanged(shared));
            });
            assertArrayEquals(new float[] {k, k}, shared.toFloatArray(), "after " + k);
        }
    }

    private static Object readWhileChanged(Tensor shared) {
        Object copy = TensorAccess.base(shared);
        try {
            inNewThread(() -> shared.add_(onFirst(1, 1)));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return copy;
    }

    private static void inNewThread(Runnable task) throws InterruptedException {
        Thread thread = Thread.ofPlatform().start(task);
        thread.join();
    }

    @Test
    void changesInPlaceAreCaughtOnDevices() {
        Tensor kept = onFirst(1, 2);
        Tensor product = kept.mul(onFirst(3, 4).requiresGrad(true)).sum();
        kept.zero_();
        assertFails(IllegalStateException.class, "was changed in place", product::backward);
    }

    @Test
    void filesTakeTensorsOfAnyDevice(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("t.safetensors");
        SafeTensors.save(file, Map.of("t", onFirst(1, 2, 3, 4).view(2, 2).t()));
        Tensor loaded = SafeTensors.open(file).tensor("t");
        assertEquals(Device.CPU, loaded.device());
        assertArrayEquals(new float[] {1, 3, 2, 4}, loaded.toFloatArray());
        assertArrayEquals(new float[] {1, 3, 2, 4}, loaded.to(SECOND).toFloatArray());
    }
}
