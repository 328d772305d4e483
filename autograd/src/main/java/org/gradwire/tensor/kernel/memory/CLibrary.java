package org.gradwire.tensor.kernel.memory;

import org.gradwire.spi.OsNative;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The three functions of the C library that the memory pool needs. */
final class CLibrary {
    private static final System.Logger LOGGER = System.getLogger(CLibrary.class.getName());
    private static final int MADV_HUGEPAGE = 14; // Linux's; other systems have other advice
    private static final boolean HAS_HUGE_PAGES = System.getProperty("os.name", "").equals("Linux");

    private final MethodHandle alignedAlloc;
    private final MethodHandle free;
    private final MethodHandle madvise;

    @SuppressWarnings("restricted") // signatures are those of the C standard and of madvise(2)
    private CLibrary(Linker linker, SymbolLookup symbols) {
        var address = ValueLayout.JAVA_LONG;
        alignedAlloc =
                linker.downcallHandle(
                        symbols.findOrThrow("aligned_alloc"),
                        FunctionDescriptor.of(
                                address, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        free =
                linker.downcallHandle(
                        symbols.findOrThrow("free"), FunctionDescriptor.ofVoid(address));
        madvise =
                linker.downcallHandle(
                        symbols.findOrThrow("madvise"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                address,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
    }

    /** {@return the library; empty, with a line in the log, where it cannot be called} */
    static Optional<CLibrary> load() {
        if (!NativeAccess.isEnabled()) {
            return absent(System.Logger.Level.DEBUG, NativeAccess.advice());
        }
        if (!OsNative.isOn()) {
            return absent(System.Logger.Level.DEBUG, OsNative.SETTING.key() + "=off");
        }
        try {
            Linker linker = Linker.nativeLinker();
            return Optional.of(new CLibrary(linker, linker.defaultLookup()));
        } catch (IllegalCallerException
                | UnsupportedOperationException
                | NoSuchElementException e) {
            return absent(System.Logger.Level.INFO, e.getMessage());
        }
    }

    private static Optional<CLibrary> absent(System.Logger.Level level, @Nullable String why) {
        LOGGER.log(
                level, "large tensors live on the heap, as native memory cannot be used: {0}", why);
        return Optional.empty();
    }

    long allocate(long alignment, long bytes) {
        try {
            return (long) alignedAlloc.invokeExact(alignment, bytes);
        } catch (Throwable e) {
            throw new AssertionError("a C function threw", e);
        }
    }

    void free(long address) {
        try {
            free.invokeExact(address);
        } catch (Throwable e) {
            throw new AssertionError("a C function threw", e);
        }
    }

    /** Advise huge pages; without them only speed differs. */
    void adviseHugePages(long address, long bytes) {
        if (!HAS_HUGE_PAGES) {
            return;
        }
        try {
            int refused = (int) madvise.invokeExact(address, bytes, MADV_HUGEPAGE);
            if (refused != 0) {
                LOGGER.log(System.Logger.Level.TRACE, "no huge pages for tensors");
            }
        } catch (Throwable e) {
            throw new AssertionError("a C function threw", e);
        }
    }
}
