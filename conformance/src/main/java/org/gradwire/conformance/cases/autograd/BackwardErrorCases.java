package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/** Cases of backward passes that fail. */
public abstract class BackwardErrorCases extends AutogradSuite {

    /** For subclasses. */
    protected BackwardErrorCases() {}

    @Case("DA-054")
    void aCallThatFailsDoesNotKeepItsContextFromBeingLeft() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    long id;
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        id = context.id();
                        Tensor a = random(self, 1);
                        Tensor b = random(self, 2, 6, 6);
                        assertThrows(
                                RuntimeException.class,
                                () -> rpc.rpcSync(self.roundRobin(), Ops::matmul, a, b));
                        assertEquals(1, context.sendFunctions().size());
                        assertEquals(List.of(), context.recvFunctions());
                    }
                    assertFalse(ContextGate.isKnown(rpc, id));
                });
    }

    @Case("DA-068")
    void anErrorOfTheCallersOwnGraphAfterManyHops() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor sum = a.add(b);
                        Tensor value = SimulatedError.of(rpc).apply(sum.mul(sum));
                        value = rpc.rpcSync(self.roundRobin(), Ops::add, b, value);
                        value = rpc.rpcSync(self.roundRobin(), Ops::mul, value, b);
                        value = rpc.rpcSync(self.roundRobin(), Ops::matmul, value, b);
                        Tensor loss = rpc.rpcSync(self.roundRobin(), Ops::div, value, b).sum();
                        assertFails(
                                RpcException.class,
                                "Error on Node [0-9]+: Simulate error on backward pass",
                                () -> context.backward(loss));
                    }
                });
    }

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
                            () -> DistAutograd.lookup(rpc, 100).backward(sum.sum()));
                });
    }

    @SuppressWarnings("NullAway") // passes null on purpose
    @Case("DA-072")
    void withArgumentsThatMakeNoSense() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        assertFails(
                                TypeMismatchException.class,
                                "the roots of a backward pass must be tensors, but the array is null",
                                () -> context.backward((Tensor[]) null));
                        assertRefused(context, "No tensors provided for gradient computation");
                        assertRefused(
                                context,
                                "a root of a backward pass must require a gradient",
                                random(self, 1).detach());
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
        assertFails(RpcException.class, pattern, () -> context.backward(roots));
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
                                                SimulatedError::nestedFailsBackward,
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

    @Case("DA-088")
    void passesThatFailedLeaveTheGraphToThoseThatDoNot() {
        var done = new CountDownLatch(WORLD_SIZE);
        world(WORLD_SIZE)
                .withoutGracefulShutdown()
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        String to = self.roundRobin();
                        Tensor loss = rpc.rpcSync(to, SimulatedError::failsBackward, a, b).sum();
                        for (int i = 0; i < 50; i++) {
                            assertFails(
                                    RpcException.class,
                                    "Simulate error on backward pass",
                                    () ->
                                            context.backward(
                                                    BackwardOptions.fast().retainGraph(), loss));
                        }
                        assertEquals(Map.of(), context.gradients());
                        barrier(self);
                        SimulatedError.of(rpc).on(false);
                        barrier(self);
                        assertPassesSucceed(context, loss, a, b, 49);
                        meet(done);
                        SimulatedError.of(rpc).on(true);
                    }
                });
    }

    private static void assertPassesSucceed(
            AutogradContext context, Tensor loss, Tensor a, Tensor b, int count) {
        Tensor sum = a.add(b);
        Tensor local = Ops.multiDot(List.of(a, b, sum, sum)).sum();
        for (int i = 0; i < count; i++) {
            context.backward(BackwardOptions.fast().retainGraph(), loss);
            local.backward(true);
        }
        assertGradients(context, Arrays.asList(a.grad(), b.grad()), List.of(a, b));
    }
}
