package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.conformance.functions.AutogradFunctions;
import org.gradwire.conformance.functions.CaseState;
import org.gradwire.conformance.harness.Case;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The life of contexts. */
public abstract class ContextCases extends AutogradSuite {
    private static final int WORKER_SHIFT = 48;

    /** For subclasses. */
    protected ContextCases() {}

    @Case("DA-032")
    void idsBelongToTheirWorkerAndContextsAreGoneAfterwards() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    long first = (long) self.id() << WORKER_SHIFT;
                    assertEquals(281_474_976_710_655L + first, DistAutograd.maxId(rpc));
                    List<Long> ids = new ArrayList<>();
                    for (int i = 0; i < 200; i++) {
                        try (AutogradContext context = DistAutograd.context(rpc)) {
                            long id = context.id();
                            assertSame(context, DistAutograd.lookup(rpc, id));
                            assertEquals(self.id(), id >> WORKER_SHIFT);
                            assertTrue(id > (ids.isEmpty() ? first - 1 : ids.getLast()));
                            ids.add(id);
                        }
                    }
                    assertEquals(first, ids.getFirst());
                    for (long id : ids) {
                        assertFails(
                                RpcException.class,
                                "Could not find autograd context with id: " + id,
                                () -> DistAutograd.lookup(rpc, id));
                    }
                });
    }

    @Case("DA-033")
    void aThreadIsInOneContextAtATime() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    try (AutogradContext outer = DistAutograd.context(rpc)) {
                        assertFails(
                                RpcException.class,
                                "Already have an autograd context id for this thread",
                                () -> DistAutograd.context(rpc));
                        assertSame(outer, DistAutograd.current(rpc));
                        CompletableFuture.runAsync(
                                        () -> {
                                            try (AutogradContext own = DistAutograd.context(rpc)) {
                                                assertSame(own, DistAutograd.current(rpc));
                                            }
                                        },
                                        task -> Thread.ofPlatform().start(task))
                                .join();
                        assertEquals(
                                1, Integer.parseInt(rpc.debugInfo().get("num_autograd_contexts")));
                    }
                });
    }

    @Case("DA-044")
    void gradientOfAReturnedTensorStaysWithTheCallee() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor returned = rpc.rpcSync(self.next(), AutogradFunctions::globalTensor);
                        context.backward(returned.sum());
                        rpc.runSync(self.next(), CaseState::setRpcDone, context.id(), 1);
                        long previous = CaseState.of(rpc).awaitRpcDone(1);
                        Map<Tensor, Tensor> gradients = DistAutograd.gradients(rpc, previous);
                        assertEquals(1, gradients.size());
                        assertSame(
                                AutogradFunctions.globalTensorOf(rpc),
                                gradients.keySet().iterator().next());
                        assertTrue(
                                Tensor.ones(3, 3).equal(gradients.values().iterator().next()),
                                gradients::toString);
                        barrier(self);
                    }
                });
    }

    @Case("DA-048")
    void contextsAreGoneEverywhereAfterCallsWithGradients() {
        world(WORLD_SIZE).run(self -> CleanUp.afterCalls(self, ones(), zeros()));
    }

    @Case("DA-051")
    void contextsAreGoneEverywhereAfterNestedCalls() {
        world(WORLD_SIZE).run(self -> CleanUp.afterNestedCalls(self, ones(), zeros()));
    }
}
