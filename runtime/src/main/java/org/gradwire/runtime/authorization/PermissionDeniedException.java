package org.gradwire.runtime.authorization;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

/** A request that this worker does not permit to its sender. It is in the audit log already. */
public final class PermissionDeniedException extends RpcException {
    private static final long serialVersionUID = 1L;

    PermissionDeniedException(String message) {
        super(RpcErrorKind.PERMISSION_DENIED, message);
    }
}
