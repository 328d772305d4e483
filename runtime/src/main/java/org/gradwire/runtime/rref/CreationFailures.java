package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.FutureFailures;
import org.jspecify.annotations.Nullable;

/** Failures of the creation of a remote value. */
final class CreationFailures {

    private CreationFailures() {}

    /** {@return whether the owner may create the value although the request failed} */
    static boolean mayStillHappen(RuntimeException failure) {
        return failure instanceof RpcException e && e.kind() == RpcErrorKind.TIMEOUT;
    }

    /** Return the failure as the user of a reference sees it. */
    static RuntimeException forUser(RuntimeException failure) {
        if (failure instanceof RpcException e
                && (e.kind() == RpcErrorKind.TIMEOUT
                        || e.kind() == RpcErrorKind.INTENTIONAL_FAILURE)) {
            return new RpcException(
                    e.kind(),
                    "RRef creation via rpc.remote() timed out, and it is possible that the RRef on the owner node does not exist.",
                    e);
        }
        return FutureFailures.forCaller(failure);
    }

    static void throwIfFailed(@Nullable RuntimeException failure) {
        if (failure != null) {
            throw forUser(failure);
        }
    }
}
