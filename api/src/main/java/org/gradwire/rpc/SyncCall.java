package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

/** The wait for the end of a synchronous call. */
final class SyncCall {

    private SyncCall() {}

    /**
     * Wait for the result of a call. If the thread is interrupted meanwhile, cancel the call, which
     * no other code can do.
     */
    static <R extends @Nullable Object> R join(RpcFuture<R> call) {
        try {
            return call.join();
        } catch (RpcException failure) {
            if (Thread.currentThread().isInterrupted()) {
                call.cancel(); // without an effect if the call has failed
            }
            throw failure;
        }
    }
}
