package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.functions.Gate;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.functions.ValueClass;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Tag;

import java.util.List;

/** Cases of references: ownership, access, confirmation and transfer. */
@Tag("quick")
public abstract class ReferenceCases extends NestedSuite {

    /** For subclasses. */
    protected ReferenceCases() {}

    @Case("JR-001")
    void aReferenceToAValueElsewhereIsNoOwner() {
        world(4).run(self -> {
            RRef<Tensor> rref = twosOn(self, self.next());
            Call<Boolean> isOwner = Call.to(ReferenceFunctions::isOwner).args(rref);
            assertFalse(self.rpc().script().call(isOwner));
            assertFalse(rref.isOwner());
        });
    }

    @Case("JR-002")
    void onlyTheOwnerMayReadTheLocalValue() {
        world(4).runOnRank0(self -> {
            RRef<Tensor> rref = twosOn(self, "worker1");
            Expect.failure(
                    RpcException.class,
                    "Can't call RRef.localValue\\(\\) on a non-owner RRef",
                    () ->
                            self.rpc()
                                    .script()
                                    .call(Call.to(ReferenceFunctions::localValue).args(rref)));
            Expect.tensor(
                    Tensor.full(2.0, 2, 2),
                    self.rpc().rpcSync("worker1", ReferenceFunctions::localValue, rref));
        });
    }

    @Case("JR-003")
    void theLocalValueIsAwaitedAndMayBeOfAnotherTypeThanDeclared() {
        world(4).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<?> rref = rpc.remote(self.name(), Gate::hold, "value", 5);
            Call<?> localValue = Call.to(ReferenceFunctions::anyLocalValue).args(rref);
            RpcFuture<?> value = rpc.script().fork(localValue);
            Gate.of(rpc).awaitArrivals("value", 1);
            assertFalse(value.isDone(), "the value does not exist yet");
            Gate.of(rpc).letPass("value");
            assertEquals(5, value.join());
            RRef<?> quick = rpc.remote(self.name(), ReferenceFunctions::returnValue, 5);
            assertEquals(
                    5, rpc.script().call(Call.to(ReferenceFunctions::anyLocalValue).args(quick)));
        });
    }

    @Case("JR-004")
    void aCalledFunctionSeesConfirmedReferences() {
        world(4).run(self -> {
            RRef<Tensor> rref = onesOn(self, self.name(2));
            assertTrue(self.rpc().rpcSync(self.next(), ReferenceFunctions::confirmedByOwner, rref));
        });
    }

    @Case("JR-005")
    void aRemotelyRunFunctionSeesConfirmedReferences() {
        world(4).run(self -> {
            RRef<Tensor> rref = onesOn(self, self.name(2));
            RRef<Boolean> confirmed =
                    self.rpc().remote(self.next(), ReferenceFunctions::confirmedByOwner, rref);
            assertTrue(confirmed.toHere());
        });
    }

    @Case("JR-006")
    void theOwnerGetsTheLiveObjectInEachWay() {
        world(4).run(self -> {
            RRef<List<Integer>> rref =
                    self.rpc().remote(self.next(), ReferenceFunctions::listCreate);
            self.rpc().runSync(self.next(), ReferenceFunctions::listMutate, rref);
            assertEquals(List.of(1, 2, 3, 4, 5, 6), rref.toHere());
        });
    }

    @Case("JR-007")
    void aReferenceMayBeArgumentAndResult() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            Tensor expected = Tensor.ones(2, 2).add(1);
            RRef<Tensor> rref = rpc.remote(self.name(), ScriptFunctions::addOne, Tensor.ones(2, 2));
            assertTrue(rref.isOwner());
            Expect.tensor(expected, rpc.rpcSync(self.next(), ReferenceFunctions::toHere, rref));
            cameHome(
                    rref,
                    expected,
                    rpc.rpcSync(self.next(), ReferenceFunctions::returnReference, rref));
            RRef<Tensor> fetched = rpc.remote(self.next(), ReferenceFunctions::toHere, rref);
            Expect.tensor(expected, fetched.toHere());
            RRef<RRef<Tensor>> nested =
                    rpc.remote(self.next(), ReferenceFunctions::returnReference, rref);
            cameHome(rref, expected, nested.toHere());
        });
    }

    private static void cameHome(RRef<Tensor> original, Tensor value, RRef<Tensor> returned) {
        assertTrue(returned.isOwner(), "a reference sent back to its owner is an owner reference");
        assertEquals(original, returned);
        Expect.tensor(value, returned.toHere());
    }

    @Case("JR-012")
    void aLocalReferenceHoldsAValueClassWithoutAHint() {
        world(4).runOnRank0(self -> {
            RRef<ValueClass> rref = self.rpc().rref(new ValueClass(self.id()));
            assertEquals(self.id(), rref.toHere().getValue());
            assertTrue(rref.isOwner());
        });
    }

    private static RRef<Tensor> twosOn(Rank self, String owner) {
        return self.rpc().remote(owner, Ops::add, Tensor.ones(2, 2), 1);
    }

    private static RRef<Tensor> onesOn(Rank self, String owner) {
        return self.rpc().remote(owner, Ops::add, Tensor.zeros(2, 2), 1);
    }
}
