package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.AutogradOps;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.RemoteFunctions;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.Script;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Cases of distributed autograd from script functions. */
public abstract class ScriptAutogradCases extends NestedSuite {

    /** For subclasses. */
    protected ScriptAutogradCases() {}

    /** A way to run a backward pass from a script. */
    @FunctionalInterface
    private interface Backward {
        void run(long contextId, Tensor loss);
    }

    @Case("JD-001")
    void aScriptFunctionMayAskForGradients() {
        FunctionSchema schema =
                RemoteFunctions.schema(Call.to(AutogradOps::getGradients).function());
        assertTrue(schema.name().contains("get_gradients"), schema.name());
        world(4).run(self -> {
            Tensor t1 = random(1, 3, 3);
            Tensor t2 = random(2, 3, 3);
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                context.backward(t1.add(t2).sum());
                Script script = self.rpc().script();
                Tensor ones = Tensor.ones(3, 3);
                expectGradients(
                        script.call(Call.to(ScriptGradients::gradients).args(context.id())),
                        Map.of(t1, ones, t2, ones));
                expectGradients( // calls the operator directly
                        script.call(Call.to(AutogradOps::getGradients).args(context.id())),
                        Map.of(t1, ones, t2, ones));
            }
        });
    }

    private static Tensor random(long seed, int... shape) {
        return Tensor.rand(new Random(seed), shape).requiresGrad(true);
    }

    /** Assert the gradients; tensors are equal by identity only. */
    private static void expectGradients(
            Map<Tensor, Tensor> gradients, Map<Tensor, Tensor> expected) {
        assertEquals(expected.keySet(), gradients.keySet());
        expected.forEach((tensor, gradient) ->
                Expect.tensor(gradient, Objects.requireNonNull(gradients.get(tensor))));
    }

    @Case("JD-002")
    void aScriptFunctionMayRunABackwardPass() {
        FunctionSchema schema =
                RemoteFunctions.schema(Call.run(AutogradOps::distBackward).function());
        assertTrue(schema.name().contains("dist_backward"), schema.name());
        world(4).runOnRank0(self -> {
            backward(
                    self,
                    (id, loss) ->
                            self.rpc()
                                    .script()
                                    .call(Call.run(ScriptFunctions::distBackward).args(id, loss)));
            backward( // calls the operator directly
                    self,
                    (id, loss) ->
                            self.rpc()
                                    .script()
                                    .call(
                                            Call.run(AutogradOps::distBackward)
                                                    .args(id, List.of(loss))));
        });
    }

    private static void backward(Rank self, Backward backward) {
        try (AutogradContext context = DistAutograd.context(self.rpc())) {
            Tensor t1 = random(1, 3, 3);
            Tensor t2 = random(2, 3, 3);
            Tensor loss = self.rpc().rpcSync(self.next(), Ops::add, t1, t2).sum();
            backward.run(context.id(), loss);
            Tensor ones = Tensor.ones(3, 3);
            expectGradients(context.gradients(), Map.of(t1, ones, t2, ones));
        }
    }

    @Case("JD-003")
    void aForkedTaskIsInTheContextOfWhoForkedIt() {
        world(4).run(self -> {
            Tensor t1 = random(1, 3, 3);
            Tensor t2 = random(2, 3, 3);
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                Tensor sum =
                        self.rpc()
                                .script()
                                .call(
                                        Call.to(ScriptGradients::forkAddOn)
                                                .args(self.next(), t1, t2));
                assertEquals(1, context.sendFunctions().size());
                assertEquals(1, context.recvFunctions().size());
                context.backward(sum.sum());
                Tensor ones = Tensor.ones(3, 3);
                expectGradients(context.gradients(), Map.of(t1, ones, t2, ones));
            }
        });
    }

    @Case("JD-004")
    void scriptCodeIsStillInTheContextAfterItHasWaited() {
        world(4).runOnRank0(self -> {
            expectSumsInOneContext(self, ScriptGradients::sumsInTurn);
            expectSumsInOneContext(self, ScriptGradients::forkSumsInTurn);
        });
    }

    private static void expectSumsInOneContext(
            Rank self, Function3<String, Tensor, Tensor, List<Tensor>> function) {
        Tensor t1 = Tensor.ones(2, 3).requiresGrad(true);
        Tensor t2 = Tensor.ones(2, 3).requiresGrad(true);
        try (AutogradContext context = DistAutograd.context(self.rpc())) {
            List<Tensor> sums =
                    self.rpc().script().call(Call.to(function).args(self.next(), t1, t2));
            assertEquals(2, context.sendFunctions().size());
            context.backward(sums.toArray(Tensor[]::new));
            Tensor twos = Tensor.full(2f, 2, 3);
            expectGradients(context.gradients(), Map.of(t1, twos, t2, twos));
        }
    }
}
