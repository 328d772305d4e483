package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.gradwire.conformance.functions.Assorted;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteFailure;
import org.gradwire.rpc.RemoteFunctions;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/** Cases of script functions that call script functions: arguments, defaults and errors. */
public abstract class ScriptCallCases extends NestedSuite {
    private static final List<Function3<String, List<Tensor>, Map<String, Tensor>, Tensor>>
            CALLERS = List.of(ScriptCallers::async, ScriptCallers::sync, ScriptCallers::remote);

    /** For subclasses. */
    protected ScriptCallCases() {}

    @Case("JR-016")
    void defaultsFillAllKeywordArguments() {
        expectOfEachCaller(Map.of(), Tensor.of(10L, 10L));
    }

    @Case("JR-017")
    void defaultsFillTheKeywordArgumentsThatAreMissing() {
        expectOfEachCaller(Map.of("first_kwarg", Tensor.of(2L, 2L)), Tensor.of(9L, 9L));
    }

    @Case("JR-018")
    void defaultsGiveWayToKeywordArguments() {
        expectOfEachCaller(
                Map.of("first_kwarg", Tensor.of(2L, 2L), "second_kwarg", Tensor.of(3L, 3L)),
                Tensor.of(8L, 8L));
    }

    private void expectOfEachCaller(Map<String, Tensor> kwargs, Tensor expected) {
        world(4).runOnRank0(self -> {
            for (var caller : CALLERS) {
                Expect.tensor(expected, run(self, caller, kwargs));
            }
        });
    }

    private static Tensor run(
            Rank self,
            Function3<String, List<Tensor>, Map<String, Tensor>, Tensor> caller,
            Map<String, Tensor> kwargs) {
        List<Tensor> args = List.of(Tensor.of(1L, 1L), Tensor.of(2L, 2L));
        return self.rpc().script().call(Call.of(caller, self.next(), args, kwargs));
    }

    @Case("JR-019")
    void argumentsMayBeOfDifferentTypes() {
        world(4).runOnRank0(self -> {
            Assorted result =
                    self.rpc().script().call(Call.to(ScriptCallers::assorted).args(self.next()));
            Expect.tensor(Tensor.of(4L, 4L), result.tensor());
            assertEquals("str_arg_str_kwarg", result.text());
            assertEquals(4, result.number());
        });
    }

    @Case("JR-020")
    void keywordArgumentsMayBeLeftOut() {
        world(4).runOnRank0(self ->
                assertEquals(
                        0,
                        self.rpc()
                                .script()
                                .call(Call.to(ScriptCallers::withoutKwargs).args(self.next()))));
    }

    @Case("JR-021")
    void allArgumentsMayBeLeftOut() {
        world(4).runOnRank0(self ->
                assertEquals(
                        0,
                        self.rpc()
                                .script()
                                .call(
                                        Call.to(ScriptCallers::withoutArgsAndKwargs)
                                                .args(self.next()))));
    }

    @Case("JR-022")
    void aMissingArgumentIsRefusedWhenTheCallIsDefined() {
        world(4).runOnRank0(self -> {
            Call<Tensor> call = Call.to(ScriptFunctions::twoTwo).args(Tensor.of(1L, 1L));
            Expect.failure(
                    IllegalArgumentException.class,
                    "Argument second_arg not provided",
                    () -> RemoteFunctions.bind(call));
            assertNothingIsUnderWay(self);
        });
    }

    @Case("JR-023")
    void tooManyArgumentsAreRefusedWhenTheCallIsDefined() {
        world(4).runOnRank0(self -> {
            Tensor t = Tensor.of(1L, 1L);
            Call<Tensor> call = Call.to(ScriptFunctions::twoTwo).args(t, t, t, t, t);
            Expect.failure(
                    IllegalArgumentException.class,
                    "Expected at most 4 arguments but found 5 positional arguments",
                    () -> RemoteFunctions.bind(call));
            assertNothingIsUnderWay(self);
        });
    }

    @Case("JR-024")
    void anUnknownKeywordIsRefusedByTheCallerWhenTheCallIsMade() {
        world(4).runOnRank0(self -> {
            Map<String, Tensor> kwargs = Map.of("third_kwarg", Tensor.of(1L, 1L));
            Tensor t = Tensor.of(1L, 1L);
            RemoteFunctions.bind( // the definition itself is valid
                    Call.to(ScriptFunctions::twoTwo).args(t, t).kwargs(kwargs));
            for (var caller : CALLERS) {
                IllegalArgumentException failure =
                        Expect.failure(
                                IllegalArgumentException.class,
                                "Unknown keyword argument 'third_kwarg' for operator '.*twoTwo'\\. Schema: .*twoTwo\\(",
                                () -> run(self, caller, kwargs));
                assertFalse(failure instanceof RemoteFailure, "the callee received a call");
                assertNothingIsUnderWay(self);
            }
        });
    }

    private static void assertNothingIsUnderWay(Rank self) {
        Map<String, String> info = self.rpc().debugInfo();
        assertEquals("0", info.get("agent.client_active_calls"));
        assertEquals("0", info.get("num_pending_users"));
    }

    @Case("JR-026")
    void theFailureOfARemoteScriptFunctionReachesTheScriptThatWaits() {
        world(4).runOnRank0(self ->
                Expect.failure(
                        RpcException.class,
                        "Expected error",
                        () ->
                                self.rpc()
                                        .script()
                                        .call(Call.to(ScriptCallers::raising).args(self.next()))));
    }

    @Case("JR-028")
    void aScriptFunctionGivesTheSameEverywhere() {
        world(4).run(self -> {
            Tensor ones = Tensor.ones(2, 2);
            Tensor expected = ScriptFunctions.addOne(ones);
            Expect.tensor(expected, self.rpc().rpcSync(self.next(), ScriptFunctions::addOne, ones));
            RRef<Tensor> there = self.rpc().remote(self.next(), ScriptFunctions::addOne, ones);
            Expect.tensor(expected, there.toHere());
            RRef<Tensor> here = self.rpc().remote(self.name(), ScriptFunctions::addOne, ones);
            Expect.tensor(expected, here.toHere());
        });
    }
}
