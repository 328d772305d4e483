package org.gradwire.autograd;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Layout;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sparse tensors: content, text and errors. */
class SparseTensorTest {
    private static final long[][] PLACES = {{0, 1, 1}, {2, 0, 2}};

    private static Tensor sparse() {
        return Tensor.sparseCoo(Tensor.of(PLACES), Tensor.of(3.2f, 4.1f, 5.3f), 3, 3);
    }

    private static Tensor rows() {
        return Tensor.sparseCoo(
                Tensor.of(new long[][] {{0, 1, 0}}),
                Tensor.of(new float[][] {{0, 1}, {2, 3}, {4, 5}}),
                3,
                2);
    }

    @Test
    void whatItIs() {
        Tensor x = rows();
        assertTrue(x.isSparse());
        assertEquals(Layout.SPARSE_COO, x.layout());
        assertArrayEquals(new int[] {3, 2}, x.shape());
        assertEquals(6, x.numel());
        assertEquals(1, x.sparseDim());
        assertEquals(1, x.denseDim());
        assertEquals(3, x.nnz());
        assertFalse(x.isCoalesced());
        assertFalse(x.isContiguous());
        assertEquals(DType.FLOAT32, x.dtype());
        assertTrue(
                x.toDense().equal(Tensor.of(new float[][] {{4, 6}, {2, 3}, {0, 0}})),
                () -> x.toDense().toString());
        assertEquals(Layout.STRIDED, x.toDense().layout());
    }

    @Test
    void coalescedIsSortedAndSummed() {
        Tensor x = rows().coalesce();
        assertTrue(x.isCoalesced());
        assertTrue(x.indices().equal(Tensor.of(new long[][] {{0, 1}})));
        assertTrue(x.values().equal(Tensor.of(new float[][] {{4, 6}, {2, 3}})));
        assertSame(x, x.coalesce());
        Tensor one = Tensor.sparseCoo(Tensor.of(new long[][] {{1}}), Tensor.of(1f), 3);
        assertTrue(one.isCoalesced(), "nothing to sort");
    }

    @Test
    void shapeIsInferredFromTheLargestIndices() {
        Tensor x = Tensor.sparseCoo(Tensor.of(new long[][] {{0, 2}, {1, 4}}), Tensor.of(1f, 2f));
        assertArrayEquals(new int[] {3, 5}, x.shape());
        Tensor y = Tensor.sparseCoo(rows().heldIndices(), rows().heldValues());
        assertArrayEquals(new int[] {2, 2}, y.shape());
    }

    @Test
    void emptyOnesAreZeros() {
        Tensor x = Tensor.zeros(Layout.SPARSE_COO, DType.FLOAT64, 2, 3);
        assertEquals(0, x.nnz());
        assertTrue(x.toDense().equal(Tensor.zeros(DType.FLOAT64, 2, 3)));
        assertTrue(Tensor.zerosLike(x).equal(x));
        assertTrue(x.add(x).equal(x));
        assertEquals(0, x.sum().item());
        assertTrue(Tensor.zeros(2, 3).toSparse().to(DType.FLOAT64).equal(x));
    }

    @Test
    void toSparseHoldsWhatIsNotZero() {
        Tensor dense = Tensor.of(new float[][] {{0, 1, 0}, {0, 0, 0}, {2, 0, Float.NaN}});
        Tensor x = dense.t().toSparse();
        assertTrue(x.isCoalesced());
        assertTrue(x.indices().equal(Tensor.of(new long[][] {{0, 1, 2}, {2, 0, 2}})));
        Tensor blocks = dense.toSparse(1);
        assertTrue(blocks.indices().equal(Tensor.of(new long[][] {{0, 2}})));
        assertSame(x, x.toSparse());
        assertSame(dense, dense.toDense());
        Tensor scalar = Tensor.scalar(3.0).toSparse();
        assertEquals(0, scalar.sparseDim());
        assertEquals(3, scalar.toDense().item());
    }

