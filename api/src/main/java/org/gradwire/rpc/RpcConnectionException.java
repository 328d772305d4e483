package org.gradwire.rpc;

/** The peer of a call is dead, unreachable, or was restarted under the same name. */
public class RpcConnectionException extends RpcException {
    private static final long serialVersionUID = 1L;

    public RpcConnectionException(String message) {
        super(RpcErrorKind.CONNECTION, message);
    }
}
