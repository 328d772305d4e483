package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** S-CLEAN: a closed context disappears from all workers soon. */
public final class CleanUp {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private CleanUp() {}

    /**
     * Call all other workers in a context, close it, and wait until all workers have dropped it.
     */
    public static void afterCalls(Rank self, Tensor a, Tensor b) throws Exception {
        afterCalls(self, Call.<Tensor, Tensor, Tensor>to(Ops::add).args(a, b));
    }

    /** The same with any call. */
    static void afterCalls(Rank self, Call<?> call) throws Exception {
        Rpc rpc = self.rpc();
        long id;
        try (AutogradContext context = DistAutograd.context(rpc)) {
            id = context.id();
            for (int distance = 1; distance < self.worldSize(); distance++) {
                rpc.rpcSync(self.name(distance), call);
                rpc.runSync(self.name(distance), CaseState::setRpcDone, id, 1);
            }
        }
        assertGone(self, id, self.worldSize() - 1);
    }

    /** The same with a call to the next worker, which calls the one after it. */
    public static void afterNestedCalls(Rank self, Tensor a, Tensor b) throws Exception {
        Rpc rpc = self.rpc();
        long id;
        try (AutogradContext context = DistAutograd.context(rpc)) {
            id = context.id();
            int next = (self.id() + 1) % self.worldSize();
            rpc.rpcSync(
                    self.next(),
                    Call.to(AutogradFunctions::nested).args(a, b, next, self.worldSize(), 0));
            rpc.runSync(self.next(), CaseState::setRpcDone, id, 1);
            rpc.runSync(self.name(2), CaseState::setRpcDone, id, 2);
        }
        assertGone(self, id, 2);
    }

    /** Assert that a context does not exist here, and that announced contexts disappear soon. */
    static void assertGone(Rank self, long id, int callers) {
        AutogradSuite.assertFails(
                RpcException.class,
                "Could not find autograd context with id: " + id,
                () -> DistAutograd.lookup(self.rpc(), id));
        AutogradSuite.barrier(self);
        long deadline = System.nanoTime() + LIMIT_NANOS;
        Set<Long> others = CaseState.of(self.rpc()).knownContextIds();
        assertEquals(callers, others.size());
        for (long known : others) {
            while (ContextGate.isKnown(self.rpc(), known)) {
                assertTrue(
                        System.nanoTime() < deadline,
                        () -> "context " + known + " is still on " + self.name());
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }
}
