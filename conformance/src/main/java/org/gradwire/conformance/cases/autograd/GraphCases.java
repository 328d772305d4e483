package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Cases of the autograd graphs that calls record on caller and callee. */
public abstract class GraphCases extends AutogradSuite {

    /** For subclasses. */
    protected GraphCases() {}

    @Case("DA-034")
    void callOfAnOperatorIsRecordedOnBothSides() {
        world(WORLD_SIZE).run(self -> graph(self, Mode.SYNC, Ops::add, ones(), zeros()));
    }

    @Case("DA-035")
    void callOfAFunctionIsRecordedOnBothSides() {
        world(WORLD_SIZE)
                .run(self -> graph(self, Mode.SYNC, AutogradFunctions::add, ones(), zeros()));
    }

    @Case("DA-036")
    void remoteCallOfAnOperatorIsRecordedOnBothSides() {
        world(WORLD_SIZE).run(self -> graph(self, Mode.REMOTE, Ops::add, ones(), zeros()));
    }

    @Case("DA-037")
    void remoteCallOfAFunctionIsRecordedOnBothSides() {
        world(WORLD_SIZE)
                .run(self -> graph(self, Mode.REMOTE, AutogradFunctions::add, ones(), zeros()));
    }

    /** S-GRAPH: the graph that a call of a binary addition records. */
    static void graph(
            Rank self, Mode mode, Function2<Tensor, Tensor, Tensor> function, Tensor a, Tensor b)
            throws Exception {
        Rpc rpc = self.rpc();
        long id;
        try (AutogradContext context = DistAutograd.context(rpc)) {
            id = context.id();
            assertEquals(context, DistAutograd.current(rpc));
            Tensor sum = mode.run(rpc, self.next(), function, a, b);
            rpc.runSync(self.next(), CaseState::setRpcDone, id, 1);
            assertOwnGraph(context, a, b, sum);
            Graphs.assertExecuted(contextOf(rpc, CaseState.of(rpc).awaitRpcDone(1)));
            barrier(self);
        }
        assertFails(
                RpcException.class,
                "Could not find autograd context with id: " + id,
                () -> DistAutograd.lookup(rpc, id));
        assertFails(
                RpcException.class,
                "Current thread doesn't have a valid autograd context",
                () -> DistAutograd.current(rpc));
    }

    static void assertOwnGraph(AutogradContext context, Tensor a, Tensor b, Tensor sum) {
        assertEquals(1, context.sendFunctions().size());
        assertEquals(1, context.recvFunctions().size());
        Graphs.assertFirst(
                context.sendFunctions().getFirst(), context.recvFunctions().getFirst(), a, b, sum);
    }

    @Case("DA-038")
    void nestedCallsAreRecordedInTheCallersContextAllTheWay() {
        world(WORLD_SIZE).run(self -> nested(self, Mode.SYNC, ones(), zeros()));
    }

    @Case("DA-039")
    void nestedRemoteCallsAreRecordedInTheCallersContextAllTheWay() {
        world(WORLD_SIZE).run(self -> nested(self, Mode.REMOTE, ones(), zeros()));
    }

