package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Where the program called what a node stands for. Kept in {@link AnomalyMode} only. */
final class ForwardCall {
    private static final int MOST_FRAMES = 64;

    /** Packages whose frames are not the program's. */
    private static final List<String> OWN_PACKAGES =
            List.of(
                    "org.gradwire.tensor",
                    "org.gradwire.tensor.kernel",
                    "org.gradwire.autograd",
                    "org.gradwire.nn",
                    "org.gradwire.rpc",
                    "org.gradwire.runtime",
                    "org.gradwire.spi",
                    "org.gradwire.profiler");

    private final StackTraceElement[] frames;
    private final boolean checkNan;

    private ForwardCall(StackTraceElement[] frames, boolean checkNan) {
        this.frames = frames;
        this.checkNan = checkNan;
    }

    /** {@return where the calling thread is, if it is to be remembered} */
    static @Nullable ForwardCall current(ThreadState state) {
        return state.detectAnomaly ? new ForwardCall(programFrames(), state.checkNan) : null;
    }

    private static StackTraceElement[] programFrames() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.filter(frame -> !isOwn(frame.getClassName()))
                                .limit(MOST_FRAMES)
                                .map(StackWalker.StackFrame::toStackTraceElement)
                                .toArray(StackTraceElement[]::new));
    }

    private static boolean isOwn(String className) {
        String packageName = className.substring(0, Math.max(className.lastIndexOf('.'), 0));
        return packageName.startsWith("java.")
                || packageName.startsWith("jdk.")
                || OWN_PACKAGES.contains(packageName);
    }

    /** {@return whether what the node gives is to be checked} */
    boolean checkNan() {
        return checkNan;
    }

    /** {@return the innermost place in the program; null when none is on the stack} */
    @Nullable StackTraceElement site() {
        return frames.length == 0 ? null : frames[0];
    }

    /** {@return a sentence that names the place} */
    static String described(@Nullable ForwardCall call) {
        StackTraceElement site = call == null ? null : call.site();
        return site == null
                ? "Where it was recorded is not known; do the forward computation in AnomalyMode.detect() too"
                : "It was recorded by %s.%s(%s:%d)"
                        .formatted(
                                site.getClassName(),
                                site.getMethodName(),
                                site.getFileName(),
                                site.getLineNumber());
    }

    /** {@return the call as a stack trace that can be printed} */
    Throwable asThrowable(Node node) {
        var trace = new Throwable("forward call of " + node.name());
        trace.setStackTrace(frames);
        return trace;
    }
}
