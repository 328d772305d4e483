package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Releases contexts during their passes, and queries whether workers know them. */
final class ContextReleases {
    static final List<String> NOTHING = List.of("0", "0");

    private ContextReleases() {}

    /**
     * Start a pass and release its context some time later; {@return whether the pass had ended}
     */
    static boolean releaseInPass(AutogradContext context, Tensor loss, int nanos) throws Exception {
        var begins = new CountDownLatch(1);
        var pass =
                new FutureTask<>(() -> {
                    begins.countDown();
                    try {
                        context.backward(loss);
                        return true;
                    } catch (RpcException e) {
                        assertTrue(e.getMessage().contains("autograd context"), e::getMessage);
                        return false;
                    }
                });
        Thread.ofPlatform().start(pass);
        assertTrue(begins.await(1, TimeUnit.MINUTES));
        LockSupport.parkNanos(nanos);
        context.close();
        return pass.get(1, TimeUnit.MINUTES);
    }

    /** {@return whether a worker knows a context} */
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

    /** Wait until a worker has no context. */
    static void awaitNothing(Rpc rpc, String worker) {
        while (!rpc.rpcSync(worker, Products::contextsAndPasses).equals(NOTHING)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