    @Test
    void printsAsPyTorch() {
        assertEquals(
                """
                tensor(indices=tensor([[0, 1, 1],
                                       [2, 0, 2]]),
                       values=tensor([3.2000, 4.1000, 5.3000]),
                       size=(3, 3), nnz=3, layout=torch.sparse_coo, requires_grad=True)\
                """,
                sparse().requiresGrad(true).toString());
        assertEquals(
                """
                tensor(indices=tensor([[0, 1]]),
                       values=tensor([[4., 6.],
                                      [2., 3.]]),
                       size=(3, 2), nnz=2, layout=torch.sparse_coo)\
                """,
                rows().coalesce().toString());
        assertEquals(
                """
                tensor(indices=tensor([], size=(2, 0)),
                       values=tensor([], size=(0,)),
                       size=(3, 2), nnz=0, layout=torch.sparse_coo)\
                """,
                Tensor.zeros(Layout.SPARSE_COO, DType.FLOAT32, 3, 2).toString());
        Tensor sum = sparse().requiresGrad(true).add(sparse());
        assertTrue(sum.toString().endsWith("layout=torch.sparse_coo, grad_fn=<AddBackward0>)"));
    }

    @Test
    void equalComparesCoalesced() {
        Tensor a = rows();
        assertTrue(a.equal(a.coalesce()));
        assertTrue(a.coalesce().allclose(a.mul(1.000001)));
        assertFalse(a.equal(a.mul(2)));
        assertFalse(a.equal(a.toDense()));
        assertFalse(a.toDense().allclose(a));
        assertFalse(a.equal(a.to(DType.FLOAT64)));
        assertFalse(a.equal(Tensor.zerosLike(a)));
    }

    @Test
    void wrongPartsAreRefused() {
        Map<String, Executable> wrong = new LinkedHashMap<>();
        Tensor one = Tensor.of(1f);
        wrong.put(
                "size is inconsistent with indices: for dim 0, size is 3 but found index 5",
                () -> Tensor.sparseCoo(Tensor.of(new long[][] {{5}}), one, 3));
        wrong.put(
                "found negative index -1 for dim 0",
                () -> Tensor.sparseCoo(Tensor.of(new long[][] {{-1}}), one, 3));
        wrong.put(
                "indices and values must have same nnz, but got nnz from indices: 2",
                () -> Tensor.sparseCoo(Tensor.of(new long[][] {{0, 1}}), one, 3));
        wrong.put(
                "indices must be sparseDim x nnz, but got: [2]",
                () -> Tensor.sparseCoo(Tensor.of(0, 1L), Tensor.of(1f, 2f), 3));
        wrong.put(
                "number of dimensions must be sparseDim (2) + denseDim (0), but got 1",
                () -> Tensor.sparseCoo(Tensor.of(new long[][] {{0}, {0}}), one, 3));
        wrong.put(
                "values has incorrect size, expected [1, 3], got [1, 2]",
                () ->
                        Tensor.sparseCoo(
                                Tensor.of(new long[][] {{0}}),
                                Tensor.of(new float[][] {{1, 2}}),
                                3,
                                3));
        wrong.put(
                "indices must be an int64 tensor, but got: float32[1, 1]",
                () -> Tensor.sparseCoo(Tensor.ones(1, 1), one, 3));
        wrong.put(
                "expected dense indices and values",
                () -> Tensor.sparseCoo(Tensor.of(new long[][] {{0}}), sparse()));
        wrong.forEach((text, make) -> assertFails(IllegalArgumentException.class, text, make));
    }

    @Test
    void operatorsThatHaveNoSparseKernelSaySo() {
        Tensor x = sparse();
        Tensor dense = Tensor.ones(3, 3);
        List<Executable> calls =
                List.of(
                        x::exp,
                        x::relu,
                        x::mean,
                        x::t,
                        () -> x.view(9),
                        () -> x.add(1),
                        () -> x.matmul(dense),
                        () -> dense.matmul(x),
                        () -> dense.div(x),
                        () -> x.softmax(0),
                        () -> Ops.linear(dense, x, null));
        for (Executable call : calls) {
            assertFails(
                    IllegalArgumentException.class,
                    "is not implemented for sparse tensors; call toDense()",
                    call);
        }
        assertFails(IllegalArgumentException.class, "onesLike", () -> Tensor.onesLike(sparse()));
    }

