package org.gradwire.autograd;

import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Thrown when a node fails in a backward pass, or returns NaN, while {@link AnomalyMode} is on. The
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

    /** {@return whether this names the forward call of a node already} */
    @SuppressWarnings("ReferenceEquality") // each recorded call has its own element
    boolean names(Node node, ForwardCall call) {
        return callSite == call.site() && function.equals(node.name());
    }

    /** {@return the name of the node, such as {@code SqrtBackward0}} */
    public String function() {
        return function;
    }

    /** {@return the forward call that recorded the node; empty when it ran outside the mode} */
    public Optional<StackTraceElement> callSite() {
        return Optional.ofNullable(callSite);
    }
}
