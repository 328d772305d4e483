package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A process that is killed while it uses devices leaves nothing that the next one stumbles on. */
@NeedsFakeCuda
class KilledProcessTest {
    private static final List<String> NAMES = List.of("square", "neg", "abs", "relu", "sign");
    private static final Map<String, String> SETTINGS =
            Map.of("FAKE_CUDA_CONFIG", "devices=2,memory=256m");

    @TempDir private Path cache = Path.of("");

    /** Compiles kernels, and runs them and copies until it is killed, or once. */
    static final class User {
        private User() {}

        /** With the property {@code once}, each kernel once. */
        public static void main(String[] args) {
            System.out.println("started");
            do {
                for (String name : NAMES) {
                    System.out.println(name + " " + result(name));
                }
            } while (!Boolean.getBoolean("once"));
        }

        private static double result(String name) {
            CudaDevice device = FakeCuda.device(0);
            var kernels = new CudaKernels(false);
            CudaMemory x = HostArray.of(ElementType.FLOAT64, -3.0, 2).copyTo(device);
            Operand all = Operand.of(x, ElementType.FLOAT64, 0, new int[] {2}, new int[] {1});
            kernels.run(name, all, List.of(all));
            var there = new CudaMemory(FakeCuda.device(1), x.bytes());
            x.copyTo(0, there, 0, x.bytes());
            double result = HostArray.read(there, ElementType.FLOAT64).get(0);
            there.release();
            return result;
        }
    }

    private Process start(String... flags) throws IOException {
        List<String> all =
                Stream.concat(Stream.of("-Dgradwire.cuda.cache=" + cache), Stream.of(flags))
                        .toList();
        return ChildJvm.start(User.class, FakeCuda.LIBRARIES, SETTINGS, all);
    }

    private void killAfter(int lines) throws IOException, InterruptedException {
        Process process = start();
        var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (int i = 0; i < lines; i++) {
            reader.readLine();
        }
        process.destroyForcibly();
        assertNotEquals(0, process.waitFor());
    }

    @Test
    void theNextProcessComputesTheSame() throws Exception {
        var _ = FakeCuda.device(1); // without it the test is skipped here, not in the processes
        System.out.println("seed " + FakeCuda.SEED);
        var random = new SplittableRandom(FakeCuda.SEED);
        for (int lines = 1; lines <= 3; lines++) {
            killAfter(lines + random.nextInt(20));
        }
        Process process = start("-Donce=true");
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(
                List.of("started", "square 9.0", "neg 3.0", "abs 3.0", "relu 0.0", "sign -1.0"),
                text.lines().toList());
        assertEquals(0, process.waitFor());
        try (Stream<Path> files = Files.list(cache)) {
            long kernels = files.filter(file -> file.toString().endsWith(".cubin")).count();
            assertEquals(NAMES.size(), kernels);
        }
    }
}
