package org.gradwire.rpc;

/**
 * A deadline passed. The callee was not stopped, and a late reply is dropped. The message of a call
 * names the timeout, the function and the callee.
 */
public class RpcTimeoutException extends RpcException {
    private static final long serialVersionUID = 1L;

    /** Create a failure of the kind {@link RpcErrorKind#TIMEOUT}. */
    public RpcTimeoutException(String message) {
        super(RpcErrorKind.TIMEOUT, message);
    }
}
