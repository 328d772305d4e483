package org.gradwire.conformance.cases.autograd;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Tensor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A remote function that blocks until its worker knows an autograd context. */
public final class ContextGate {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private ContextGate() {}

    /** Return the sum of two tensors as a leaf that requires a gradient. */
    @RemoteCallable
    public static Tensor addWhenKnown(long contextId, Tensor a, Tensor b) {
        Rpc rpc = Rpc.current();
        // A function sees only the context of its call; a plain thread sees all.
        CompletableFuture.runAsync(
                        () -> awaitKnown(rpc, contextId), task -> Thread.ofVirtual().start(task))
                .join();
        return a.add(b).requiresGrad(true);
    }

    /** Return whether a worker knows a context. */
    static boolean isKnown(Rpc rpc, long contextId) {
        try {
            var _ = DistAutograd.lookup(rpc, contextId);
            return true;
        } catch (RpcException e) {
            if (!e.getMessage().startsWith("Could not find autograd context with id: ")) {
                throw e;
            }
            return false;
        }
    }

    private static void awaitKnown(Rpc rpc, long contextId) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!isKnown(rpc, contextId)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "context %d did not become known".formatted(contextId));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
