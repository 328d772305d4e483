package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.jspecify.annotations.Nullable;

/** Where in a program references were made, for the report of those that leaked. */
public final class CreationSites {
    private static final StackWalker WALKER =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

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

    /** Neither the implementation, nor the interfaces that lead to it, nor the JDK is. */
    private static boolean isOfProgram(Class<?> type) {
        Module module = type.getModule();
        return !module.equals(CreationSites.class.getModule())
                && !module.equals(RRef.class.getModule())
                && !module.equals(Object.class.getModule());
    }

    /** {@return the words that a report adds to a reference} */
    static String text(@Nullable String site) {
        return site == null ? "" : ", made at " + site;
    }
}
