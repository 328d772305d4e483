package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

/** Wraps a checked exception or error of a function, for futures. */
final class FunctionException extends RpcException {
    private static final long serialVersionUID = 1L;

    private final Throwable original;

    private FunctionException(Throwable original) {
        super(RpcErrorKind.UNKNOWN, original.toString(), original);
        this.original = original;
    }

    static RuntimeException of(Throwable thrown) {
        return thrown instanceof RuntimeException e ? e : new FunctionException(thrown);
    }

    /** {@return the throwable of the function} */
    static Throwable original(Throwable failure) {
        return failure instanceof FunctionException wrapper ? wrapper.original : failure;
    }
}
