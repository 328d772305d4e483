package org.gradwire.examples.inference;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

import java.util.concurrent.CompletableFuture;

/** The lifetime of a replica's worker: until a request to leave, or a failure. */
public final class Lifetime {
    private final CompletableFuture<Boolean> failed = new CompletableFuture<>();

    private Lifetime() {}

    /** {@return the lifetime of a worker} */
    static Lifetime of(Rpc rpc) {
        return rpc.locals().get(Lifetime.class, Lifetime::new);
    }

    /** Make this worker leave the group after its present calls. */
    @RemoteCallable
    public static void leave() {
        of(Rpc.current()).failed.complete(false);
    }

    void fail() {
        failed.complete(true);
    }

    /** Wait for the end; {@return whether it is a failure} */
    boolean awaitFailure() {
        return failed.join();
    }
}
