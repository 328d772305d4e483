package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.Edge;
import org.gradwire.autograd.Node;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Cases of backward passes with sparse tensors and gradients. */
public abstract class SparseBackwardCases extends AutogradSuite {
    private static final List<Mode> CALLS = List.of(Mode.SYNC, Mode.REMOTE);

    /** For subclasses. */
    protected SparseBackwardCases() {}

    private static Tensor sparse() {
        return AutogradFunctions.sparse();
    }

    @Case("DA-016")
    void gradOfSparseTensorsIsLeftAlone() {
        world(WORLD_SIZE).run(self -> leftAlone(self, Mode.SYNC));
    }

    @Case("DA-017")
    void gradOfSparseTensorsIsLeftAloneByRemoteCalls() {
        world(WORLD_SIZE).run(self -> leftAlone(self, Mode.REMOTE));
    }

    private static void leftAlone(Rank self, Mode mode) throws Exception {
        Tensor a = sparse();
        Tensor b = sparse();
        try (AutogradContext context = DistAutograd.context(self.rpc())) {
            Tensor loss = mode.run(self.rpc(), self.roundRobin(), Ops::add, a, b).sum();
            context.backward(BackwardOptions.fast().retainGraph(), loss);
            assertNull(a.grad());
            assertNull(b.grad());
            a.add(b).sum().backward();
            Tensor first = copy(a.grad());
            Tensor second = copy(b.grad());
            context.backward(loss);
            assertTrue(first.equal(copy(a.grad())));
            assertTrue(second.equal(copy(b.grad())));
        }
    }

    private static Tensor copy(@Nullable Tensor gradient) {
        assertNotNull(gradient);
        return gradient.copy();
    }

    @Case("DA-018")
    void sparseSumOnAnotherWorker() {
        world(WORLD_SIZE).run(self -> simple(self, self.roundRobin()));
    }

    @Case("DA-019")
    void sparseSumOnTheSameWorker() {
        world(WORLD_SIZE).run(self -> simple(self, self.name()));
    }

    private static void simple(Rank self, String to) throws Exception {
        Tensor a = sparse();
        Tensor ones = Tensor.sparseCoo(a.heldIndices(), Tensor.ones(3), 3, 3);
        compareModes(self, to, Ops::add, List.of(a, sparse()), CALLS, List.of(ones, ones));
    }

    /** V for a binary function, in several call modes. */
    private static void compareModes(
            Rank self,
            String to,
            Function2<Tensor, Tensor, Tensor> function,
            List<Tensor> args,
            List<Mode> modes,
            @Nullable List<Tensor> wanted)
            throws Exception {
        Rpc rpc = self.rpc();
        Tensor a = args.getFirst();
        Tensor b = args.getLast();
        List<@Nullable Tensor> expected =
                localGradients(List.of(Mode.LOCAL.run(rpc, to, function, a, b).sum()), args);
        for (int i = 0; i < args.size(); i++) {
            Tensor gradient = copy(expected.get(i));
            assertTrue(gradient.isSparse());
            assertFalse(gradient.isCoalesced());
            assertEquals(args.get(i).dtype(), gradient.dtype());
            if (wanted != null) {
                assertTrue(wanted.get(i).equal(gradient), gradient::toString);
            }
        }
        for (Mode mode : modes) {
            try (AutogradContext context = DistAutograd.context(rpc)) {
                Tensor loss = mode.run(rpc, to, function, a, b).sum();
                verify(context, List.of(loss), expected, args);
            }
        }
    }

    @Case("DA-020")
    void manyWorkersUseSparseReferencesOfOne() {
        world(WORLD_SIZE)
                .run(self -> {
                    if (self.id() > 0) {
                        ReferenceBackwardCases.throughReference(
                                self, "worker0", "worker0", AutogradFunctions::sparse, sparse());
                    }
                });
    }

    @Case("DA-021")
    void throughASparseReferenceOfTheCallee() {
        world(WORLD_SIZE)
                .run(self -> {
                    String callee = self.roundRobin();
                    ReferenceBackwardCases.throughReference(
                            self, callee, callee, AutogradFunctions::sparse, sparse());
                });
    }

    @Case("DA-022")
    void throughASparseReferenceOfAThirdWorker() {
        world(WORLD_SIZE)
                .run(self ->
                        ReferenceBackwardCases.throughReference(
                                self,
                                self.name(1),
                                self.name(2),
                                AutogradFunctions::sparse,
                                sparse()));
    }

    @Case("DA-023")
    void trainersLeaveTheirSparseGradientsWithTheServer() {
        world(WORLD_SIZE)
                .run(self ->
                        ReferenceBackwardCases.train(self, AutogradFunctions::sparse, sparse()));
    }

