package org.gradwire.runtime.rref;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Finds the line of a program that creates a reference, for the report of leaks. */
public final class CreationSites {
    private static final StackWalker WALKER =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** The modules of Gradwire that are skipped in a stack. */
    private static final Set<String> LIBRARIES =
            Set.of(
                    "org.gradwire.api",
                    "org.gradwire.autograd",
                    "org.gradwire.backend.faulty",
                    "org.gradwire.backend.tensorpipe",
                    "org.gradwire.device.virtual",
                    "org.gradwire.nn",
                    "org.gradwire.opentelemetry",
                    "org.gradwire.runtime",
                    "org.gradwire.spi");

    /** Prefixes of their packages, for the class path. */
    private static final Set<String> PACKAGES =
            Set.of(
                    "org.gradwire.autograd",
                    "org.gradwire.backend",
                    "org.gradwire.device",
                    "org.gradwire.nn",
                    "org.gradwire.opentelemetry",
                    "org.gradwire.optim",
                    "org.gradwire.profiler",
                    "org.gradwire.rpc",
                    "org.gradwire.runtime",
                    "org.gradwire.spi",
                    "org.gradwire.tensor");

    private final boolean isAsked;

    /**
     * Create a finder of sites, which costs a stack walk for each reference, or one that finds
     * none.
     */
    public CreationSites(boolean isAsked) {
        this.isAsked = isAsked;
    }

    /** {@return the calling line of the program; null if unknown or switched off} */
    public @Nullable String here() {
        return isAsked
                ? WALKER.walk(frames ->
                        frames.filter(frame -> isOfProgram(frame.getDeclaringClass()))
                                .findFirst()
                                .map(frame -> frame.toStackTraceElement().toString())
                                .orElse(null))
                : null;
    }

    /** {@return whether a class belongs to neither the JDK nor Gradwire} */
    static boolean isOfProgram(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader.equals(ClassLoader.getPlatformClassLoader())) {
            return false;
        }
        Module module = type.getModule();
        return module.isNamed()
                ? !LIBRARIES.contains(module.getName())
                : PACKAGES.stream().noneMatch(prefix -> isIn(prefix, type.getPackageName()));
    }

    private static boolean isIn(String prefix, String name) {
        return name.startsWith(prefix)
                && (name.length() == prefix.length() || name.charAt(prefix.length()) == '.');
    }

    /** {@return the text for reports about a reference} */
    static String text(@Nullable String site) {
        return site == null ? "" : ", made at " + site;
    }
}
