package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.ErrorSample.unready;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.EmbeddingRules;
import org.gradwire.tensor.sparse.SparseEmbeddings;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.SparseStorage;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/** Construction and conversion of sparse tensors, and lookups with sparse gradients. */
@OperatorFamily
public final class SparseRows {

    /**
     * Make a sparse tensor of indices {@code [s, n]} and values {@code [n, ...]}; see {@link
     * Tensor#sparseCoo}.
     */
    @JavaName("sparseCoo")
    public static final OperatorRow SPARSE_COO =
            differentiable(
                            "aten::sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size)",
                            "SparseCooTensorWithDimsAndTensorsBackward0")
                    .anyType()
                    .forward(a ->
                            SparseTensors.sparseCoo(a.tensor(0), a.tensor(1), false, a.integers(2)))
                    .keep(Keep.inputs(0))
                    .gradients(SparseRows::valuesGradient)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "size is inconsistent with indices: for dim 0, size is 3 but found index 3",
                                            Tensor.of(new long[][] {{0, 3}}),
                                            s.tensor(2),
                                            new int[] {3}),
                                    refusal(
                                            "found negative index -1 for dim 1",
                                            Tensor.of(new long[][] {{0}, {-1}}),
                                            s.tensor(1),
                                            new int[] {3, 3}),
                                    refusal(
                                            "number of dimensions must be sparseDim (1) + denseDim (1), but got 1: shape [3]",
                                            Tensor.of(new long[][] {{0}}),
                                            s.tensor(1, 2),
                                            new int[] {3}),
                                    refusal(
                                            "indices and values must have same nnz, but got nnz from indices: 1, values of shape [2]",
                                            Tensor.of(new long[][] {{0}}),
                                            s.tensor(2),
                                            new int[] {3}),
                                    refusal(
                                            "values has incorrect size, expected [1, 2], got [1, 3]",
                                            Tensor.of(new long[][] {{0}}),
                                            s.tensor(1, 3),
                                            new int[] {3, 2}),
                                    refusal(
                                            "indices must be an int64 tensor, but got: float64[1, 2]",
                                            s.tensor(1, 2),
                                            s.tensor(2),
                                            new int[] {3})))
                    .samples(s -> {
                        Tensor indices = Tensor.of(new long[][] {{0, 1, 0, 2}, {2, 0, 2, 1}});
                        return samples(
                                args(indices, s.tensor(4), new int[] {3, 3}),
                                args(indices, s.tensor(4, 2), new int[] {3, 3, 2}),
                                args(Tensor.zeros(DType.INT64, 1, 0), s.tensor(0), new int[] {3}));
                    });

    /** Convert to a sparse tensor of the nonzero elements. */
    @TensorMethod
    public static final OperatorRow TO_SPARSE =
            differentiable("aten::to_sparse(Tensor self)", "ToSparseBackward0")
                    .forward(a -> toSparse(a.tensor(0)))
                    .gradient((_, g) -> SparseTensors.densified(g))
                    .anyLayout()
                    .refuses(_ ->
                            List.of(refusal(ErrorSamples.type("to_sparse", "Tensor", "self"), "x")))
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 2))));

    /** As {@link Ops#toSparse(Tensor)}, with only the first dimensions sparse. */
    @TensorMethod
    public static final OperatorRow TO_SPARSE_DIM =
            differentiable(
                            "aten::to_sparse.sparse_dim(Tensor self, int sparse_dim)",
                            "ToSparseBackward0")
                    .forward(a -> toSparse(a.tensor(0), a.integer(1)))
                    .gradient((_, g) -> SparseTensors.densified(g))
                    .anyLayout()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "sparseDim must be >0 if dimensionality > 0; got 0",
                                            s.tensor(2, 3),
                                            0),
                                    refusal(
                                            "sparseDim must be less than or equal to self.dim() (2) and not negative; got 3",
                                            s.tensor(2, 3),
                                            3),
                                    refusal(
                                            "to_sparse: conversion from Sparse to Sparse with sparseDim argument !=self.sparseDim() is not supported; got 1, it has 2",
                                            s.sparse(new long[][] {{0}, {1}}, 2, 2),
                                            1)))
                    .samples(s -> samples(args(s.tensor(2, 3), 1), args(s.tensor(2, 1, 3), 2)));

    private static final OperatorRow SPARSE_TO_DENSE =
            differentiable("aten::to_dense(Tensor self)", "ToDenseBackward0")
                    .forward(a -> SparseTensors.toDense(a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> SparseTensors.masked(SparseTensors.densified(g), s.input(0)))
                    .sparseGradients()
                    .samples(SparseRows::uncoalesced);

    /** Convert a sparse tensor to a dense one. */
    @TensorMethod
    public static final OperatorRow TO_DENSE =
            composite("aten::to_dense(Tensor self)")
                    .forward(a -> a.tensor(0))
                    .sparse(SPARSE_TO_DENSE)
                    .runsOnPoller(_ -> true)
                    .refuses(_ ->
                            List.of(refusal(ErrorSamples.type("to_dense", "Tensor", "self"), "x")))
                    .samples(s -> samples(args(s.tensor(2, 3))));

    /** Coalesce a sparse tensor: sort its indices and sum the values of equal ones. */
    @TensorMethod
    public static final OperatorRow COALESCE =
            differentiable("aten::coalesce(Tensor self)", "CoalesceBackward0")
                    .forward(a -> SparseTensors.coalesce(a.tensor(0)))
                    .gradient((_, g) -> g)
                    .anyLayout()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "coalesce is for sparse tensors only, and this one is dense: float64[2]; call toSparse()",
                                            s.tensor(2))))
                    .samples(SparseRows::uncoalesced);

    /** View the values of a coalesced sparse tensor. */
    @TensorMethod
    public static final OperatorRow VALUES =
            differentiable("aten::values(Tensor self)", "ValuesBackward0")
                    .anyType()
                    .forward(a -> values(a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            SparseTensors.withValues(s.input(0), SparseTensors.densified(g)))
                    .anyLayout()
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "values is for sparse tensors only, and this one is dense: float64[2]; call toSparse()",
                                            s.tensor(2)),
                                    unready(
                                            "Cannot get values on an uncoalesced tensor, please call .coalesce() first",
                                            s.sparse(new long[][] {{2, 0, 2}}, 4, 2))))
                    .samples(s ->
                            samples(
                                    args(s.coalesced(new long[][] {{0, 1}, {2, 0}}, 3, 3)),
                                    args(s.coalesced(new long[][] {{0, 2}}, 3, 2))));

    /**
     * Look rows of a weight up.
     *
     * @param indices int64 of any shape, to which the rows' length is added
     * @param sparse whether the weight's gradient is sparse: only the rows that were looked up
     */
    public static final OperatorRow EMBEDDING =
            differentiable(
                            "aten::embedding.sparse(Tensor weight, Tensor indices, boolean sparse)",
                            "EmbeddingBackward0")
                    .forward(SparseEmbeddings::lookUp)
                    .keep(Keep.inputs(1))
                    .gradient(SparseEmbeddings::lookUpGradient)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index out of range in self: 5, the weight has 5 rows",
                                            s.tensor(5, 3),
                                            Tensor.of(5),
                                            true),
                                    refusal(
                                            "embedding: Expected tensor for argument #1 'indices' to have scalar type Long; but got float64[1]",
                                            s.tensor(5, 3),
                                            s.tensor(1),
                                            true)))
                    .samples(s -> {
                        Tensor indices = Tensor.of(new long[][] {{1, 0, 4}, {4, 2, 4}});
                        return samples(
                                args(s.tensor(5, 3), indices, true),
                                args(s.transposed(5, 2), indices, false),
                                args(s.tensor(5, 3), Tensor.scalar(2), true));
                    });

    /**
     * As {@link Ops#embeddingBag(Tensor, Tensor, Tensor, String, Tensor)}.
     *
     * @param sparse whether the weight's gradient is sparse: only the rows that were looked up; not
     *     with mode {@code max}
     */
    public static final OperatorRow EMBEDDING_BAG =
            differentiable(
                            "aten::embedding_bag.sparse(Tensor weight, Tensor indices, Tensor offsets, String mode, Tensor? per_sample_weights, boolean sparse)",
                            "EmbeddingBagBackward0")
                    .forward(SparseEmbeddings::bags)
                    .keep((index, saved) ->
                            (index == 3 && saved.needs(0)) || (index == 0 && saved.needs(3)))
                    .gradients((s, gs) ->
                            EmbeddingRules.gradients(
                                    s, Objects.requireNonNull(gs[0]), false, s.args().flag(5)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "embedding_bag: max mode does not support sparse weights",
                                            s.tensor(6, 3),
                                            Tensor.of(0),
                                            Tensor.of(0),
                                            "max",
                                            null,
                                            true),
                                    refusal(
                                            "embedding_bag: mode has to be one of sum, mean or max; got most",
                                            s.tensor(6, 3),
                                            Tensor.of(0),
                                            Tensor.of(0),
                                            "most",
                                            null,
                                            true),
                                    refusal(
                                            "embedding_bag: perSampleWeights must have the same shape as the indices; got float64[2] and int64[1]",
                                            s.tensor(6, 3),
                                            Tensor.of(0),
                                            Tensor.of(0),
                                            "sum",
                                            s.tensor(2),
                                            true)))
                    .samples(s -> {
                        Tensor indices = Tensor.of(1L, 2, 4, 5, 4, 3, 2, 0);
                        Tensor offsets = Tensor.of(0L, 4, 4);
                        return samples(
                                args(s.tensor(6, 3), indices, offsets, "sum", null, true),
                                args(s.tensor(6, 3), indices, offsets, "mean", null, true),
                                args(s.tensor(6, 3), indices, offsets, "sum", s.tensor(8), true),
                                args(s.tensor(6, 3), indices, offsets, "mean", null, false),
                                args(s.tensor(6, 3), indices, offsets, "max", null, false));
                    });

    private SparseRows() {}

    static List<@Nullable Object[]> uncoalesced(Sampler s) {
        return samples(
                args(s.sparse(new long[][] {{0, 1, 0, 2}, {2, 0, 2, 1}}, 3, 3)),
                args(s.sparse(new long[][] {{2, 0, 2}}, 4, 2)));
    }

    private static Tensor toSparse(Tensor x) {
        return x.isSparse() ? x : SparseTensors.toSparse(x, TensorAccess.dims(x).length);
    }

    private static Tensor toSparse(Tensor x, int sparseDim) {
        if (!x.isSparse()) {
            return SparseTensors.toSparse(x, sparseDim);
        }
        if (sparseDim != x.sparseDim()) {
            throw new IllegalArgumentException(
                    "to_sparse: conversion from Sparse to Sparse with sparseDim argument !=self.sparseDim() is not supported; got %d, it has %d"
                            .formatted(sparseDim, x.sparseDim()));
        }
        return x;
    }

    private static Tensor values(Tensor x) {
        SparseStorage held = SparseStorage.of(x, "values");
        SparseTensors.checkCoalesced(held, "values");
        return held.values().detach();
    }

    private static @Nullable Tensor[] valuesGradient(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[2];
        Tensor gradient = gradients[0];
        if (gradient != null && saved.needs(1)) {
            int[] keys = SparseTensors.keys(saved.input(0), TensorAccess.dims(gradient));
            results[1] = SparseTensors.valuesAt(gradient, keys);
        }
        return results;
    }
}
