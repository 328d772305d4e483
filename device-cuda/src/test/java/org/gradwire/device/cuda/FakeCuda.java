package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assumptions.abort;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The fake driver under the tests: its devices, what it counts, and calls that it fails. */
@SuppressWarnings("restricted") // the counters of the driver are called as the driver is
final class FakeCuda {
    /** The seed of the driver's delays and of the tests' data. */
    static final long SEED = Long.getLong("fake.cuda.seed", 1);

    static final Path LIBRARIES = Path.of(System.getProperty("gradwire.cuda.libraries", ""));

    private static final long DEADLINE_NANOS = 20_000_000_000L;

    private FakeCuda() {}

    /** The devices that most tests share; opened only where there is a driver. */
    private static final class Shared {
        static final List<CudaDevice> DEVICES = open();

        private static List<CudaDevice> open() {
            Driver.check("cuInit", Driver.initialize());
            Path cache = new CudaSettings().cache();
            return IntStream.range(0, Math.min(Driver.count(), 2))
                    .mapToObj(index -> new CudaDevice(index, cache, Long.MAX_VALUE))
                    .toList();
        }
    }

    /** The functions that only the fake driver has. */
    private static final class Functions {
        static final SymbolLookup SYMBOLS =
                symbols("libcuda.so.1")
                        .or(symbols("libnvrtc.so.13"))
                        .or(symbols("libcublas.so.13"));

        private static SymbolLookup symbols(String library) {
            return SymbolLookup.libraryLookup(LIBRARIES.resolve(library), Arena.global());
        }
    }

    /** {@return whether the driver was built, see build-once.sh, or the libraries are real ones} */
    static boolean isBuilt() {
        return Files.exists(LIBRARIES.resolve("libcublas.so.13"));
    }

    private static boolean isFake() {
        return Files.exists(LIBRARIES.resolve("libcuda.so.1"));
    }

    /** Skip a test of counters or failures where the driver is a real one. */
    static void assumeFake() {
        if (!isFake()) {
            abort("the driver is not the fake one");
        }
    }

    static CudaDevice device(int index) {
        if (index >= Shared.DEVICES.size()) {
            abort("there is no second GPU"); // child processes have no JUnit, and do not come here
        }
        return Shared.DEVICES.get(index);
    }

    /** {@return a device without streams and memory as yet} */
    static CudaDevice newDevice(int index) {
        return newDevice(index, new CudaSettings().cache());
    }

    /** {@return the same, with a directory of compiled kernels} */
    static CudaDevice newDevice(int index, Path cache) {
        var _ = device(index); // the driver is initialized
        return new CudaDevice(index, cache, Long.MAX_VALUE);
    }

    static long liveBlocks(int device) {
        return counted("fakeLiveBlocks", device);
    }

    static long liveBytes(int device) {
        return counted("fakeLiveBytes", device);
    }

    static long count(String function) {
        assumeFake();
        try {
            MethodHandle handle = handle(function, FunctionDescriptor.of(JAVA_LONG));
            return (long) handle.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(function, e);
        }
    }

    private static long counted(String function, int device) {
        assumeFake();
        try {
            MethodHandle handle = handle(function, FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
            return (long) handle.invokeExact(device);
        } catch (Throwable e) {
            throw new AssertionError(function, e);
        }
    }

    /** Make the k-th call of a function from now fail. */
    static void fail(String function, int k, int code) {
        assumeFake();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle handle =
                    handle("fakeFail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT));
            MemorySegment name = arena.allocateFrom(function);
            handle.invokeExact(name, k, code);
        } catch (Throwable e) {
            throw new AssertionError(function, e);
        }
    }

    /** Make no further call fail. */
    static void failNothing() {
        if (!isFake()) {
            return;
        }
        try {
            handle("fakeFailClear", FunctionDescriptor.ofVoid()).invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle handle(String function, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(Functions.SYMBOLS.findOrThrow(function), type);
    }

    /** Collect garbage until a condition holds, which is checked each time. */
    static void collectUntil(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > DEADLINE_NANOS) {
                throw new AssertionError("garbage is still there");
            }
            System.gc();
            Thread.onSpinWait();
        }
    }
}
