package org.gradwire.runtime.rref;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Where in a program references were made, for the report of those that leaked. */
public final class CreationSites {
    private static final StackWalker WALKER =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** The modules of Gradwire that programs call. */
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

    /** Their packages begin so, which counts where they are on the class path. */
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

    /** Keep sites, which costs a walk of the stack for each reference, or do not. */
    public CreationSites(boolean isAsked) {
        this.isAsked = isAsked;
    }

    /** {@return the calling place of the program, or null when it is not asked for or unknown} */
    public @Nullable String here() {
        return isAsked
                ? WALKER.walk(frames ->
                        frames.filter(frame -> isOfProgram(frame.getDeclaringClass()))
                                .findFirst()
                                .map(frame -> frame.toStackTraceElement().toString())
                                .orElse(null))
                : null;
    }

    /** {@return whether a class is neither the JDK's nor Gradwire's} */
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

    /** {@return the words that a report adds to a reference} */
    static String text(@Nullable String site) {
        return site == null ? "" : ", made at " + site;
    }
}
