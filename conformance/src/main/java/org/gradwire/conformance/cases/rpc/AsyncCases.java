package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cases of asynchronous script functions: their results, and references to these. */
public abstract class AsyncCases extends NestedSuite {
    private static final String WRONG_TYPE =
            "Functions marked @AsyncExecution must return an RpcFuture, but got Tensor";

    /** For subclasses. */
    protected AsyncCases() {}

    @Case("JR-050")
    void anAsyncFunctionMustReturnAFuture() {
        world(4).run(self ->
                Expect.failure(
                        RuntimeException.class,
                        WRONG_TYPE,
                        () ->
                                self.rpc()
                                        .rpcSync(
                                                self.next(),
                                                ScriptFunctions::asyncWithoutFuture,
                                                Tensor.ones(2, 2))));
    }

    @Case("JR-052")
    void aReferenceHoldsTheValueOfTheFuture() {
        world(4).run(self ->
                Expect.tensor(Tensor.full(2.0, 2, 2), remoteAdd(self, Tensor.ones(2, 2)).toHere()));
    }

    @Case("JR-053")
    void manyReferencesToFuturesAreFilledSideBySide() {
        world(4).run(self -> {
            List<RRef<Tensor>> results = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                results.add(remoteAdd(self, Tensor.ones(2, 2).mul(i)));
            }
            for (int i = 0; i < 20; i++) {
                Expect.tensor(Tensor.ones(2, 2).add(i), results.get(i).toHere());
            }
        });
    }

    @Test
    void anAsyncFunctionMayWaitForAThousandCalls() {
        int count = 1_000;
        world(3).with("gradwire.max-running-calls", "1")
                .runOnRank0(self -> {
                    int sum =
                            self.rpc()
                                    .rpcSync(
                                            self.next(),
                                            RpcFunction.async(CallFunctions::sumOfSquares),
                                            self.name(2),
                                            count);
                    assertEquals((count - 1) * count * (2 * count - 1) / 6, sum);
                });
    }

    @Test
    void aThousandAsyncFunctionsWaitWithoutAThread() {
        int count = 1_000;
        world(2).with("gradwire.max-running-calls", "1")
                .runOnRank0(self -> {
                    Rpc rpc = self.rpc();
                    List<RpcFuture<Integer>> promised = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        promised.add(
                                rpc.rpcAsync(
                                        self.next(), RpcFunction.async(CallFunctions::promise), i));
                    }
                    Expect.eventually(
                            "all functions returned a future",
                            () -> activeAsyncCalls(self) == count);
                    assertEquals(count, rpc.rpcSync(self.next(), CallFunctions::keepPromises));
                    for (int i = 0; i < count; i++) {
                        assertEquals(i, promised.get(i).join());
                    }
                });
    }

    private static int activeAsyncCalls(Rank self) {
        Map<String, String> there = self.rpc().rpcSync(self.next(), CallFunctions::debugInfo);
        return Integer.parseInt(String.valueOf(there.get("agent.server_active_async_calls")));
    }

    @Case("JR-054")
    void aMissingFutureShowsWhenTheReferenceIsRead() {
        world(4).run(self -> {
            RRef<Tensor> result =
                    self.rpc()
                            .remote(
                                    self.next(),
                                    ScriptFunctions::asyncWithoutFuture,
                                    Tensor.ones(2, 2));
            Expect.failure(RuntimeException.class, WRONG_TYPE, result::toHere);
        });
    }

    private static RRef<Tensor> remoteAdd(Rank self, Tensor y) {
        return self.rpc()
                .remote(
                        self.next(),
                        RpcFunction.async(ScriptFunctions::asyncAdd),
                        self.name(2),
                        Tensor.ones(2, 2),
                        y);
    }

    @Case("JR-051")
    void anAsynchronousHandleOfAPlainFunctionDoesNotMakeAScriptOfIt() {
        world(4).runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RpcFunction.Function1<Integer, Integer> handle =
                    RpcFunction.async(CallFunctions::squareLater);
            assertEquals(9, rpc.rpcSync(self.next(), handle, 3));
            Call<Integer> call = Call.to(handle).args(3);
            String text = "a script may call only script functions and operators";
            Expect.failure(IllegalArgumentException.class, text, () -> rpc.script().call(call));
            Expect.failure(IllegalArgumentException.class, text, () -> rpc.script().fork(call));
        });
    }
}