    @Test
    void whatNeedsAllElementsInMemorySaysSo() {
        Tensor x = sparse();
        Tensor dense = Tensor.ones(3, 3);
        List<Executable> uses =
                List.of(
                        x::toFloatArray,
                        x::toLongArray,
                        () -> x.get(0, 0),
                        () -> x.fill_(1),
                        () -> dense.copy_(x),
                        () -> x.copy_(dense),
                        () -> x.add_(1),
                        () -> x.exp_(),
                        () -> dense.mul_(x),
                        x::asSegment,
                        () -> TensorAccess.storage(x).segment(),
                        () -> TensorAccess.storage(x).retain());
        for (Executable use : uses) {
            assertFails(IllegalStateException.class, "call toDense()", use);
        }
        assertFails(IllegalStateException.class, "sparse tensors do not have strides", x::strides);
    }

    @Test
    void whatIsForSparseTensorsOnlySaysSo() {
        Tensor dense = Tensor.ones(2);
        List<Executable> uses =
                List.of(
                        dense::coalesce,
                        dense::nnz,
                        dense::sparseDim,
                        dense::denseDim,
                        dense::isCoalesced,
                        dense::indices,
                        dense::values,
                        dense::heldIndices,
                        dense::heldValues);
        for (Executable use : uses) {
            assertFails(
                    IllegalArgumentException.class,
                    "is for sparse tensors only, and this one is dense: float32[2]; call toSparse()",
                    use);
        }
        assertFails(
                IllegalStateException.class,
                "Cannot get indices on an uncoalesced tensor, please call .coalesce() first",
                () -> sparse().indices());
    }

    @Test
    void changesInPlace() {
        Tensor x = sparse();
        Tensor alias = x.detach();
        int version = TensorAccess.storage(x).version();
        assertSame(x, x.add_(sparse(), 2));
        assertTrue(x.toDense().allclose(sparse().toDense().mul(3)));
        assertSame(x, x.mul_(2));
        assertTrue(alias.toDense().allclose(sparse().toDense().mul(6)), "the same memory");
        assertTrue(TensorAccess.storage(x).version() > version + 1);
        x.zero_();
        assertEquals(0, alias.nnz());
        Tensor dense = Tensor.ones(3, 3);
        dense.t().add_(sparse(), -1);
        assertTrue(dense.allclose(Tensor.ones(3, 3).sub(sparse().toDense().t())));
    }

    @Test
    void typesArePromotedAsThoseOfDenseTensors() {
        Tensor x = sparse();
        Tensor ints = x.to(DType.INT32);
        Tensor bools = x.to(DType.BOOL);
        assertEquals(DType.INT64, ints.sum().dtype());
        assertEquals(3, bools.sum().itemAsLong());
        assertEquals(DType.FLOAT32, ints.add(x).dtype());
        assertEquals(DType.INT32, ints.add(bools).dtype());
        assertEquals(DType.INT64, ints.mul(x.to(DType.INT64)).dtype());
        assertTrue(bools.toDense().equal(x.toDense().to(DType.BOOL)));
        assertTrue(ints.toString().contains("nnz=3, dtype=torch.int32, layout=torch.sparse_coo"));
        assertFails(
                IllegalArgumentException.class,
                "result type Float can't be cast to the desired output type Int",
                () -> ints.add_(x));
        assertFails(
                IllegalArgumentException.class,
                "result type Float can't be cast to the desired output type Int",
                () -> ints.toDense().add_(x));
        assertFails(
                IllegalArgumentException.class,
                "alpha must not be a floating point number",
                () -> ints.add_(ints, 0.5));
        assertFails(
                IllegalArgumentException.class,
                "sub does not take two bool tensors",
                () -> bools.sub(bools));
        assertFails(IllegalArgumentException.class, "neg does not take a bool tensor", bools::neg);
    }

    @Test
    void sumsOverManyTermsDoNotGrow() {
        Tensor sum = rows();
        for (int i = 0; i < 100; i++) {
            sum.add_(
                    Tensor.sparseCoo(
                            Tensor.of(new long[][] {{i % 3, 2}}), Tensor.ones(2, 2), 3, 2));
        }
        assertTrue(sum.nnz() <= 8, () -> "nnz " + sum.nnz());
        Tensor expected = rows().toDense().add(Tensor.of(new float[][] {{34}, {33}, {133}}));
        assertTrue(sum.toDense().equal(expected), sum::toString);
    }

