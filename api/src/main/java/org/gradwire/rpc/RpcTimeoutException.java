package org.gradwire.rpc;

/**
 * A deadline passed. The callee was not stopped, and a late reply is dropped. Of a call the message
 * names the limit that was set, the function and the callee.
 */
public class RpcTimeoutException extends RpcException {
    private static final long serialVersionUID = 1L;

    public RpcTimeoutException(String message) {
        super(RpcErrorKind.TIMEOUT, message);
    }
}
