package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Index;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** Gradients through in-place operations, on tensors, their views, and what they are views of. */
class RecordedInPlaceTest {
    private static final String LEAF_VIEW =
            "a view of a leaf that requires a gradient is changed in place";

    /** A change, given an operand, and the operator that gives the same as a new tensor. */
    record Change(String name, BinaryOperator<Tensor> inPlace, BinaryOperator<Tensor> operator) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Tensor mask() {
        return Tensor.of(new boolean[] {true, false, true}, 3);
    }

    private static Tensor rows(int... numbers) {
        return Tensor.of(numbers, numbers.length).to(DType.INT64);
    }

    static Stream<Change> changes() {
        return Stream.of(
                new Change("add_", Tensor::add_, Tensor::add),
                new Change("add_ alpha", (x, o) -> x.add_(o, 0.5), (x, o) -> x.add(o.mul(0.5))),
                new Change("add_ number", (x, _) -> x.add_(2), (x, _) -> x.add(2)),
                new Change("sub_", Tensor::sub_, Tensor::sub),
                new Change("sub_ alpha", (x, o) -> x.sub_(o, 3), (x, o) -> x.sub(o.mul(3))),
                new Change("sub_ number", (x, _) -> x.sub_(2), (x, _) -> x.sub(2)),
                new Change("mul_", Tensor::mul_, Tensor::mul),
                new Change("mul_ number", (x, _) -> x.mul_(-2), (x, _) -> x.mul(-2)),
                new Change("div_", Tensor::div_, Tensor::div),
                new Change("div_ number", (x, _) -> x.div_(4), (x, _) -> x.div(4)),
                new Change("pow_", Tensor::pow_, Tensor::pow),
                new Change("pow_ number", (x, _) -> x.pow_(3), (x, _) -> x.pow(3)),
                new Change("neg_", (x, _) -> x.neg_(), (x, _) -> x.neg()),
                new Change("abs_", (x, _) -> x.abs_(), (x, _) -> x.abs()),
                new Change("clamp_", (x, _) -> x.clamp_(0.9, 2), (x, _) -> x.clamp(0.9, 2)),
                new Change("relu_", (x, _) -> x.relu_(), (x, _) -> x.relu()),
                new Change("exp_", (x, _) -> x.exp_(), (x, _) -> x.exp()),
                new Change("sqrt_", (x, _) -> x.sqrt_(), (x, _) -> x.sqrt()),
                new Change("sigmoid_", (x, _) -> x.sigmoid_(), (x, _) -> x.sigmoid()),
                new Change("tanh_", (x, _) -> x.tanh_(), (x, _) -> x.tanh()),
                new Change("round_", (x, _) -> x.round_(), (x, _) -> x.round()),
                new Change("addcmul_", (x, o) -> x.addcmul_(o, o, 2), (x, o) -> x.addcmul(o, o, 2)),
                new Change("addcdiv_", (x, o) -> x.addcdiv_(o, o, 2), (x, o) -> x.addcdiv(o, o, 2)),
                new Change("lerp_ number", (x, o) -> x.lerp_(o, 0.3), (x, o) -> x.lerp(o, 0.3)),
                new Change("lerp_", (x, o) -> x.lerp_(o, o), (x, o) -> x.lerp(o, o)),
                new Change("zero_", (x, _) -> x.zero_(), (x, _) -> x.mul(0)),
                new Change("fill_", (x, _) -> x.fill_(3), (x, _) -> x.mul(0).add(3)),
                new Change("copy_", Tensor::copy_, (x, o) -> x.mul(0).add(o)),
                new Change(
                        "maskedFill_",
                        (x, _) -> x.maskedFill_(mask(), 5),
                        (x, _) -> x.maskedFill(mask(), 5)),
                new Change(
                        "maskedScatter_",
                        (x, o) -> x.maskedScatter_(mask(), o.expand(2, 3)),
                        (x, o) -> x.maskedScatter(mask(), o.expand(2, 3))),
                new Change(
                        "indexFill_",
                        (x, _) -> x.indexFill_(1, rows(2), 5),
                        (x, _) -> x.indexFill(1, rows(2), 5)),
                new Change(
                        "indexCopy_",
                        (x, o) -> x.indexCopy_(0, rows(1), o.unsqueeze(0)),
                        (x, o) -> x.indexCopy(0, rows(1), o.unsqueeze(0))),
                new Change(
                        "indexAdd_",
                        (x, o) -> x.indexAdd_(0, rows(1), o.unsqueeze(0)),
                        (x, o) -> x.indexAdd(0, rows(1), o.unsqueeze(0))),
                new Change(
                        "indexPut_",
                        (x, o) -> x.indexPut_(o, Index.index(1)),
                        (x, o) -> x.indexPut(o, Index.index(1))),
                new Change(
                        "scatter_",
                        (x, o) -> x.scatter_(0, rows(1, 0, 1).unsqueeze(0), o.unsqueeze(0)),
                        (x, o) -> x.scatter(0, rows(1, 0, 1).unsqueeze(0), o.unsqueeze(0))),
                new Change(
                        "scatterAdd_",
                        (x, o) -> x.scatterAdd_(0, rows(1, 0, 1).unsqueeze(0), o.unsqueeze(0)),
                        (x, o) -> x.scatterAdd(0, rows(1, 0, 1).unsqueeze(0), o.unsqueeze(0))));
    }