    @Case("DA-024")
    void manySparseRoundTripsThroughDifferentWorkers() {
        world(WORLD_SIZE)
                .run(self -> {
                    List<Tensor> args =
                            List.of(
                                    sparse(),
                                    sparse().requiresGrad(false),
                                    sparse(),
                                    sparse().requiresGrad(false),
                                    sparse());
                    List<@Nullable Tensor> expected =
                            localGradients(List.of(roundTrips(self, Mode.LOCAL, args)), args);
                    assertEquals(
                            List.of(true, false, true, false, true),
                            expected.stream().map(gradient -> gradient != null).toList());
                    for (Mode mode : CALLS) {
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
        Tensor one = BackwardCases.stack(self, mode, args.get(3), value);
        Tensor two = BackwardCases.stack(self, mode, args.get(4), value);
        value = mode.run(rpc, self.roundRobin(), Ops::mul, one, two);
        value = mode.run(rpc, self.roundRobin(), Ops::mul, value, value);
        return value.sum();
    }

    @Case("DA-025")
    void sparseTensorsOfDifferentTypes() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor wide = AutogradFunctions.sparse(DType.FLOAT64);
                    assertEquals(DType.FLOAT64, sparse().add(wide).sum().dtype());
                    compareModes(
                            self,
                            self.roundRobin(),
                            Ops::add,
                            List.of(sparse(), wide),
                            List.of(Mode.REMOTE),
                            null);
                });
    }

    @Case("DA-026")
    void scriptFunctionsOfSparseTensors() {
        world(WORLD_SIZE)
                .run(self ->
                        compareModes(
                                self,
                                self.roundRobin(),
                                AutogradFunctions::scriptAdd,
                                List.of(sparse(), sparse()),
                                List.of(Mode.SYNC, Mode.ASYNC, Mode.REMOTE),
                                null));
    }

    @Case("DA-027")
    void sparseGradientsAccumulateOverNestedCalls() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = sparse();
                    Tensor twos = Tensor.sparseCoo(a.heldIndices(), Tensor.full(2f, 3), 3, 3);
                    accumulateNested(self, a, sparse(), twos);
                });
    }

    @Case("DA-028")
    void aNestedCallAmongOtherOperatorsOfSparseTensors() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = sparse();
                    Tensor b = sparse();
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

    @Case("DA-029")
    void theCalleeSeesWhichSparseTensorsRequireGradients() {
        world(WORLD_SIZE)
                .run(self -> {
                    for (Mode mode : CALLS) {
                        Tensor a = sparse();
                        Tensor b = sparse().requiresGrad(false);
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

    @Case("DA-030")
    void manyPassesDoNotLetSparseGradientsGrow() {
        world(WORLD_SIZE)
                .run(self -> {
                    int count = 1000;
                    Tensor a = sparse();
                    Tensor all =
                            Tensor.sparseCoo(a.heldIndices(), Tensor.full((float) count, 3), 3, 3);
                    Map<Tensor, Tensor> gradients = passes(self, count, a, sparse(), all);
                    assertTrue(copy(gradients.get(a)).nnz() <= 6);
                });
    }

    @Case("DA-031")
    void embeddingBagWithTensorsThatRequireNoGradient() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    Tensor indices = Tensor.of(1L, 2, 4, 5, 4, 3, 2, 9);
                    Tensor offsets = Tensor.of(0L, 4);
                    Tensor perSample =
                            Tensor.rand(new SplittableRandom(self.id()), 8).requiresGrad(true);
                    Tensor weight = AutogradFunctions.randomWeight(self.id());
                    Tensor local =
                            Ops.embeddingBag(weight, indices, offsets, "sum", perSample, true)
                                    .sum();
                    local.backward(true);
                    local.backward();
                    String owner = self.roundRobin();
                    try (AutogradContext context = DistAutograd.context(rpc);
                            RRef<Tensor> remote =
                                    rpc.remote(owner, AutogradFunctions::randomWeight, 100L)) {
                        Tensor loss =
                                rpc.rpcSync(
                                                owner,
                                                AutogradFunctions::embeddingBag,
                                                remote,
                                                indices,
                                                offsets,
                                                perSample)
                                        .sum();
                        context.backward(BackwardOptions.fast().retainGraph(), loss);
                        context.backward(loss);
                        Tensor gradient =
                                rpc.rpcSync(
                                        owner, AutogradFunctions::gradientOf, context.id(), remote);
                        assertTrue(gradient.isSparse());
                        assertClose(copy(weight.grad()), gradient);
                    }
                });
    }

    /** An identity node that keeps views of its gradient. */
    private static final class Keeping extends Node {
        private @Nullable Tensor indices;
        private @Nullable Tensor values;

        Keeping(Tensor input) {
            super(List.of(Edge.of(input)));
        }

        @Override
        public String name() {
            return "NonContiguousGradBackward";
        }

        @Override
        protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
            Tensor gradient = gradients[0];
            assertNotNull(gradient);
            indices = gradient.heldIndices();
            values = gradient.heldValues();
            return gradients;
        }
    }

    @Case("DA-091")
    void viewsOfASparseGradientsPartsDoNotKeepItFromBeingStolen() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a =
                            Tensor.randn(new SplittableRandom(self.id()), 10, 3).requiresGrad(true);
                    var keeping = new Keeping(a);
                    Tensor alias = a.detach();
                    keeping.attach(alias);
                    Tensor indices = Tensor.of(1L, 2, 4, 5, 4, 3, 2, 9);
                    Tensor loss =
                            Ops.embeddingBag(alias, indices, Tensor.of(0L, 4), "sum", null, true)
                                    .sum();
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        context.backward(BackwardOptions.fast().retainGraph(), loss);
                        Tensor stored = context.gradients().get(a);
                        assertNotNull(stored);
                        assertNotNull(keeping.values);
                        assertNotNull(keeping.indices);
                        assertTrue(keeping.values.sharesStorage(stored.heldValues()));
                        assertTrue(keeping.indices.sharesStorage(stored.heldIndices()));
                    }
                });
    }
}
