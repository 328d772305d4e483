package org.gradwire.tensor.kernel.matrix;

import org.gradwire.spi.process.CodePath;
import org.gradwire.tensor.kernel.memory.NativeAccess;
import org.gradwire.tensor.kernel.memory.ProcessSettings;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;

/**
 * Finds OpenBLAS in the jar of its shared libraries, copies it to a folder of the user's cache and
 * loads it from there.
 *
 * <p>A file that is already in the cache is used when its length and checksum match those in the
 * jar. Each file is written under a unique name and then moved into place, so that concurrent
 * processes do not interfere.
 */
final class BlasLibrary {
    private static final System.Logger LOGGER = System.getLogger(BlasLibrary.class.getName());

    private final BlasPlatform platform;

    private BlasLibrary(BlasPlatform platform) {
        this.platform = platform;
    }

    /** {@return the library; empty, with a line in the log, where it cannot be used} */
    static Optional<SymbolLookup> load() {
        if (!NativeAccess.isEnabled()) {
            return absent(System.Logger.Level.DEBUG, NativeAccess.advice());
        }
        String system = System.getProperty("os.name");
        String processor = System.getProperty("os.arch");
        Optional<BlasPlatform> platform = BlasPlatform.of(system, processor);
        return platform.isPresent()
                ? new BlasLibrary(platform.get()).find()
                : absent(
                        System.Logger.Level.INFO,
                        "this JVM runs on %s on %s, and there is one for %s"
                                .formatted(system, processor, BlasPlatform.names()));
    }

    @SuppressWarnings("restricted") // intended native library loading
    private Optional<SymbolLookup> find() {
        try {
            boolean isThere = resource(platform.library()) != null;
            Optional<String> obstacle = obstacle(platform, isThere, CodePath.of(BlasLibrary.class));
            if (obstacle.isPresent()) {
                return absent(System.Logger.Level.INFO, obstacle.get());
            }
            Path folder = extract();
            SymbolLookup library =
                    SymbolLookup.libraryLookup(folder.resolve(platform.library()), Arena.global());
            setThreads(library);
            return Optional.of(library);
        } catch (IOException e) {
            return absent(
                    System.Logger.Level.INFO,
                    e + "; set XDG_CACHE_HOME to a folder that can be written");
        } catch (IllegalArgumentException | IllegalCallerException | NoSuchElementException e) {
            return absent(System.Logger.Level.INFO, e.toString());
        }
    }

    /**
     * Say why the library cannot be loaded.
     *
     * @param found whether its module is part of this JVM, or its jar is on the class path
     * @param path where Gradwire is
     */
    static Optional<String> obstacle(BlasPlatform platform, boolean found, CodePath path) {
        if (found) {
            return Optional.empty();
        }
        String jar = "org.bytedeco:openblas with the classifier " + platform.name();
        return Optional.of(
                path == CodePath.CLASS_PATH
                        ? "its jar, %s, is not on the class path".formatted(jar)
                        : "its module %s is not in this JVM; its jar, %s, belongs on the module path, and --add-modules=ALL-MODULE-PATH among the flags, since no module requires it"
                                .formatted(platform.module(), jar));
    }

    private static Optional<SymbolLookup> absent(System.Logger.Level level, String why) {
        LOGGER.log(level, "matrix products are computed in Java, without OpenBLAS: {0}", why);
        return Optional.empty();
    }

    @SuppressWarnings("restricted") // the signature is void(int)
    private static void setThreads(SymbolLookup library) {
        int threads = new ProcessSettings().blasThreads();
        var setter =
                Linker.nativeLinker()
                        .downcallHandle(
                                library.findOrThrow("openblas_set_num_threads"),
                                FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        try {
            setter.invokeExact(threads);
        } catch (Throwable e) {
            throw new AssertionError("a C function threw", e);
        }
    }

    /** Find a file of the jar, which may be a module of our layer or on the class path. */
    private @Nullable URL resource(String file) {
        String path = platform.resource(file);
        ModuleLayer layer = BlasLibrary.class.getModule().getLayer();
        URL found =
                (layer == null ? ModuleLayer.boot() : layer)
                        .findModule(platform.module())
                        .map(module -> module.getClassLoader().getResource(path))
                        .orElse(null);
        return found != null ? found : ClassLoader.getSystemResource(path);
    }

    private Path extract() throws IOException {
        Path folder = cacheFolder(entry(platform.library()).getJarEntry().getCrc());
        Files.createDirectories(folder);
        for (String file : platform.files()) {
            extract(entry(file), folder.resolve(file));
        }
        return folder;
    }

    private JarURLConnection entry(String file) throws IOException {
        URL resource = resource(file);
        if (resource != null && resource.openConnection() instanceof JarURLConnection jar) {
            return jar;
        }
        throw new IOException(file + " is not in a jar, so it cannot be verified: " + resource);
    }

    /** {@return the folder of one build of the library, named by its checksum} */
    private static Path cacheFolder(long checksum) {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cache);
        return base.resolve("gradwire").resolve("openblas-" + Long.toHexString(checksum));
    }

    private static void extract(JarURLConnection jar, Path target) throws IOException {
        JarEntry entry = jar.getJarEntry();
        if (Files.exists(target)
                && Files.size(target) == entry.getSize()
                && checksum(target) == entry.getCrc()) {
            return;
        }
        Path fresh = Files.createTempFile(target.getParent(), "new", ".so");
        try (InputStream in = jar.getInputStream()) {
            Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
            if (checksum(fresh) != entry.getCrc()) {
                throw new IOException("cannot write " + target + ": its checksum is wrong");
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static long checksum(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            var sum = new CRC32();
            sum.update(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
            return sum.getValue();
        }
    }
}
