package org.gradwire.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;

import org.gradwire.rpc.RemoteFailure;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.CallObservation;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A call under way.
 *
 * @param span ends with it
 * @param undo gives the thread back what was current before
 */
record ObservedCall(Span span, Runnable undo) implements CallObservation {
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    @Override
    public void leave() {
        undo.run();
    }

    @Override
    public void end(@Nullable Throwable failure) {
        if (failure != null && span.isRecording()) {
            span.setStatus(StatusCode.ERROR, Objects.requireNonNullElse(failure.getMessage(), ""));
            span.setAttribute(ERROR_TYPE, errorType(failure));
            span.recordException(failure);
        }
        span.end();
    }

    /** {@return the kind of a failure of calls, or the class of what a function has thrown} */
    private static String errorType(Throwable failure) {
        return switch (failure) {
            case RemoteFailure remote -> remote.remoteType();
            case RpcException e when e.kind() != RpcErrorKind.UNKNOWN -> e.kind().name();
            default -> failure.getClass().getName();
        };
    }
}
