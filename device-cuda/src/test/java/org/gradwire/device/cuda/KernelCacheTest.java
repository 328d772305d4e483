package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.ElementType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Compiled kernels in memory and in files. */
@NeedsFakeCuda
class KernelCacheTest {
    private final CudaKernels kernels = new CudaKernels(false);

    @TempDir private Path directory = Path.of("");

    @AfterEach
    void nothingFailsAnyMore() {
        FakeCuda.failNothing();
    }

    private void square(CudaDevice device) {
        TestOperand x = TestOperand.contiguous(device, HostArray.of(ElementType.FLOAT64, 3.0, -4));
        assertTrue(kernels.run("square", x.operand, List.of(x.operand)));
        assertEquals(9, x.read().get(0));
        assertEquals(16, x.read().get(1));
        x.release();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void aKernelIsCompiledOnce() throws IOException {
        CudaDevice device = FakeCuda.newDevice(0, directory);
        square(device);
        FakeCuda.fail("nvrtcCompileProgram", 1, 1);
        FakeCuda.fail("cuModuleLoadData", 1, 1);
        square(device);
        assertEquals(1, files().size());
        String name = String.valueOf(files().getFirst().getFileName());
        assertTrue(name.matches("sm_90-[0-9a-f]{64}\\.cubin"), name);
    }

    @Test
    void theNextProcessTakesTheFile() throws IOException {
        square(FakeCuda.newDevice(0, directory));
        FakeCuda.fail("nvrtcCompileProgram", 1, 1);
        square(FakeCuda.newDevice(1, directory));
        assertEquals(1, files().size());
    }

    @Test
    void aDamagedFileIsReplaced() throws IOException {
        square(FakeCuda.newDevice(0, directory));
        Path file = files().getFirst();
        byte[] code = Files.readAllBytes(file);
        for (byte[] damaged : new byte[][] {{}, {1, 2, 3}}) {
            Files.write(file, damaged);
            square(FakeCuda.newDevice(0, directory));
            assertEquals(List.of(file), files());
            assertTrue(Files.size(file) > code.length / 2);
        }
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsDoneWithout() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        square(FakeCuda.newDevice(0, file.resolve("kernels")));
        assertEquals(List.of(file), files());
    }

    @Test
    void errorsOfTheCompilerAreShown() {
        var cache = new KernelCache(FakeCuda.device(0), directory);
        var e =
                assertThrows(
                        DeviceException.class, () -> cache.get("wrong", () -> "this is wrong;"));
        assertEquals("nvrtcCompileProgram", e.function());
        assertEquals(6, e.code());
        String text = String.valueOf(e.getMessage());
        assertTrue(text.contains("gradwire.cu") && text.contains("error"), text);
    }
}
