package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A call of the driver or of a library that fails once: the error says which, the next works. */
@NeedsFakeCuda
class DriverFailuresTest {
    private static final int UNKNOWN = 999;

    private static final List<String> COUNTERS =
            List.of(
                    "fakeLiveStreams",
                    "fakeLiveEvents",
                    "fakeLiveHostBlocks",
                    "fakeLiveModules",
                    "fakeLivePrograms",
                    "fakeLiveBlasHandles");

    private final CudaKernels kernels = new CudaKernels(false);

    @TempDir private Path cache = Path.of("");

    @AfterEach
    void nothingFailsAnyMore() {
        FakeCuda.failNothing();
    }

    /** Two devices without streams, memory and kernels. */
    private record Pair(CudaDevice first, CudaDevice second) {}

    private static Pair pair(Path cache) {
        return new Pair(FakeCuda.newDevice(0, cache), FakeCuda.newDevice(1, cache));
    }

    /** Call everything that runs on devices, from two threads; products hold much memory. */
    private void useAll(Pair devices, boolean products, ExecutorService other) {
        HostArray numbers = HostArray.of(ElementType.FLOAT32, 1.0, 2, 3, 4);
        CudaMemory x = numbers.copyTo(devices.first);
        CudaMemory y = new CudaMemory(devices.first, x.bytes());
        try {
            join(other.submit(() -> y.clear()));
            Operand a = Operand.of(x, ElementType.FLOAT32, 0, new int[] {4}, new int[] {1});
            Operand b = Operand.of(y, ElementType.FLOAT32, 0, new int[] {4}, new int[] {1});
            kernels.run("square", b, List.of(a));
            if (products) {
                multiply(x, y);
            }
            x.copyTo(0, y, 8, 8);
            HostArray results = HostArray.read(y, ElementType.FLOAT32);
            assertEquals(products ? 3 : 1, results.get(0)); // 1 + 2, or the square
            assertEquals(1, results.get(2));
            useBoth(devices, x);
            devices.first.synchronize();
        } finally {
            x.release();
            y.release();
        }
        devices.first.allocator().trim();
    }

    /** Products of one matrix and of a batch of them. */
    private void multiply(CudaMemory x, CudaMemory y) {
        for (int batch = 1; batch <= 2; batch++) {
            Operand left = matrices(x, batch, 1, 2);
            Operand right = ones(x.device(), batch);
            Operand product = matrices(y, batch, 1, 1);
            Operand fresh = Operand.number(ElementType.INT64, 0L);
            assertTrue(kernels.run("matmul", product, List.of(left, right, fresh)));
            right.memory().release();
        }
    }

    private static Operand ones(CudaDevice device, int batch) {
        CudaMemory ones = HostArray.of(ElementType.FLOAT32, 1.0, 1, 1, 1).copyTo(device);
        return matrices(ones, batch, 2, 1);
    }

    private static Operand matrices(CudaMemory memory, int batch, int rows, int columns) {
        return Operand.of(
                memory,
                ElementType.FLOAT32,
                0,
                new int[] {batch, rows, columns},
                new int[] {rows * columns, columns, 1});
    }

    private static void useBoth(Pair devices, CudaMemory x) {
        var there = new CudaMemory(devices.second, x.bytes());
        try {
            x.copyTo(0, there, 0, x.bytes());
            assertEquals(4.0, HostArray.read(there, ElementType.FLOAT32).get(3));
        } finally {
            there.release();
        }
    }

