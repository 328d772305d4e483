package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

import java.util.Arrays;
import java.util.List;

/** Cases of backward passes: their gradients equal those of the same program in one process. */
@Tag("quick")
public abstract class BackwardCases extends AutogradSuite {

    /** For subclasses. */
    protected BackwardCases() {}

    @Case("DA-055")
    void gradOfTensorsIsLeftAlone() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        Tensor loss = self.rpc().rpcSync(self.roundRobin(), Ops::add, a, b).sum();
                        context.backward(BackwardOptions.fast().retainGraph(), loss);
                        assertNull(a.grad());
                        assertNull(b.grad());

                        List<@Nullable Tensor> local =
                                localGradients(List.of(a.add(b).sum()), List.of(a, b));
                        List<Tensor> before =
                                List.of(copy(local.getFirst()), copy(local.getLast()));
                        context.backward(loss);
                        assertTrue(before.getFirst().equal(copy(a.grad())));
                        assertTrue(before.getLast().equal(copy(b.grad())));
                    }
                });
    }

    private static Tensor copy(@Nullable Tensor gradient) {
        if (gradient == null) {
            throw new AssertionError("no gradient");
        }
        return gradient.copy();
    }

    @Case("DA-056")
    void sumOnAnotherWorker() {
        world(WORLD_SIZE).run(self -> simple(self, self.roundRobin()));
    }

    @Case("DA-057")
    void sumOnTheSameWorker() {
        world(WORLD_SIZE)
                .run(self -> {
                    simple(self, self.name());
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        Tensor sum =
                                self.rpc().rpcSync(self.name(), Ops::add, random(self, 1), ones());
                        assertEquals(2, context.sendFunctions().size());
                        assertEquals(2, context.recvFunctions().size());
                        context.backward(sum.sum());
                    }
                });
    }

    private static void simple(Rank self, String to) throws Exception {
        Rpc rpc = self.rpc();
        Tensor a = random(self, 1);
        Tensor b = random(self, 2);
        List<Tensor> args = List.of(a, b);
        List<@Nullable Tensor> expected =
                localGradients(List.of(Mode.LOCAL.run(rpc, to, Ops::add, a, b).sum()), args);
        for (@Nullable Tensor gradient : expected) {
            assertClose(Tensor.ones(3, 3), gradient);
        }
        for (Mode mode : List.of(Mode.SYNC, Mode.REMOTE)) {
            try (AutogradContext context = DistAutograd.context(rpc)) {
                Tensor loss = mode.run(rpc, to, Ops::add, a, b).sum();
                verify(context, List.of(loss), expected, args);
            }
        }
    }

    @Case("DA-063")
    void manyRoundTripsThroughDifferentWorkers() {
        world(WORLD_SIZE)
                .run(self -> {
                    List<Tensor> args =
                            List.of(
                                    random(self, 1),
                                    random(self, 2).detach(),
                                    random(self, 3),
                                    random(self, 4).detach(),
                                    random(self, 5));
                    List<@Nullable Tensor> expected =
                            localGradients(List.of(roundTrips(self, Mode.LOCAL, args)), args);
                    assertEquals(
                            List.of(true, false, true, false, true),
                            expected.stream().map(gradient -> gradient != null).toList());
                    for (Mode mode : List.of(Mode.SYNC, Mode.REMOTE)) {
                        try (AutogradContext context = DistAutograd.context(self.rpc())) {
                            verify(context, List.of(roundTrips(self, mode, args)), expected, args);
                        }
                    }
                });
    }

    private static Tensor roundTrips(Rank self, Mode mode, List<Tensor> args) throws Exception {
        Rpc rpc = self.rpc();
        Tensor value = mode.run(rpc, self.roundRobin(), Ops::add, args.get(0), args.get(1));
        value = mode.run(rpc, self.roundRobin(), Ops::mul, args.get(2), value);
        Tensor one = stack(self, mode, args.get(3), value);
        Tensor two = stack(self, mode, args.get(4), value);
        value = mode.run(rpc, self.roundRobin(), Ops::bmm, one, two);
        value = mode.run(rpc, self.roundRobin(), Ops::matmul, value, value);
        return value.sum();
    }

    static Tensor stack(Rank self, Mode mode, Tensor a, Tensor b) throws Exception {
        return mode.run(self.rpc(), self.roundRobin(), Ops::stack, List.of(a, b), 0);
    }

    @Case("DA-071")
    void aPassWithoutCallsFillsTheContext() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        Tensor ones = Tensor.ones(3, 3);
                        verify(
                                context,
                                List.of(a.add(b).sum()),
                                List.of(ones, ones),
                                List.of(a, b));
                        assertNull(a.grad());
                        assertNull(b.grad());
                    }
                });
    }

    @Case("DA-073")
    void severalRootsOfOnePass() {
        world(WORLD_SIZE)
                .run(self -> {
                    List<Tensor> args = List.of(random(self, 1), random(self, 2));
                    List<@Nullable Tensor> expected =
                            localGradients(roots(self, Mode.LOCAL, args), args);
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        verify(context, roots(self, Mode.SYNC, args), expected, args);
                    }
                });
    }

    private static List<Tensor> roots(Rank self, Mode mode, List<Tensor> args) throws Exception {
        Rpc rpc = self.rpc();
        String to = self.roundRobin();
        Tensor a = args.getFirst();
        Tensor b = args.getLast();
        return List.of(
                mode.run(rpc, to, Ops::add, a, b).sum(),
                mode.run(rpc, to, Ops::mul, a, b).sum(),
                mode.run(rpc, to, Ops::cos, a).sum(),
                mode.run(rpc, to, Ops::div, a, b).sum());
    }

    @Case("DA-080")
    void aNestedCallAmongOtherOperators() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    Tensor product = a.mul(b);
                    Tensor sum = a.add(b);
                    Tensor local = a.mul(b).mul(product).mul(sum).mul(product.add(sum)).sum();
                    List<@Nullable Tensor> expected = localGradients(List.of(local), List.of(a, b));
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        String first = self.roundRobin();
                        Tensor loss =
                                self.rpc()
                                        .rpcSync(
                                                first,
                                                AutogradFunctions::productWithNestedSum,
                                                a,
                                                b,
                                                self.roundRobin())
                                        .sum();
                        verify(context, List.of(loss), expected, List.of(a, b));
                    }
                });
    }

    @Case("DA-082")
    void theCalleeSeesWhichTensorsRequireGradients() {
        world(WORLD_SIZE)
                .run(self -> {
                    for (Mode mode : List.of(Mode.SYNC, Mode.REMOTE)) {
                        Tensor a = random(self, 1);
                        Tensor b = random(self, 2).detach();
                        try (AutogradContext context = DistAutograd.context(self.rpc())) {
                            Tensor returned =
                                    mode.run(
                                            self.rpc(),
                                            self.roundRobin(),
                                            AutogradFunctions::mixed,
                                            a,
                                            b);
                            assertClose(a.detach().mul(b), returned.detach());
                            context.backward(returned.sum());
                            assertTrue(a.requiresGrad());
                            assertFalse(b.requiresGrad());
                            assertGradients(context, Arrays.asList(b, null), List.of(a, b));
                        }
                    }
                });
    }

    @Case("DA-085")
    void gradientsAccumulateOverPassesOfAContext() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    Tensor local = a.matmul(b).sum();
                    local.backward(true);
                    local.backward();
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        Tensor loss =
                                self.rpc().rpcSync(self.roundRobin(), Ops::matmul, a, b).sum();
                        context.backward(BackwardOptions.fast().retainGraph(), loss);
                        context.backward(loss);
                        assertGradients(context, Arrays.asList(a.grad(), b.grad()), List.of(a, b));
                    }
                });
    }
}
