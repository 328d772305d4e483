package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DeviceProvider.MemoryUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The provider: which devices there are, and why there are none. */
@NeedsFakeCuda
class CudaDevicesTest {

    @BeforeEach
    void devicesAreTheFakeOnes() {
        FakeCuda.assumeFake();
    }

    @AfterEach
    void nothingFailsAnyMore() {
        FakeCuda.failNothing();
    }

    @Test
    void providerHasTheDevicesOfTheDriver() {
        var devices = new CudaDevices();
        assertEquals("cuda", devices.type());
        assertEquals(2, devices.count());
        assertEquals(
                "CUDA driver 13.0, cuBLAS, NVRTC 13.0: cuda:0 (Fake CUDA Device 0), 1024 MiB; cuda:1 (Fake CUDA Device 1), 1024 MiB",
                devices.description());
        for (int index : new int[] {-1, 2}) {
            var e = assertThrows(IllegalArgumentException.class, () -> devices.allocate(index, 1));
            assertEquals(
                    "there is no device cuda:%d; %s".formatted(index, devices.description()),
                    e.getMessage());
            assertThrows(IllegalArgumentException.class, () -> devices.memoryUse(index));
            assertThrows(IllegalArgumentException.class, () -> devices.synchronize(index));
        }
    }

    @Test
    void useOfMemoryIsThatOfEachDevice() {
        var devices = new CudaDevices();
        DeviceMemory memory = devices.allocate(1, 1000);
        assertEquals(1, memory.index());
        assertEquals(1000, memory.bytes());
        assertEquals(new MemoryUse(1024, 2 << 20, 1024), devices.memoryUse(1));
        assertEquals(new MemoryUse(0, 0, 0), devices.memoryUse(0));
        memory.clear();
        devices.synchronize(1);
        memory.release();
        assertEquals(new MemoryUse(0, 2 << 20, 1024), devices.memoryUse(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuInit",
                "cuDriverGetVersion",
                "cuDeviceGetCount",
                "cuDeviceGet",
                "cuDeviceGetName",
                "cuDeviceGetUuid_v2",
                "cuDeviceTotalMem_v2",
                "cuDeviceGetAttribute"
            })
    void aFailureOnStartIsDescribed(String function) {
        FakeCuda.fail(function, 1, 999);
        var none = new CudaDevices();
        assertEquals(0, none.count());
        assertEquals(
                "no CUDA devices: %s failed with CUDA_ERROR_UNKNOWN (999): unknown error"
                        .formatted(function.replaceFirst("_v2$", "")),
                none.description());
        var e = assertThrows(IllegalArgumentException.class, () -> none.allocate(0, 1));
        assertEquals("there is no device cuda:0; " + none.description(), e.getMessage());
        assertEquals(2, new CudaDevices().count());
    }

    /** A context, and access to other devices, are made at a device's first use. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuDevicePrimaryCtxRetain",
                "cuDeviceCanAccessPeer",
                "cuCtxEnablePeerAccess"
            })
    void aFailureAtFirstUseIsThatOfTheCall(String function) {
        var devices = new CudaDevices();
        DeviceMemory first = devices.allocate(0, 8);
        FakeCuda.fail(function, 1, 999);
        var e = assertThrows(DeviceException.class, () -> devices.allocate(1, 8));
        assertEquals(
                function + " failed with CUDA_ERROR_UNKNOWN (999): unknown error", e.getMessage());
        assertEquals(2, devices.count());
        assertEquals(new MemoryUse(0, 0, 0), devices.memoryUse(1));
        DeviceMemory second = devices.allocate(1, 8);
        first.copyFromHost(MemorySegment.ofArray(new long[] {42}), 0);
        first.copyTo(0, second, 0, 8);
        long[] read = new long[1];
        second.copyToHost(0, MemorySegment.ofArray(read));
        assertEquals(42, read[0]);
        List.of(first, second).forEach(DeviceMemory::release);
    }

    /** Prints the devices of a child JVM. */
    static final class Describe {
        private Describe() {}

        /** Arguments are not used. */
        public static void main(String[] args) {
            var devices = new CudaDevices();
            System.out.println(devices.count() + " " + devices.description());
            if (devices.count() > 0) {
                DeviceMemory memory = devices.allocate(0, 100);
                System.out.println(devices.memoryUse(0));
                memory.release();
            }
        }
    }

    private static List<String> describe(Path libraries, String fake, String... flags)
            throws IOException, InterruptedException {
        return ChildJvm.run(
                Describe.class, libraries, Map.of("FAKE_CUDA_CONFIG", fake), List.of(flags));
    }

    @Test
    void aDriverWithoutDevicesIsDescribed() throws Exception {
        assertEquals(
                List.of(
                        "0 no CUDA devices: cuInit failed with CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected"),
                describe(FakeCuda.LIBRARIES, "devices=0"));
    }

    @Test
    void devicesThatCannotReachEachOtherAreThere() throws Exception {
        List<String> lines = describe(FakeCuda.LIBRARIES, "devices=3,peer=0,memory=64m");
        assertTrue(
                lines.getFirst().startsWith("3 CUDA driver 13.0, cuBLAS, NVRTC 13.0: "),
                lines::toString);
    }

    @Test
    void memoryCanBeLimited() throws Exception {
        List<String> lines = describe(FakeCuda.LIBRARIES, "", "-Dgradwire.cuda.memory-limit=1m");
        assertTrue(
                lines.stream()
                        .anyMatch(line ->
                                line.contains(
                                        "OutOfMemoryError: cuda:0 (Fake CUDA Device 0) cannot allocate 1 more MiB")),
                lines::toString);
    }

    @Test
    void withoutADriverThereAreNoDevices(@TempDir Path empty) throws Exception {
        List<String> lines = describe(empty, "");
        assumeFalse(lines.getFirst().matches("[1-9].*"), "this machine has a driver");
        assertEquals(
                List.of(
                        "0 no CUDA devices: libcuda.so.1 was not found; install NVIDIA's driver, or set gradwire.cuda.libraries"),
                lines);
    }

    /** The host computes if only the driver is installed. */
    @Test
    void withoutCompilerAndCublasThereAreNoKernels(@TempDir Path directory) throws Exception {
        Files.copy(FakeCuda.LIBRARIES.resolve("libcuda.so.1"), directory.resolve("libcuda.so.1"));
        List<String> lines = describe(directory, "devices=1");
        assumeFalse(lines.getFirst().matches(".*, (cuBLAS|NVRTC .*):.*"), "this machine has them");
        assertTrue(
                lines.getFirst().startsWith("1 CUDA driver 13.0, no cuBLAS, no NVRTC: cuda:0"),
                lines::toString);
    }
}