    private static void join(Future<?> future) {
        try {
            future.get();
        } catch (ExecutionException e) {
            throw assertInstanceOf(RuntimeException.class, e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long[] counters() {
        return COUNTERS.stream().mapToLong(FakeCuda::count).toArray();
    }

    private static void assertMore(long[] more, long[] before) {
        for (int i = 0; i < more.length; i++) {
            assertEquals(before[i] + more[i], FakeCuda.count(COUNTERS.get(i)), COUNTERS.get(i));
        }
    }

    /** {@return how many objects of each kind remain after all was used without a failure} */
    private long[] remaining(boolean products, ExecutorService other) {
        long[] before = counters();
        useAll(pair(cache.resolve("undisturbed")), products, other);
        long[] after = counters();
        for (int i = 0; i < after.length; i++) {
            after[i] -= before[i];
        }
        return after;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuCtxSetCurrent",
                "cuCtxSynchronize",
                "cuMemAlloc_v2",
                "cuMemFree_v2",
                "cuMemHostAlloc",
                "cuMemcpyHtoDAsync_v2",
                "cuMemcpyDtoHAsync_v2",
                "cuMemcpyDtoDAsync_v2",
                "cuMemcpyPeerAsync",
                "cuMemsetD8Async",
                "cuStreamCreate",
                "cuStreamSynchronize",
                "cuStreamWaitEvent",
                "cuEventCreate",
                "cuEventRecord",
                "cuEventSynchronize",
                "cuModuleLoadData",
                "cuModuleGetFunction",
                "cuLaunchKernel",
                "nvrtcCreateProgram",
                "nvrtcCompileProgram",
                "nvrtcGetCUBIN",
                "cublasCreate_v2",
                "cublasSetStream_v2",
                "cublasSetWorkspace_v2",
                "cublasGemmEx",
                "cublasGemmStridedBatchedEx"
            })
    void oneFailureOfEachFunctionIsReported(String function) {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            boolean products = function.startsWith("cublas");
            long[] more = remaining(products, other);
            long[] before = counters();
            Pair devices = pair(cache.resolve("failed"));
            FakeCuda.fail(function, 1, UNKNOWN);
            var e = assertThrows(DeviceException.class, () -> useAll(devices, products, other));
            String name = function.replaceFirst("_v2$", "");
            assertEquals(name, e.function());
            assertEquals(UNKNOWN, e.code());
            String text = String.valueOf(e.getMessage());
            assertTrue(text.startsWith(name + " failed with "), text);
            useAll(devices, products, other);
            assertMore(more, before);
            for (CudaDevice device : List.of(devices.first, devices.second)) {
                device.allocator().trim();
            }
        }
    }

    /** The events of streams, and of the memory for copies. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void eachEventMayFail(int call) {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            long[] more = remaining(false, other);
            long[] before = counters();
            Pair devices = pair(cache.resolve("failed"));
            FakeCuda.fail("cuEventCreate", call, UNKNOWN);
            assertThrows(DeviceException.class, () -> useAll(devices, false, other));
            useAll(devices, false, other);
            assertMore(more, before);
        }
    }

    @Test
    void errorsAreExplained() {
        CudaDevice device = FakeCuda.device(0);
        var memory = new CudaMemory(device, 4);
        FakeCuda.fail("cuMemsetD8Async", 1, 700);
        var e = assertThrows(DeviceException.class, memory::clear);
        assertEquals(
                "cuMemsetD8Async failed with CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered",
                e.getMessage());
        assertEquals("CUDA_ERROR_ILLEGAL_ADDRESS", e.codeName());
    }

    /** A part of a copy that failed is still being filled, when the next copy begins. */
    @Test
    void aCopyAfterAFailedOneIsComplete() {
        CudaDevice device = FakeCuda.device(0);
        byte[] ones = new byte[12 << 20];
        Arrays.fill(ones, (byte) 1);
        for (int i = 1; i <= 6; i++) {
            var memory = new CudaMemory(device, ones.length);
            memory.clear();
            FakeCuda.fail("cuEventRecord", 1 + i % 3, UNKNOWN);
            byte[] read = new byte[ones.length];
            assertThrows(
                    DeviceException.class, () -> memory.copyToHost(0, MemorySegment.ofArray(read)));
            FakeCuda.failNothing();
            memory.copyFromHost(MemorySegment.ofArray(ones), 0);
            memory.copyToHost(0, MemorySegment.ofArray(read));
            assertArrayEquals(ones, read);
            memory.release();
        }
    }
}
