package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Cases of SMART backward passes, which PyTorch describes but does not implement. FAST mode would
 * wait forever, or until a timeout, in each of them.
 */
public abstract class SmartCases extends AutogradSuite {

    /** For subclasses. */
    protected SmartCases() {}

    /** The inverse of DA-067. */
    @Case("SM-001")
    void anUnusedResultNeitherHangsNorCostsAGradient() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    List<@Nullable Tensor> expected =
                            localGradients(List.of(a.mul(b).sum()), List.of(a, b));
                    for (Mode mode : List.of(Mode.SYNC, Mode.ASYNC, Mode.REMOTE)) {
                        try (AutogradContext context = DistAutograd.context(self.rpc())) {
                            mode.run(self.rpc(), self.roundRobin(), Ops::add, a, b);
                            context.backward(BackwardOptions.smart(), a.mul(b).sum());
                            assertGradients(context, expected, List.of(a, b));
                        }
                    }
                });
    }

    @Case("SM-002")
    void circlesOfWorkersAreFollowedToTheirEnd() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    int hops = 2 * WORLD_SIZE + 1;
                    Tensor local =
                            SmartFunctions.circleHere(a, b, hops)
                                    .add(SmartFunctions.circleHere(b, a, 0));
                    List<@Nullable Tensor> expected =
                            localGradients(List.of(local.sum()), List.of(a, b));
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        Tensor far = circle(self, self.next(), a, b, hops);
                        Tensor own = circle(self, self.name(), b, a, 0);
                        context.backward(BackwardOptions.smart(), far.add(own).sum());
                        assertGradients(context, expected, List.of(a, b));
                    }
                });
    }

    private static Tensor circle(Rank self, String to, Tensor a, Tensor b, int hops) {
        return self.rpc().rpcSync(to, SmartFunctions::circle, a, b, hops);
    }

    @Case("SM-003")
    void leavesElsewhereGetGradientsOnlyWhenTheRootsDependOnThem() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor used = rpc.rpcSync(self.name(1), SmartFunctions::timesGlobal, a);
                        Tensor unused = rpc.rpcSync(self.name(2), SmartFunctions::timesGlobal, a);
                        context.backward(BackwardOptions.smart().retainGraph(), used.sum());
                        assertEquals(1, gradientsAt(self, 1, context));
                        assertEquals(0, gradientsAt(self, 2, context));
                        assertGradients(context, List.of(Tensor.ones(3, 3)), List.of(a));

                        context.backward(BackwardOptions.smart(), unused.sum());
                        assertEquals(1, gradientsAt(self, 1, context));
                        assertEquals(1, gradientsAt(self, 2, context));
                        assertGradients(context, List.of(Tensor.ones(3, 3).mul(2)), List.of(a));
                    }
                });
    }

    private static int gradientsAt(Rank self, int distance, AutogradContext context) {
        return self.rpc().rpcSync(self.name(distance), SmartFunctions::gradients, context.id());
    }

    @Case("SM-004")
    void severalRootsOfOnePass() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    List<@Nullable Tensor> expected =
                            localGradients(
                                    List.of(a.mul(b).sum(), a.mul(b).mul(a).sum(), a.add(b).sum()),
                                    List.of(a, b));
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor product =
                                rpc.rpcSync(
                                        self.roundRobin(), SmartFunctions::wastefulProduct, a, b);
                        Tensor again = rpc.rpcSync(self.roundRobin(), Ops::mul, product, a);
                        rpc.rpcSync(self.roundRobin(), Ops::mul, again, product);
                        context.backward(
                                BackwardOptions.smart(),
                                product.sum(),
                                again.sum(),
                                a.add(b).sum());
                        assertGradients(context, expected, List.of(a, b));
                    }
                });
    }

    @Case("SM-005")
    void theContextCanBeUsedAgainAfterAnError() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    List<@Nullable Tensor> expected =
                            localGradients(List.of(a.mul(b).sum()), List.of(a, b));
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor good =
                                rpc.rpcSync(
                                        self.roundRobin(), SmartFunctions::wastefulProduct, a, b);
                        Tensor bad =
                                rpc.rpcSync(
                                        self.roundRobin(),
                                        SimulatedError::nestedFailsBackward,
                                        a,
                                        b,
                                        self.roundRobin());
                        for (int i = 0; i < 3; i++) {
                            assertFails(
                                    RpcException.class,
                                    "Error on Node [0-9]+: .*Simulate error on backward pass",
                                    () ->
                                            context.backward(
                                                    BackwardOptions.smart().retainGraph(),
                                                    bad.sum()));
                        }
                        assertNull(context.gradients().get(a));
                        context.backward(BackwardOptions.smart(), good.sum());
                        assertGradients(context, expected, List.of(a, b));
                    }
                });
    }

    @Case("SM-006")
    void fromTheValueOfAReference() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    List<@Nullable Tensor> expected =
                            localGradients(List.of(a.mul(b).sum()), List.of(a, b));
                    try (AutogradContext context = DistAutograd.context(rpc);
                            RRef<Tensor> product =
                                    rpc.remote(
                                            self.roundRobin(),
                                            SmartFunctions::wastefulProduct,
                                            a,
                                            b);
                            RRef<Tensor> loss =
                                    rpc.remote(
                                            product.owner().name(),
                                            SmartFunctions::sumOf,
                                            product)) {
                        context.backward(BackwardOptions.smart(), loss);
                        assertGradients(context, expected, List.of(a, b));
                    }
                });
    }

    @Case("SM-007")
    void passesOfDifferentContextsRunSideBySide() {
        world(WORLD_SIZE)
                .run(self -> {
                    List<CompletableFuture<Void>> ends = new ArrayList<>();
                    for (int i = 0; i < 8; i++) {
                        ends.add(
                                CompletableFuture.runAsync(
                                        () -> trainAlone(self.rpc(), self.next()),
                                        task -> Thread.ofPlatform().start(task)));
                    }
                    ends.forEach(CompletableFuture::join);
                });
    }

    private static void trainAlone(Rpc rpc, String to) {
        try (AutogradContext context = DistAutograd.context(rpc)) {
            Tensor a = ones();
            for (int pass = 1; pass <= 5; pass++) {
                Tensor product = rpc.rpcSync(to, SmartFunctions::wastefulProduct, a, a);
                context.backward(BackwardOptions.smart(), product.sum());
                assertGradients(context, List.of(Tensor.ones(3, 3).mul(2 * pass)), List.of(a));
            }
        }
    }

    @Case("SM-008")
    void anyWorkerOfTheContextMayBeginAPass() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor a = random(self, 1);
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor unused = rpc.rpcSync(self.name(1), Ops::mul, a, a);
                        for (int distance = 1; distance < WORLD_SIZE; distance++) {
                            rpc.runSync(
                                    self.name(distance),
                                    SmartFunctions::backwardFromHere,
                                    a,
                                    self.name(distance + 1));
                            assertGradients(
                                    context, List.of(Tensor.ones(3, 3).mul(distance)), List.of(a));
                        }
                        context.backward(BackwardOptions.smart(), unused.sum());
                        assertGradients(
                                context,
                                Arrays.asList(a.detach().mul(2).add(Tensor.ones(3, 3).mul(3))),
                                List.of(a));
                    }
                });
    }
}