    private static Tensor weights() {
        return Tensor.of(new double[] {0.8, 1.2, 2.5, 0.3, 1.7, 0.6}, 2, 3).requiresGrad(true);
    }

    private static Tensor operand() {
        return Tensor.of(new double[] {1.1, 0.4, 1.9}, 3).requiresGrad(true);
    }

    private static Tensor factors() {
        return Tensor.of(new double[] {1, -2, 3, 4, 0.5, -1}, 2, 3);
    }

    private static void assertSameGradients(Tensor expected, Tensor actual) {
        Tensor wanted = expected.grad();
        Tensor found = actual.grad();
        boolean none = wanted == null || wanted.equal(wanted.mul(0));
        if (found == null) {
            assertTrue(none, () -> "no gradient where " + wanted + " was expected");
        } else if (wanted == null) {
            assertTrue(found.equal(found.mul(0)), () -> found + " where none was expected");
        } else {
            assertTrue(wanted.allclose(found), () -> found + " is not " + wanted);
        }
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangedTensorHasTheGradientOfTheOperator(Change change) {
        Tensor w = weights();
        Tensor o = operand();
        Tensor expected = change.operator.apply(w.mul(1.5), o);
        expected.mul(factors()).sum().backward();
        Tensor w2 = weights();
        Tensor o2 = operand();
        Tensor y = w2.mul(1.5);
        Tensor same = change.inPlace.apply(y, o2);
        assertEquals(y, same);
        assertTrue(expected.detach().allclose(y.detach()), () -> y + " is not " + expected);
        y.mul(factors()).sum().backward();
        assertSameGradients(w, w2);
        assertSameGradients(o, o2);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aTensorWithoutGradientGetsThatOfTheOperand(Change change) {
        Tensor o = operand();
        Tensor expected = change.operator.apply(weights().detach(), o);
        Tensor o2 = operand();
        Tensor y = weights().detach();
        var _ = change.inPlace.apply(y, o2);
        assertTrue(expected.detach().allclose(y.detach()));
        assertEquals(expected.requiresGrad(), y.requiresGrad());
        if (expected.requiresGrad()) {
            expected.mul(factors()).sum().backward();
            y.mul(factors()).sum().backward();
        }
        assertSameGradients(o, o2);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeOfAViewIsSeenThroughAllOthers(Change change) {
        Tensor w = weights();
        Tensor o = operand();
        Tensor base = cat(w, w.mul(2));
        Tensor changed = change.operator.apply(base.narrow(0, 1, 2), o);
        Tensor expected = cat(base.narrow(0, 0, 1), changed, base.narrow(0, 3, 1));
        expected.select(1, 2).mul(expected.select(1, 0)).sum().backward();

        Tensor w2 = weights();
        Tensor o2 = operand();
        Tensor y = cat(w2, w2.mul(2));
        Tensor before = y.t().select(0, 2);
        var _ = change.inPlace.apply(y.narrow(0, 1, 2), o2);
        assertTrue(expected.detach().allclose(y.detach()));
        assertEquals("CopySlices", name(y));
        assertEquals("AsStridedBackward0", name(before));
        before.mul(y.select(1, 0)).sum().backward();
        assertSameGradients(w, w2);
        assertSameGradients(o, o2);
    }

    private static Tensor cat(Tensor... tensors) {
        return Ops.cat(List.of(tensors), 0);
    }

    private static String name(Tensor tensor) {
        Node made = tensor.gradFn();
        return made == null ? "none" : made.name();
    }

    /** The results of PyTorch 1.13. */
    @Test
    void nodesHaveTheNamesOfPyTorch() {
        Tensor w = weights().detach().to(DType.FLOAT32).requiresGrad(true);
        assertEquals("MulBackward0", name(w.mul(1).mul_(w)));
        assertEquals("AddBackward0", name(Tensor.zeros(2, 3).add_(w)));
        assertEquals("ZeroBackward0", name(w.mul(1).zero_()));
        assertEquals("ExpBackward0", name(w.mul(1).exp_()));
        assertEquals("CopyBackwards", name(Tensor.zeros(2, 3).copy_(w)));
        assertEquals("UniformBackward0", name(w.mul(1).uniform_(new SplittableRandom(1), 0, 1)));
    }

    @Test
    void aConvertedCopyHasAGradientOfTheTypeOfItsSource() {
        Tensor w = weights();
        Tensor y = Tensor.zeros(2, 2, 3);
        y.copy_(w);
        assertEquals(DType.FLOAT32, y.dtype());
        y.sum().backward();
        assertTrue(Tensor.full(2.0, 2, 3).to(DType.FLOAT64).equal(gradient(w)));
        Tensor whole = Tensor.zeros(2, 3).to(DType.INT64);
        assertFalse(whole.copy_(w).requiresGrad());
    }

    private static Tensor gradient(Tensor leaf) {
        return requireNonNull(leaf.grad(), "there is no gradient");
    }

    @Test
    void anOperandMayLieInTheChangedMemory() {
        Tensor w = weights();
        Tensor y = w.mul(1);
        y.mul_(y);
        y.select(0, 0).add_(y.select(0, 1));
        y.sum().backward();
        Tensor twice = Tensor.of(new double[] {1, 1, 1, 2, 2, 2}, 2, 3).mul(w.detach()).mul(2);
        assertTrue(twice.allclose(gradient(w)));
    }

    @Test
    void aKeptGradientIsThatOfTheNewElements() {
        Tensor w = weights();
        Tensor y = w.mul(1).retainGrad();
        y.mul_(3);
        assertTrue(y.retainsGrad());
        y.sum().backward();
        assertTrue(Tensor.ones(2, 3).to(DType.FLOAT64).equal(gradient(y)));
        assertTrue(Tensor.full(3.0, 2, 3).to(DType.FLOAT64).equal(gradient(w)));
    }

    @Test
    void aViewThatRepeatsElementsSumsTheirGradients() {
        Tensor w = operand();
        Tensor y = w.mul(1);
        Tensor repeated = y.expand(4, 3);
        y.mul_(2);
        repeated.sum().backward();
        assertTrue(Tensor.full(8.0, 3).to(DType.FLOAT64).equal(gradient(w)));
    }

    @Test
    void elementsThatABackwardPassNeedsMustNotBeChanged() {
        Tensor w = weights();
        Tensor y = w.exp();
        Tensor z = y.mul(2);
        y.add_(1);
        assertFails(IllegalStateException.class, "was changed in place", () -> z.sum().backward());
        assertNull(w.grad());
    }

    @Test
    void aLeafAndItsViewsAreNotChangedWhereThatWouldBeRecorded() {
        Tensor w = weights();
        List<Tensor> views = List.of(w.select(0, 1), w.t(), w.view(6), w.unbind(0).getFirst());
        for (Tensor view : views) {
            assertFails(IllegalStateException.class, LEAF_VIEW, () -> view.mul_(2));
        }
        assertFails(
                IllegalStateException.class,
                "a leaf that requires a gradient is changed in place",
                () -> w.add_(1));
        assertEquals(0, TensorAccess.storage(w).version());
    }

    @Test
    void aLeafThatGetsAGradientLaterProtectsItsViewsToo() {
        Tensor x = Tensor.zeros(2, 3);
        Tensor view = x.select(0, 0);
        x.requiresGrad(true);
        assertFails(IllegalStateException.class, LEAF_VIEW, () -> view.mul_(2));
    }

    @Test
    void aViewMadeWithoutRecordingIsChangedThereOnly() {
        Tensor y = weights().mul(1);
        Tensor view = GradMode.noGrad(() -> y.select(0, 0));
        assertFails(
                IllegalStateException.class,
                "a view that was made under GradMode.noGrad()",
                () -> view.mul_(2));
        try (var _ = GradMode.noGrad()) {
            view.mul_(2);
        }
        assertFalse(view.requiresGrad());
        assertEquals(1, TensorAccess.storage(y).version());
    }

    @Test
    void elementsThatShareMemoryAreNotChanged() {
        Tensor y = operand().mul(1).expand(2, 3);
        assertFails(
                IllegalArgumentException.class,
                "more than one element of the written-to tensor refers to a single memory location",
                () -> y.mul_(2));
    }

    /** Shares the memory of its input, whose gradient only the function defines. */
    private static final class Alias extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return inputs;
        }

        @Override
        protected @Nullable Tensor[] backward(FunctionContext context, Tensor... gradients) {
            return new Tensor[] {gradients[0].mul(10)};
        }
    }

    @Test
    void theResultOfAFunctionInTheMemoryOfItsInputIsNotChanged() {
        Tensor y = weights().mul(1);
        Tensor result = new Alias().apply(y);
        assertFails(
                IllegalStateException.class,
                "a result of an AutogradFunction that shares the memory of its input",
                () -> result.mul_(2));
        y.mul_(2);
        assertFails(IllegalStateException.class, "return a copy()", result::gradFn);
    }

    @Test
    void aDetachedTensorIsChangedAlone() {
        Tensor w = weights();
        Tensor y = w.mul(1);
        y.detach().mul_(5);
        Ops.detach(w).add_(1);
        y.sum().backward();
        assertTrue(Tensor.ones(2, 3).to(DType.FLOAT64).equal(gradient(w)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sparseGradientsFlowThroughChangedViews(boolean ofView) {
        Tensor w = weights();
        Tensor y = w.mul(1);
        Tensor view = y.narrow(0, 0, 2);
        y.select(0, 0).mul_(3);
        Ops.embedding(ofView ? view : y, rows(0, 0, 1), true).sum().backward();
        Tensor expected = Tensor.of(new double[] {6, 6, 6, 1, 1, 1}, 2, 3);
        assertTrue(expected.equal(gradient(w)), () -> gradient(w) + " is not " + expected);
    }

    /** The gradient of a view's previous elements is part of that of its base. */
    @Test
    void aReplacedViewLeadsToItsBaseOnce() {
        Tensor w = weights();
        Tensor y = w.mul(1);
        y.select(0, 0).copy_(operand());
        Node slices = requireNonNull(y.gradFn());
        assertEquals(2, slices.nextEdges().size());
        Node copied = slices.nextEdges().getLast().node();
        assertEquals("CopyBackwards", copied.name());
        assertEquals(1, copied.nextEdges().size());
    }
}
