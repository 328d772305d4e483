package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * A backward pass failed in a node, or a node gave NaN, while {@link AnomalyMode} was on. The
 * message names the node and the place in the program that recorded it. The failure itself is the
 * cause; a suppressed exception has the whole stack of the forward call.
 */
public final class AnomalyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String function;
    private final @Nullable StackTraceElement callSite;

    AnomalyException(
            Node node, String what, @Nullable ForwardCall call, @Nullable Throwable cause) {
        super(what + " " + ForwardCall.described(call), cause);
        this.function = node.name();
        this.callSite = call == null ? null : call.site();
        if (call != null) {
            addSuppressed(call.asThrowable(node));
        }
    }

    /** {@return whether this says already where a node was recorded} */
    @SuppressWarnings("ReferenceEquality") // each recorded call has an element of its own
    boolean names(Node node, ForwardCall call) {
        return callSite == call.site() && function.equals(node.name());
    }

    /** {@return the name of the node, such as {@code SqrtBackward0}} */
    public String function() {
        return function;
    }

    /** {@return where the program recorded the node; empty when that was outside the mode} */
    public Optional<StackTraceElement> callSite() {
        return Optional.ofNullable(callSite);
    }
}
