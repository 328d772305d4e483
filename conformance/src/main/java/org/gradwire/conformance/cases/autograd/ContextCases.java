package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Cases of the life cycle of autograd contexts. */
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
                    List<Long> ids = new ArrayList<>();
                    for (int i = 0; i < 200; i++) {
                        try (AutogradContext context = DistAutograd.context(rpc)) {
                            long id = context.id();
                            assertEquals(context, DistAutograd.lookup(rpc, id));
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
                        assertEquals(outer, DistAutograd.current(rpc));
                        CompletableFuture.runAsync(
                                        () -> {
                                            try (AutogradContext own = DistAutograd.context(rpc)) {
                                                assertEquals(own, DistAutograd.current(rpc));
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
        world(WORLD_SIZE).run(self -> returned(self, Mode.SYNC));
    }

    @Case("DA-045")
    void gradientOfATensorReturnedByARemoteCallStaysWithTheCallee() {
        world(WORLD_SIZE).run(self -> returned(self, Mode.REMOTE));
    }

    private static void returned(Rank self, Mode mode) throws InterruptedException {
        Rpc rpc = self.rpc();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor returned = mode.run(rpc, self.next(), Call.to(AutogradFunctions::globalTensor));
            context.backward(returned.sum());
            rpc.runSync(self.next(), CaseState::setRpcDone, context.id(), 1);
            long previous = CaseState.of(rpc).awaitRpcDone(1);
            Map<Tensor, Tensor> gradients = DistAutograd.gradients(rpc, previous);
            assertEquals(1, gradients.size());
            assertSame(AutogradFunctions.globalTensorOf(rpc), gradients.keySet().iterator().next());
            assertTrue(
                    Tensor.ones(3, 3).equal(gradients.values().iterator().next()),
                    gradients::toString);
            barrier(self);
        }
    }

    @Case("DA-048")
    void contextsAreGoneEverywhereAfterCallsWithGradients() {
        world(WORLD_SIZE).run(self -> CleanUp.afterCalls(self, ones(), zeros()));
    }

    @Case("DA-049")
    void contextsAreGoneEverywhereAfterCallsWithoutGradients() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor tensor = Tensor.ones(3, 3);
                    CleanUp.afterCalls(self, tensor, tensor);
                });
    }

    @Case("DA-050")
    void contextsAreGoneEverywhereAfterCallsWithoutTensors() {
        world(WORLD_SIZE)
                .run(self ->
                        CleanUp.afterCalls(
                                self, Call.to(AutogradFunctions::addNumbers).args(1, 1)));
    }

    @Case("DA-051")
    void contextsAreGoneEverywhereAfterNestedCalls() {
        world(WORLD_SIZE).run(self -> CleanUp.afterNestedCalls(self, ones(), zeros()));
    }

    @Case("DA-052")
    void aContextKnowsTheWorkersThatItsCallsWentTo() {
        world(WORLD_SIZE)
                .run(self -> {
                    Set<Integer> others = new HashSet<>();
                    self.rpc().workers().forEach(worker -> others.add(worker.id()));
                    others.remove(self.id());
                    Tensor a = Tensor.ones(3, 3);
                    Tensor b = Tensor.zeros(3, 3);
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        assertEquals(Set.of(), context.knownWorkerIds());
                        callOthers(self, context, a, b);
                        assertEquals(others, context.knownWorkerIds());
                        assertEquals(List.of(), context.sendFunctions());
                        a.requiresGrad(true);
                        b.requiresGrad(true);
                        callOthers(self, context, a, b);
                        assertEquals(others, context.knownWorkerIds());
                        assertEquals(WORLD_SIZE - 1, context.sendFunctions().size());
                    }
                });
    }

    private static void callOthers(Rank self, AutogradContext context, Tensor a, Tensor b) {
        for (int distance = 1; distance < WORLD_SIZE; distance++) {
            self.rpc().rpcSync(self.name(distance), Ops::add, a, b);
            self.rpc().runSync(self.name(distance), CaseState::setRpcDone, context.id(), 1);
        }
    }
}
