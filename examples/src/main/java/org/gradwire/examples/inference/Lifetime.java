package org.gradwire.examples.inference;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

import java.util.concurrent.CompletableFuture;

/** How long the worker of a replica lives: until it is told to leave, or fails. */
public final class Lifetime {
    private final CompletableFuture<Boolean> failed = new CompletableFuture<>();

    private Lifetime() {}

    /** {@return that of a worker} */
    static Lifetime of(Rpc rpc) {
        return rpc.local(Lifetime.class, Lifetime::new);
    }

    /** Let this worker leave the group when it has answered its calls. */
    @RemoteCallable
    public static void leave() {
        of(Rpc.current()).failed.complete(false);
    }

    void fail() {
        failed.complete(true);
    }

    /** Wait for the end; {@return whether the worker fails} */
    boolean awaitFailure() {
        return failed.join();
    }
}
