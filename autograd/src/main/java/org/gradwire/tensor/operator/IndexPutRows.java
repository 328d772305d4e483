package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.IndexPutRules;

import java.util.List;

/** Advanced indexing: reads and writes by index tensors or masks. */
@OperatorFamily
public final class IndexPutRows {
    /**
     * Index by tensors for the first dimensions, {@code self[i, j, ...]}: int64, which broadcast,
     * negative ones count from the end, or bool masks, each of which consumes as many dimensions as
     * it has.
     */
    public static final OperatorRow INDEX =
            composite("aten::index.Tensor(Tensor self, Tensor[] indices)")
                    .forward(a -> IndexPutRules.picked(a.tensor(0), a.tensors(1)))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "too many indices for tensor of dimension 1: 2",
                                            s.tensor(3),
                                            List.of(Tensor.of(0L), Tensor.of(0L))),
                                    outside(
                                            "index 3 is out of bounds for dimension 0 with size 3",
                                            s.tensor(3),
                                            List.of(Tensor.of(3L))),
                                    outside(
                                            "a tensor used as an index must be of int64 or bool, but is float64[3]",
                                            s.tensor(3),
                                            List.of(s.tensor(3))),
                                    outside(
                                            "The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3] at index 0",
                                            s.tensor(3),
                                            List.of(s.bools(2))),
                                    outside(
                                            "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]",
                                            s.tensor(4, 4),
                                            List.of(Tensor.of(0L, 1), Tensor.of(0L, 1, 2)))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), List.of(Tensor.of(0L, 3, -1, 3))),
                                    args(
                                            s.tensor(4, 3, 2),
                                            List.of(
                                                    Tensor.of(new long[][] {{0}, {2}}),
                                                    Tensor.of(1L, -1, 1))),
                                    args(s.tensor(2, 3), List.of(s.bools(2, 3))),
                                    args(s.tensor(2, 3, 2), List.of(Tensor.of(1L), s.bools(3))),
                                    args(s.transposed(3, 4), List.of(Tensor.of(2L, 2))),
                                    args(s.longs(3, 2), List.of(Tensor.of(2L, 0)))));

    /**
     * Copy with elements replaced, or added to if {@code accumulate}; {@link Ops#index} says which.
     * The values broadcast. Where an element is named twice, the last value stays.
     */
    public static final OperatorRow INDEX_PUT =
            composite(
                            "aten::index_put(Tensor self, Tensor[] indices, Tensor values, boolean accumulate)")
                    .forward(a ->
                            IndexPutRules.put(a.tensor(0), a.tensors(1), a.tensor(2), a.flag(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result of shape [3]",
                                            s.tensor(3),
                                            List.of(Tensor.of(0L, 1, 2)),
                                            s.tensor(2),
                                            false),
                                    refusal(
                                            "Index put requires the source and destination dtypes match, got float64 for the destination and int64 for the source.",
                                            s.tensor(3),
                                            List.of(Tensor.of(0L)),
                                            s.longs(1),
                                            false),
                                    outside(
                                            "index -4 is out of bounds for dimension 0 with size 3",
                                            s.tensor(3),
                                            List.of(Tensor.of(-4L)),
                                            s.tensor(1),
                                            false)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(4, 3),
                                            List.of(Tensor.of(0L, 3, -2)),
                                            s.tensor(3, 3),
                                            false),
                                    args(
                                            s.tensor(4, 3),
                                            List.of(Tensor.of(0L, 3, 0)),
                                            s.tensor(3),
                                            true),
                                    args(
                                            s.tensor(4, 3, 2),
                                            List.of(
                                                    Tensor.of(new long[][] {{0}, {2}}),
                                                    Tensor.of(1L, -1)),
                                            s.tensor(2),
                                            false),
                                    args(s.tensor(2, 3), List.of(s.bools(2, 3)), s.tensor(), false),
                                    args(
                                            s.tensor(2, 3),
                                            List.of(Tensor.of(1L, 1), Tensor.of(0L, 0)),
                                            s.tensor(2),
                                            true)));

    /** Copy with the slices of a dimension that a vector of int64 names replaced by a number. */
    @TensorMethod
    public static final OperatorRow INDEX_FILL =
            composite(
                            "aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value)")
                    .forward(a ->
                            IndexPutRules.fill(a.tensor(0), a.integer(1), a.tensor(2), a.number(3)))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index 4 is out of bounds for dimension 0 with size 4",
                                            s.tensor(4, 3),
                                            0,
                                            Tensor.of(4L),
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), 0, Tensor.of(1L, -1), 7),
                                    args(s.transposed(3, 4), 1, Tensor.of(0L, 0), -0.5),
                                    args(s.longs(4), 0, Tensor.of(2L), 9)));

    /**
     * Copy with the slices of a dimension that a vector of int64 names replaced by those of another
     * tensor.
     */
    @TensorMethod
    public static final OperatorRow INDEX_COPY =
            composite("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source)")
                    .forward(a ->
                            IndexPutRules.copied(
                                    a.tensor(0), a.integer(1), a.tensor(2), a.tensor(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "index_copy(): Source/destination tensor must have same slice shapes. Destination slice shape: [3] at dimension 0 and source slice shape: [2] at dimension 0.",
                                            s.tensor(4, 3),
                                            0,
                                            Tensor.of(0L),
                                            s.tensor(1, 2)),
                                    refusal(
                                            "index_copy(): Number of indices (2) should be equal to source.size(dim) (1)",
                                            s.tensor(4, 3),
                                            0,
                                            Tensor.of(0L, 1),
                                            s.tensor(1, 3))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), 0, Tensor.of(1L, 3), s.tensor(2, 3)),
                                    args(s.transposed(3, 4), -1, Tensor.of(2L), s.tensor(3, 1))));

    /**
     * Copy with the elements for which a bool mask is set replaced by those of a source, in order.
     */
    @TensorMethod
    public static final OperatorRow MASKED_SCATTER =
            composite("aten::masked_scatter(Tensor self, Tensor mask, Tensor source)")
                    .forward(a -> IndexPutRules.scattered(a.tensor(0), a.tensor(1), a.tensor(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "masked_scatter: expected self and source to have same dtypes but got float64 and int64",
                                            s.tensor(3),
                                            s.bools(3),
                                            s.longs(3)),
                                    refusal(
                                            "mask of 3 elements needs more elements than the source has: 2",
                                            s.tensor(3),
                                            Tensor.ones(DType.BOOL, 3),
                                            s.tensor(2))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.bools(2, 3), s.tensor(7)),
                                    args(s.tensor(2, 3), s.bools(3), s.tensor(2, 4))));

    /** Copy with one index of a dimension replaced by another tensor. */
    @TensorMethod
    public static final OperatorRow SELECT_SCATTER =
            composite("aten::select_scatter(Tensor self, Tensor src, int dim, int index)")
                    .forward(a ->
                            IndexPutRules.slice(
                                    a.tensor(0),
                                    a.tensor(1).unsqueeze(a.integer(2)),
                                    a.integer(2),
                                    IndexPutRules.at(a.tensor(0), a.integer(2), a.integer(3)),
                                    1))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index 2 is out of bounds for dimension 0 with size 2",
                                            s.tensor(2, 3),
                                            s.tensor(3),
                                            0,
                                            2)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(3), 0, 1),
                                    args(s.tensor(2, 3), s.tensor(2), -1, -2)));

    /**
     * Copy single elements as {@link Ops#gather} does; both tensors broadcast, except along the
     * dimension. For indices from {@link Ops#argsort}.
     */
    @TensorMethod
    public static final OperatorRow TAKE_ALONG_DIM =
            composite("aten::take_along_dim(Tensor self, Tensor indices, int dim)")
                    .forward(a -> IndexPutRules.taken(a.tensor(0), a.tensor(1), a.integer(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "take_along_dim: indices must be of int64, but are of float64",
                                            s.tensor(2, 3),
                                            s.tensor(2, 3),
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), Tensor.of(new long[][] {{2, 0}}), 1),
                                    args(s.tensor(2, 1), Tensor.of(new long[][] {{1, 0, 0}}), 0)));

    /**
     * Repeat each element along a dimension, its copies adjacent; without a dimension, the
     * flattened elements.
     */
    public static final OperatorRow REPEAT_INTERLEAVE =
            composite("aten::repeat_interleave.self_int(Tensor self, int repeats, int? dim)")
                    .forward(a ->
                            IndexPutRules.interleaved(
                                    a.tensor(0), a.integer(1), a.optionalInteger(2)))
                    .refuses(s ->
                            List.of(refusal("repeats can not be negative: -1", s.tensor(2), -1, 0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 2, 1),
                                    args(s.tensor(2, 3), 3, null),
                                    args(s.transposed(3, 4), 1, 0)));

    private IndexPutRows() {}
}
