package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.cases.modules.ModuleWithReferences;
import org.gradwire.conformance.functions.ReferenceFunctions;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.functions.ValueClass;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.Script;
import org.gradwire.tensor.Tensor;

import java.util.Map;

/** Cases of references and futures that cross between script functions and plain code. */
public abstract class ScriptAndPlainCases extends NestedSuite {

    /** For subclasses. */
    protected ScriptAndPlainCases() {}

    @Case("JR-008")
    void aModuleReadsTheReferencesItHolds() {
        world(4).run(self -> {
            var module = new ModuleWithReferences(self.rpc(), self.next());
            Expect.tensor(Tensor.full(9.0, 2, 2), module.forward(Tensor.ones(2, 2)));
        });
    }

    @Case("JR-009")
    void aReferenceStaysWhatItIsInAPlainFunction() {
        world(4).run(self -> {
            RRef<Tensor> rref =
                    self.rpc().remote(self.next(), ScriptFunctions::addOne, Tensor.ones(2, 2));
            Tensor value =
                    self.rpc()
                            .script()
                            .call(Call.to(ReferenceFunctions::toHereThroughPlain).args(rref));
            Expect.tensor(Tensor.full(2.0, 2, 2), value);
        });
    }

    @Case("JR-010")
    void aFutureIsTheSameInScriptAndPlainCode() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            Script script = rpc.script();
            Tensor ones = Tensor.of(1L, 1L);
            Tensor twos = Tensor.of(2L, 2L);
            Tensor tens = Tensor.of(10L, 10L);
            RpcFuture<Tensor> begun =
                    rpc.rpcAsync(self.next(), Call.to(ScriptFunctions::twoTwo).args(ones, twos));
            Expect.tensor(tens, script.call(Call.to(ScriptFunctions::await).args(begun)));
            RpcFuture<Tensor> returned =
                    script.call(Call.to(ScriptFunctions::begin).args(self.next(), ones, twos));
            Expect.tensor(tens, returned.join());
        });
    }

    @Case("JR-011")
    void aScriptFunctionWaitsForAFutureOfAPlainFunction() {
        world(4).runOnRank0(self ->
                Expect.tensor(
                        Tensor.full(2.0, 2, 2),
                        self.rpc()
                                .script()
                                .call(Call.to(ScriptFunctions::awaitPlain).args(self.next()))));
    }

    @Case("JR-014")
    void aReferenceThatTheCalleeMadeIsUsedFromPlainAndFromScriptCode() {
        world(4).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RRef<ValueClass> rref =
                    rpc.rpcSync(self.next(), ReferenceFunctions::ownerCreate, self.id());
            assertEquals(self.next(), rref.owner().name());
            int plain =
                    rpc.rpcAsync(
                                    rref.owner().name(),
                                    Call.to(ReferenceFunctions::getValue)
                                            .args(rref)
                                            .kwargs(Map.of()))
                            .join();
            assertEquals(self.id(), plain);
            assertEquals(
                    self.id(), rpc.script().call(Call.to(ReferenceFunctions::askOwner).args(rref)));
        });
    }

    @Case("JR-029")
    void tooManyArgumentsAreRefusedByTheCaller() {
        world(4).run(self -> {
            Rpc rpc = self.rpc();
            Call<Tensor> call = Call.to(ScriptFunctions::one_arg).args(10, 20);
            String text =
                    "one_arg\\(\\) expected at most 1 argument\\(s\\) but received 2"
                            + " argument\\(s\\)\\. Declaration: one_arg\\(Tensor value\\) -> Tensor";
            Expect.failure(
                    IllegalArgumentException.class, text, () -> rpc.rpcSync(self.next(), call));
            Expect.failure(
                    IllegalArgumentException.class, text, () -> rpc.remote(self.next(), call));
            assertEquals("0", rpc.debugInfo().get("num_pending_users"));
        });
    }
}
