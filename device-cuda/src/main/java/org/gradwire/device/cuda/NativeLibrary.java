package org.gradwire.device.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A library of the machine, loaded for as long as the JVM runs. */
@SuppressWarnings("restricted") // this module exists to call these libraries
final class NativeLibrary {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final long TEXT_LIMIT = 1 << 20;

    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /**
     * Find a library by the first of some names that exists.
     *
     * @param directories searched before the system's
     */
    static Optional<NativeLibrary> find(List<Path> directories, String... names) {
        for (String candidate : candidates(directories, names)) {
            try {
                return Optional.of(
                        new NativeLibrary(
                                candidate, SymbolLookup.libraryLookup(candidate, Arena.global())));
            } catch (IllegalArgumentException _) {
                // not there: the next one
            }
        }
        return Optional.empty();
    }

    private static List<String> candidates(List<Path> directories, String... names) {
        List<String> candidates = new ArrayList<>();
        for (Path directory : directories) {
            for (String file : names) {
                Path path = directory.resolve(file);
                if (Files.exists(path)) {
                    candidates.add(path.toAbsolutePath().toString());
                }
            }
        }
        candidates.addAll(List.of(names));
        return candidates;
    }

    /** {@return a function that returns an int} */
    MethodHandle intFunction(String function, MemoryLayout... parameters) {
        MemorySegment address =
                symbols.find(function)
                        .orElseThrow(() ->
                                new UnsatisfiedLinkError(
                                        "%s has no %s; its version is not supported"
                                                .formatted(name, function)));
        return LINKER.downcallHandle(
                address, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    /** {@return the text at an address of the library's own memory} */
    static String text(MemorySegment address) {
        return address.address() == 0 ? "" : address.reinterpret(TEXT_LIMIT).getString(0);
    }

    /** {@return the exception of a method that calls a library} The call itself throws nothing. */
    static RuntimeException thrown(Throwable e) {
        return switch (e) {
            case RuntimeException failure -> failure;
            case Error error -> throw error;
            default -> throw new AssertionError("a native call threw", e);
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
