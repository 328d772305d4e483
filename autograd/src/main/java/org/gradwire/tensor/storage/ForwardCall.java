package org.gradwire.tensor.storage;

import org.gradwire.autograd.AnomalyMode;
import org.gradwire.autograd.Node;
import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** The forward call of a node, as a stack trace. Recorded in {@link AnomalyMode} only. */
public final class ForwardCall {
    private static final int MOST_FRAMES = 64;

    /** The packages of Gradwire that a program calls, or that call a program's functions. */
    private static final Pattern OWN_PACKAGES =
            Pattern.compile(
                    "org\\.gradwire\\.(rpc|spi|profiler|runtime|nn|optim|data|tensor|autograd)"
                            + "(\\.(?!tests\\b)[a-z.]+)?");

    private final StackTraceElement[] frames;
    private final boolean checkNan;

    private ForwardCall(StackTraceElement[] frames, boolean checkNan) {
        this.frames = frames;
        this.checkNan = checkNan;
    }

    /** {@return the calling thread's stack trace, if calls are recorded} */
    public static @Nullable ForwardCall current(ThreadState state) {
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
                || OWN_PACKAGES.matcher(packageName).matches();
    }

    /** {@return whether the node's outputs are checked for NaN} */
    public boolean checkNan() {
        return checkNan;
    }

    /** {@return the program's innermost frame; null when none is on the stack} */
    public @Nullable StackTraceElement site() {
        return frames.length == 0 ? null : frames[0];
    }

    /** {@return a sentence that names the frame} */
    public static String described(@Nullable ForwardCall call) {
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
    public Throwable asThrowable(Node node) {
        var trace = new Throwable("forward call of " + node.name());
        trace.setStackTrace(frames);
        return trace;
    }
}