    // ---- gradients

    private static Tensor gradient(@Nullable Tensor gradient) {
        assertNotNull(gradient);
        return gradient;
    }

    @Test
    void gradientsOfLeavesAreSparse() {
        Tensor a = sparse().requiresGrad(true);
        Tensor b = sparse().to(DType.FLOAT64).requiresGrad(true);
        Tensor loss = a.add(b).sum();
        assertEquals(DType.FLOAT64, loss.dtype());
        loss.backward();
        Tensor ones = Tensor.sparseCoo(Tensor.of(PLACES), Tensor.ones(3), 3, 3);
        assertTrue(gradient(a.grad()).equal(ones), () -> String.valueOf(a.grad()));
        assertTrue(gradient(b.grad()).equal(ones.to(DType.FLOAT64)));
        assertFalse(gradient(a.grad()).isCoalesced());
    }

    @Test
    void aGradientThatMustBeSparseIsNotTakenDense() {
        Tensor x = sparse().requiresGrad(true);
        assertFails(
                IllegalStateException.class,
                "returned an invalid gradient at index 0 - expected layout Sparse but got Strided",
                () -> x.mul(2).backward(Tensor.ones(3, 3)));
        assertFails(
                IllegalArgumentException.class,
                "assigned grad has data of a different size or type: float32[3, 3] for a tensor of float32[3, 3] (sparse)",
                () -> x.grad(Tensor.ones(3, 3)));
    }

    @Test
    void operatorsThatCannotTakeASparseGradientSaySo() {
        Tensor x = Tensor.ones(3, 3).requiresGrad(true);
        Tensor y = x.exp();
        assertFails(
                IllegalStateException.class,
                "ExpBackward0 is not implemented for sparse gradients, and got one of shape [3, 3]",
                () -> y.backward(sparse()));
    }

    @Test
    void sparseAndDenseGradientsAddUp() {
        Tensor x = Tensor.ones(3, 3).requiresGrad(true);
        Tensor expected = sparse().toDense();
        x.mul(1).backward(sparse());
        assertTrue(gradient(x.grad()).isSparse());
        Tensor first = gradient(x.grad());
        x.mul(2).backward(sparse());
        assertSame(first, x.grad(), "must be changed in place");
        assertTrue(first.toDense().allclose(expected.mul(3)));
        x.mul(1).backward(Tensor.ones(3, 3));
        Tensor dense = gradient(x.grad());
        assertFalse(dense.isSparse());
        assertTrue(dense.allclose(expected.mul(3).add(1)));
        x.mul(1).backward(sparse());
        assertSame(dense, x.grad());
        assertTrue(dense.allclose(expected.mul(4).add(1)));
    }

    @Test
    void gradientsThatMeetInsideAreSummed() {
        Tensor x = Tensor.ones(3, 3).requiresGrad(true);
        Tensor scaled = x.mul(2);
        Tensor both = Ops.stack(List.of(scaled.toSparse(), scaled.toSparse(2)), 0);
        both.sum().backward();
        assertTrue(gradient(x.grad()).equal(Tensor.full(4f, 3, 3)));
    }

    @Test
    void hooksAndChosenInputsSeeSparseGradients() {
        Tensor x = sparse().requiresGrad(true);
        Tensor y = x.mul(2);
        y.retainGrad();
        y.registerHook(gradient -> gradient.mul(3));
        Tensor loss = y.sum();
        Tensor found = Gradients.grad(List.of(loss), List.of(x), List.of(), true).getFirst();
        Tensor ones = Tensor.sparseCoo(Tensor.of(PLACES), Tensor.ones(3), 3, 3);
        assertTrue(found.equal(ones.mul(6)), found::toString);
        assertTrue(gradient(y.grad()).equal(ones.mul(3)));
        loss.backward(true);
        assertTrue(gradient(y.grad()).equal(ones.mul(6)));
        y.registerHook(Tensor::toDense);
        assertFails(
                IllegalStateException.class,
                "has changed the layout of value (was torch.sparse_coo got torch.strided)",
                loss::backward);
    }

