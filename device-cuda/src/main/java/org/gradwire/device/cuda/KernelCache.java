package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The compiled kernels of one device. Machine code is kept in files, named by a hash of the source,
 * the device's architecture and the compiler's version, for the next process.
 */
final class KernelCache {
    private final CudaDevice device;
    private final Path directory;
    private final Map<Object, MemorySegment> kernels = new ConcurrentHashMap<>();

    KernelCache(CudaDevice device, Path directory) {
        this.device = device;
        this.directory = directory;
    }

    /**
     * Return a kernel, compiled if need be.
     *
     * @param key identifies the source, by its {@code equals}
     */
    MemorySegment get(Object key, Supplier<String> source) {
        MemorySegment known = kernels.get(key);
        return known != null ? known : kernels.computeIfAbsent(key, _ -> load(source.get()));
    }

    private MemorySegment load(String source) {
        int capability = device.properties().capability();
        Path file =
                directory.resolve(
                        "sm_%d-%s.cubin"
                                .formatted(capability, hash(Nvrtc.version() + '\n' + source)));
        byte[] stored = stored(file);
        if (stored != null) {
            try {
                return load(stored);
            } catch (DeviceException _) {
                // damaged: compiled again
            }
        }
        byte[] code = Nvrtc.compile(source, capability);
        MemorySegment kernel = load(code);
        store(file, code);
        return kernel;
    }

    private MemorySegment load(byte[] code) {
        device.enter();
        return DriverQueue.load(code, KernelSource.NAME);
    }

    private static byte @Nullable [] stored(Path file) {
        try {
            return Files.exists(file) ? Files.readAllBytes(file) : null;
        } catch (IOException _) {
            return null; // compiled again
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Store a file, if the directory can be written; a reader sees all of it or nothing. */
    private void store(Path file, byte[] code) {
        try {
            Files.createDirectories(directory);
            Path part = Files.createTempFile(directory, "kernel", ".part");
            try {
                Files.write(part, code);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException | UncheckedIOException _) {
            // the next process compiles again
        }
    }
}
