package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Cases of programs with tensors of many shapes and types, whose calls go to all workers in turn.
 */
public abstract class BackwardProgramCases extends AutogradSuite {
    private static final List<Mode> CALLS = List.of(Mode.SYNC, Mode.REMOTE);

    /** For subclasses. */
    protected BackwardProgramCases() {}

    @Case("DA-064")
    void tensorsOfDifferentDimensions() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1, 4, 6);
                    Tensor b = random(self, 2, 6, 5).detach();
                    Tensor c = random(self, 3, 5, 7);
                    Tensor d = random(self, 4, 7, 9).detach();
                    List<Tensor> args = List.of(a, b, b, c, d);
                    List<@Nullable Tensor> gradients =
                            compare(self, CALLS, args, mode -> chain(self, mode, a, b, c, d));
                    assertEquals(
                            List.of(true, false, false, true, false),
                            gradients.stream().map(gradient -> gradient != null).toList());
                });
    }

    private static Tensor chain(Rank self, Mode mode, Tensor a, Tensor b, Tensor c, Tensor d)
            throws Exception {
        Tensor product = mode.run(self.rpc(), self.roundRobin(), Ops::matmul, a, b);
        return multiply(self, mode, product, c, d);
    }

    private static Tensor multiply(Rank self, Mode mode, Tensor... matrices) throws Exception {
        List<Tensor> all = List.of(matrices);
        return mode.run(self.rpc(), self.roundRobin(), Ops::multiDot, all).sum();
    }

    @Case("DA-065")
    void partsOfAResultThatAreNotUsed() {
        world(WORLD_SIZE)
                .run(self -> {
                    List<Tensor> args = List.of(random(self, 1), random(self, 2), random(self, 3));
                    List<@Nullable Tensor> gradients =
                            compare(self, CALLS, args, mode -> useEnds(self, mode, args));
                    Tensor unused = gradients.get(1);
                    assertNotNull(unused);
                    assertTrue(Tensor.zeros(3, 3).equal(unused), unused::toString);
                });
    }

    private static Tensor useEnds(Rank self, Mode mode, List<Tensor> args) throws Exception {
        Rpc rpc = self.rpc();
        Tensor stacked = mode.run(rpc, self.roundRobin(), Ops::stack, args, 0);
        Tensor first = Ops.narrow(stacked, 0, 0, 1);
        Tensor last = Ops.narrow(stacked, 0, 2, 1);
        return mode.run(rpc, self.roundRobin(), Ops::matmul, first, last).sum();
    }

    @Case("DA-066")
    void someOfManyResults() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor whole = random(self, 1, 10, 2);
                    List<@Nullable Tensor> gradients =
                            compare(
                                    self,
                                    CALLS,
                                    List.of(whole),
                                    mode -> useEveryOther(self, mode, whole));
                    Tensor gradient = gradients.getFirst();
                    assertNotNull(gradient);
                    for (int unused : List.of(2, 6)) { // where parts 1 and 3 begin
                        Tensor part = Ops.narrow(gradient, 0, unused, 2);
                        assertTrue(Tensor.zeros(2, 2).equal(part), gradient::toString);
                    }
                });
    }

    private static Tensor useEveryOther(Rank self, Mode mode, Tensor whole) throws Exception {
        List<Tensor> parts = mode.run(self.rpc(), self.roundRobin(), Ops::split, whole, 2, 0);
        assertEquals(5, parts.size());
        return multiply(self, mode, parts.get(0), parts.get(2), parts.get(4));
    }

    @Case("DA-074")
    void tensorsOfDifferentTypes() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor narrow = random(self, 1);
                    Tensor wide = random(self, 2).detach().to(DType.FLOAT64).requiresGrad(true);
                    List<@Nullable Tensor> gradients =
                            compare(
                                    self,
                                    List.of(Mode.REMOTE),
                                    List.of(narrow, wide),
                                    mode -> {
                                        Tensor sum =
                                                mode.run(
                                                        self.rpc(),
                                                        self.roundRobin(),
                                                        Ops::add,
                                                        narrow,
                                                        wide);
                                        assertEquals(DType.FLOAT64, sum.dtype());
                                        return sum.sum();
                                    });
                    List<DType> types = new ArrayList<>();
                    for (@Nullable Tensor gradient : gradients) {
                        assertNotNull(gradient);
                        types.add(gradient.dtype());
                    }
                    assertEquals(List.of(DType.FLOAT32, DType.FLOAT64), types);
                });
    }

    @Case("DA-075")
    void aFunction() {
        world(WORLD_SIZE)
                .run(self ->
                        compare(
                                self,
                                List.of(Mode.REMOTE),
                                AutogradFunctions::add,
                                random(self, 1),
                                random(self, 2)));
    }

    @Case("DA-076")
    void aScriptFunction() {
        world(WORLD_SIZE)
                .run(self ->
                        compare(
                                self,
                                List.of(Mode.SYNC, Mode.ASYNC, Mode.REMOTE),
                                AutogradFunctions::scriptAdd,
                                random(self, 1),
                                random(self, 2)));
    }

    @Case("DA-077")
    void aFunctionOfManyOperators() {
        world(WORLD_SIZE)
                .run(self ->
                        compare(
                                self,
                                List.of(Mode.REMOTE),
                                AutogradFunctions::linearChain,
                                random(self, 1),
                                random(self, 2)));
    }

    @Case("DA-089")
    void hooksOfTensorsRunOnce() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = ones();
                    Tensor b = ones();
                    var _ = a.registerHook(gradient -> gradient.mul(2));
                    List<@Nullable Tensor> gradients = compare(self, CALLS, Ops::matmul, a, b);
                    assertClose(Tensor.full(6f, 3, 3), gradients.getFirst());
                    assertClose(Tensor.full(3f, 3, 3), gradients.getLast());
                });
    }

    @Case("DA-086")
    void gradientsAccumulateOverNestedCalls() {
        world(WORLD_SIZE)
                .run(self ->
                        accumulateNested(
                                self, random(self, 1), random(self, 2), Tensor.full(2f, 3, 3)));
    }

    @Case("DA-087")
    void manyPassesOfOneLoss() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor all = Tensor.full(1000f, 3, 3);
                    var _ = passes(self, 1000, random(self, 1), random(self, 2), all);
                });
    }
}
