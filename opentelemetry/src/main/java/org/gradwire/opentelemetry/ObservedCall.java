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
 * A call in flight.
 *
 * @param span ended with the call
 * @param undo restores the thread's previous context
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

    /**
     * {@return the kind of a failed call, or the class of the exception that the function threw}
     */
    private static String errorType(Throwable failure) {
        return switch (failure) {
            case RemoteFailure remote -> remote.remoteType();
            case RpcException e when e.kind() != RpcErrorKind.UNKNOWN -> e.kind().name();
            default -> failure.getClass().getName();
        };
    }
}
