package org.gradwire.runtime;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

/** Carries what a function threw through a future when it is no {@link RuntimeException}. */
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

    /** {@return what the function has thrown} */
    static Throwable original(Throwable failure) {
        return failure instanceof FunctionException wrapper ? wrapper.original : failure;
    }
}