    @Test
    void anomalyModeLooksAtTheValues() {
        Tensor x = sparse().requiresGrad(true);
        try (var _ = AnomalyMode.detect()) {
            Tensor loss = x.mul(Float.NaN).sum();
            assertFails(
                    AnomalyException.class,
                    "Function 'MulBackward0' returned nan values in its 0th output.",
                    loss::backward);
        }
    }

    @Test
    void bagsWithMaximaHaveDenseGradients() {
        Tensor weight = Tensor.of(new float[][] {{1, 5}, {2, 3}}).requiresGrad(true);
        Tensor indices = Tensor.of(0L, 1);
        Tensor offsets = Tensor.of(new long[] {0});
        Ops.embeddingBag(weight, indices, offsets, "max", null, false).sum().backward();
        assertTrue(gradient(weight.grad()).equal(Tensor.of(new float[][] {{0, 1}, {1, 0}})));
    }

    /** A function that keeps views of its arguments. */
    private static final class Keeping extends Node {
        private @Nullable Tensor indices;
        private @Nullable Tensor values;

        Keeping(Tensor input) {
            super(List.of(Edge.of(input)));
        }

        @Override
        public String name() {
            return "KeepingBackward";
        }

        @Override
        protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
            Tensor gradient = gradient(gradients[0]);
            indices = gradient.heldIndices();
            values = gradient.heldValues();
            return gradients;
        }
    }

    @Test
    void viewsOfAGradientsPartsDoNotKeepItFromBeingStolen() {
        Tensor x = Tensor.ones(3, 3).requiresGrad(true);
        Tensor alias = x.detach();
        var keeping = new Keeping(x);
        keeping.attach(alias);
        Tensor loss = alias.mul(sparse()).sum();
        loss.backward(true);
        Tensor held = gradient(x.grad());
        assertSame(
                TensorAccess.storage(gradient(keeping.values)),
                TensorAccess.storage(held.heldValues()));
        assertSame(
                TensorAccess.storage(gradient(keeping.indices)),
                TensorAccess.storage(held.heldIndices()));
        for (int i = 0; i < 10; i++) {
            loss.backward(true);
        }
        assertTrue(gradient(x.grad()).toDense().allclose(sparse().toDense().mul(11)));
    }

    @Test
    void aGradientOfTwoInputsIsCopiedForBoth() {
        Tensor values = Tensor.ones(2, 3).t();
        Tensor indices = Tensor.of(new long[][] {{0, 1, 2}});
        Tensor a = Tensor.ones(3, 2).requiresGrad(true);
        Tensor b = Tensor.ones(3, 2).requiresGrad(true);
        Tensor seed = Tensor.sparseCoo(indices, values, 3, 2);
        a.add(b).backward(seed, true);
        Tensor first = gradient(a.grad());
        Tensor second = gradient(b.grad());
        assertNotSame(
                TensorAccess.storage(first.heldValues()),
                TensorAccess.storage(second.heldValues()));
        assertNotSame(TensorAccess.storage(first.heldValues()), TensorAccess.storage(values));
        assertNotSame(TensorAccess.storage(second.heldValues()), TensorAccess.storage(values));
        assertTrue(first.heldValues().isContiguous());
        first.mul_(5);
        assertTrue(second.toDense().equal(Tensor.ones(3, 2)));
        assertTrue(seed.toDense().equal(Tensor.ones(3, 2)));
    }

    @Test
    void changesInPlaceOfWhatIsKeptAreSeen() {
        Tensor x = sparse().requiresGrad(true);
        Tensor loss = x.mul(x).sum();
        try (var _ = GradMode.noGrad()) {
            x.add_(sparse());
        }
        assertFails(IllegalStateException.class, "was changed in place", loss::backward);
    }

    @Test
    void largeOnesTakeOneSort() {
        int n = 300_000;
        long[] numbers = new long[n];
        for (int i = 0; i < n; i++) {
            numbers[i] = (i * 7919L) % 100_003;
        }
        Tensor x =
                Tensor.sparseCoo(Tensor.of(numbers, 1, n), Tensor.ones(DType.FLOAT64, n), 100_003);
        Tensor sorted = x.coalesce();
        assertEquals(100_003, sorted.nnz());
        assertEquals(n, sorted.values().sum().item());
        assertEquals(0, sorted.indices().getLong(0, 0));
        assertTrue(sorted.toDense().equal(x.toDense()));
    }
}
