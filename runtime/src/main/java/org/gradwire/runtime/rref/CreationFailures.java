package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.Failures;
import org.jspecify.annotations.Nullable;

/** What is said of references whose making failed. */
final class CreationFailures {

    private CreationFailures() {}

    /** {@return whether the owner may make the value although the request has failed} */
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
        return Failures.forCaller(failure);
    }

    static void throwIfFailed(@Nullable RuntimeException failure) {
        if (failure != null) {
            throw forUser(failure);
        }
    }
}
