package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.AutogradOps;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.CaseSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Distributed autograd from script functions. */
public abstract class ScriptAutogradCases extends CaseSuite {

    /** For subclasses. */
    protected ScriptAutogradCases() {}

    /** A way to run a backward pass from a script. */
    @FunctionalInterface
    private interface Backward {
        void run(long contextId, Tensor loss);
    }

    @Case("JD-002")
    void aScriptFunctionMayRunABackwardPass() {
        FunctionSchema schema = FunctionSchema.of(Call.run(AutogradOps::distBackward).function());
        assertTrue(schema.name().contains("dist_backward"), schema.name());
        world(4).runOnRank0(self -> {
            backward(
                    self,
                    (id, loss) ->
                            self.rpc()
                                    .script()
                                    .call(Call.run(ScriptFunctions::distBackward).args(id, loss)));
            backward( // the operator itself; its last argument has a default
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
            Tensor t1 = Tensor.rand(new Random(1), 3, 3).requiresGrad(true);
            Tensor t2 = Tensor.rand(new Random(2), 3, 3).requiresGrad(true);
            Tensor loss = self.rpc().rpcSync(self.next(), Ops::add, t1, t2).sum();
            backward.run(context.id(), loss);
            Map<Tensor, Tensor> gradients = context.gradients();
            assertEquals(2, gradients.size());
            Expect.tensor(Tensor.ones(3, 3), Objects.requireNonNull(gradients.get(t1)));
            Expect.tensor(Tensor.ones(3, 3), Objects.requireNonNull(gradients.get(t2)));
        }
    }
}
