package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.conformance.functions.AutogradFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;

/** Backward passes that cannot be. */
public abstract class BackwardErrorCases extends AutogradSuite {

    /** For subclasses. */
    protected BackwardErrorCases() {}

    @Case("DA-070")
    void withoutAContext() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    Tensor sum = rpc.rpcSync(self.roundRobin(), Ops::add, a, b);
                    assertClose(a.detach().add(b.detach()), sum.detach());
                    assertFails(
                            RpcException.class,
                            "Could not find autograd context with id: 100",
                            () -> DistAutograd.backward(rpc, 100L, List.of(sum.sum()), false));
                });
    }

    @SuppressWarnings("NullAway") // nulls are what this is about
    @Case("DA-072")
    void withArgumentsThatMakeNoSense() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        long id = context.id();
                        assertFails(
                                TypeMismatchException.class,
                                "incompatible function arguments",
                                () -> DistAutograd.backward(rpc, id, null, false));
                        assertFails(
                                TypeMismatchException.class,
                                "incompatible function arguments",
                                () -> DistAutograd.backward(rpc, null, null, false));
                        assertRefused(context, "No tensors provided for gradient computation");
                        assertRefused(
                                context, "requires_grad not set on", random(self, 1).detach());
                        assertRefused(
                                context,
                                "is not a scalar, all roots need to be scalar",
                                random(self, 1));
                        assertRefused(
                                context,
                                "does not have a valid gradient function",
                                Tensor.rand(new SplittableRandom(self.id()), 1).requiresGrad(true));
                    }
                });
    }

    private static void assertRefused(AutogradContext context, String pattern, Tensor... roots) {
        assertFails(RpcException.class, pattern, () -> context.backward(false, List.of(roots)));
        assertEquals(0, context.gradients().size());
    }

    @Case("DA-078")
    void anErrorTwoHopsAwayReachesTheCaller() {
        world(WORLD_SIZE)
                .run(self -> {
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        String callee = self.roundRobin();
                        Tensor loss =
                                self.rpc()
                                        .rpcSync(
                                                callee,
                                                AutogradFunctions::nestedFailsBackward,
                                                random(self, 1),
                                                random(self, 2),
                                                self.roundRobin())
                                        .sum();
                        assertFails(
                                RpcException.class,
                                "Simulate error on backward pass",
                                () -> context.backward(loss));
                    }
                });
    }
}