    /** S-NEST: a call that is forwarded twice. */
    static void nested(Rank self, Mode mode, Tensor a, Tensor b) throws Exception {
        Rpc rpc = self.rpc();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            int next = (self.id() + 1) % WORLD_SIZE;
            Call<Tensor> call = Call.to(AutogradFunctions::nested).args(a, b, next, WORLD_SIZE, 1);
            Tensor sum = mode.run(rpc, self.next(), call);
            barrier(self);
            for (int distance = 1; distance < WORLD_SIZE; distance++) {
                rpc.runSync(self.name(distance), CaseState::setRpcDone, context.id(), distance);
            }
            barrier(self);
            assertOwnGraph(context, a, b, sum);
            CaseState state = CaseState.of(rpc);
            Graphs.assertNested(contextOf(rpc, state.awaitRpcDone(1)));
            Graphs.assertNested(contextOf(rpc, state.awaitRpcDone(2)));
            Graphs.assertExecuted(contextOf(rpc, state.awaitRpcDone(3)));
            barrier(self);
        }
    }

    @Case("DA-040")
    void callsThatComeBackAreRecordedInOneContext() {
        world(WORLD_SIZE).run(self -> nestedToSelf(self, Mode.SYNC, ones(), zeros()));
    }

    @Case("DA-041")
    void remoteCallsThatComeBackAreRecordedInOneContext() {
        world(WORLD_SIZE).run(self -> nestedToSelf(self, Mode.REMOTE, ones(), zeros()));
    }

    /** S-NESTSELF: the callee calls back. */
    static void nestedToSelf(Rank self, Mode mode, Tensor a, Tensor b) throws Exception {
        Rpc rpc = self.rpc();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            int before = (self.id() + WORLD_SIZE - 1) % WORLD_SIZE;
            Call<Tensor> call =
                    Call.to(AutogradFunctions::nested).args(a, b, before, WORLD_SIZE, 0);
            Tensor sum = mode.run(rpc, self.next(), call);
            rpc.runSync(self.next(), CaseState::setRpcDone, context.id(), 1);
            assertEquals(2, context.sendFunctions().size());
            assertEquals(2, context.recvFunctions().size());
            Graphs.assertFirst(
                    context.sendFunctions().getFirst(),
                    context.recvFunctions().getLast(),
                    a,
                    b,
                    sum);
            Graphs.assertExecuted(context.sendFunctions().getLast());
            Graphs.assertNested(contextOf(rpc, CaseState.of(rpc).awaitRpcDone(1)));
            barrier(self);
        }
    }

    @Case("DA-042")
    void tensorsWithoutGradientLeaveNoGraphButTheContextIsKnown() {
        world(WORLD_SIZE)
                .run(self -> noGraph(self, Mode.SYNC, Tensor.ones(3, 3), Tensor.zeros(3, 3)));
    }

    @Case("DA-043")
    void tensorsWithoutGradientLeaveNoGraphAfterRemoteCalls() {
        world(WORLD_SIZE)
                .run(self -> noGraph(self, Mode.REMOTE, Tensor.ones(3, 3), Tensor.zeros(3, 3)));
    }

    /** S-NOGRAPH: a call with tensors that require no gradients. */
    static void noGraph(Rank self, Mode mode, Tensor a, Tensor b) throws Exception {
        Rpc rpc = self.rpc();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            mode.run(rpc, self.next(), Ops::add, a, b);
            rpc.runSync(self.next(), CaseState::setRpcDone, context.id(), 1);
            assertEquals(List.of(), context.sendFunctions());
            assertEquals(List.of(), context.recvFunctions());
            long previous = CaseState.of(rpc).awaitRpcDone(1);
            assertTrue(ContextGate.isKnown(rpc, previous));
            barrier(self);
        }
    }

    @Case("DA-046")
    void tensorsWithinAListAreRecordedInTheirOrder() {
        world(WORLD_SIZE).run(self -> list(self, Mode.SYNC, () -> Tensor.ones(3, 3)));
    }

    @Case("DA-047")
    void tensorsWithinAListOfARemoteCallAreRecordedInTheirOrder() {
        world(WORLD_SIZE).run(self -> list(self, Mode.REMOTE, () -> Tensor.ones(3, 3)));
    }

    /** S-COMPLEX: a call with a list of tensors, of which every other one requires a gradient. */
    static void list(Rank self, Mode mode, Supplier<Tensor> maker) {
        Rpc rpc = self.rpc();
        List<Tensor> tensors = new ArrayList<>();
        List<Tensor> leaves = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Tensor tensor = maker.get().requiresGrad(i % 2 == 0);
            tensors.add(tensor);
            if (i % 2 == 0) {
                leaves.add(tensor);
            }
        }
        try (AutogradContext context = DistAutograd.context(rpc)) {
            String to = self.roundRobin();
            Call<Tensor> call = Call.<List<Tensor>, Integer, Tensor>to(Ops::stack).args(tensors, 0);
            Tensor stacked = mode.run(rpc, to, call);
            assertTrue(Ops.stack(tensors, 0).equal(stacked));
            assertEquals(1, context.sendFunctions().size());
            Graphs.assertLeaves(leaves, context.sendFunctions().getFirst());
            assertEquals(Set.of(rpc.worker(to).id()), context.knownWorkerIds());
        }
    }
}
