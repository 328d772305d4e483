package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.SliceRules;

import java.util.List;

/** View operators that slice or split along a dimension. */
@OperatorFamily
public final class SliceRows {
    /** View a range of a dimension. */
    @TensorMethod
    public static final OperatorRow NARROW =
            differentiable(
                            "aten::narrow(Tensor self, int dim, int start, int length)",
                            "SliceBackward0")
                    .anyType()
                    .forward(a ->
                            SliceRules.narrow(
                                    a.tensor(0), a.integer(1), a.integer(2), a.integer(3)))
                    .gradient((s, g) ->
                            SliceRules.intoZeros(
                                    g,
                                    s.shape(0),
                                    x ->
                                            SliceRules.narrow(
                                                    x,
                                                    s.args().integer(1),
                                                    s.args().integer(2),
                                                    s.args().integer(3))))
                    .runsOnPoller(_ -> true)
                    .sparse(SparseVariants.NARROW)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "start (3) + length (2) exceeds dimension size (4).",
                                            s.tensor(4, 3),
                                            0,
                                            3,
                                            2),
                                    refusal(
                                            "narrow() cannot be applied to a 0-dim tensor.",
                                            s.tensor(),
                                            0,
                                            0,
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), 0, 1, 2),
                                    args(s.transposed(4, 3), -1, 0, 1)));

    /**
     * View a range of a dimension as Python's {@code start:end:step} does: negative positions count
     * from the end, and out-of-range bounds are clamped.
     *
     * @param end exclusive; {@link Integer#MAX_VALUE} for the end of the dimension
     * @param step positive
     */
    @TensorMethod
    @TensorMethod("step = 1")
    public static final OperatorRow SLICE =
            differentiable(
                            "aten::slice.Tensor(Tensor self, int dim, int start, int end, int step)",
                            "SliceBackward0")
                    .anyType()
                    .forward(a -> slice(a.tensor(0), a))
                    .gradient(
                            (s, g) -> SliceRules.intoZeros(g, s.shape(0), x -> slice(x, s.args())))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "slice step must be positive, got 0",
                                            s.tensor(4),
                                            0,
                                            0,
                                            2,
                                            0),
                                    outside(
                                            "slice() cannot be applied to a 0-dim tensor.",
                                            s.tensor(),
                                            0,
                                            0,
                                            1,
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(7, 2), 0, 1, 6, 2),
                                    args(s.transposed(3, 5), -1, -4, Integer.MAX_VALUE, 3),
                                    args(s.tensor(4), 0, -9, 99, 1),
                                    args(s.tensor(4, 2), 0, 3, 1, 1)));

    private static Tensor slice(Tensor x, Args args) {
        return SliceRules.slice(
                x, args.integer(1), args.integer(2), args.integer(3), args.integer(4));
    }

    /** Return a view of one index of a dimension, which is removed. */
    @TensorMethod
    public static final OperatorRow SELECT =
            differentiable("aten::select.int(Tensor self, int dim, int index)", "SelectBackward0")
                    .anyType()
                    .forward(a -> SliceRules.select(a.tensor(0), a.integer(1), a.integer(2)))
                    .gradient((s, g) ->
                            SliceRules.intoZeros(
                                    g,
                                    s.shape(0),
                                    x ->
                                            SliceRules.select(
                                                    x, s.args().integer(1), s.args().integer(2))))
                    .runsOnPoller(_ -> true)
                    .sparse(SparseVariants.SELECT)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "select(): index 4 out of range for tensor of size [4, 3] at dimension 0",
                                            s.tensor(4, 3),
                                            0,
                                            4),
                                    outside(
                                            "select() cannot be applied to a 0-dim tensor.",
                                            s.tensor(),
                                            0,
                                            0)))
                    .samples(s -> samples(args(s.tensor(4, 3), 0, 2), args(s.tensor(4, 3), 1, -1)));

    /**
     * View a diagonal of two dimensions, as a last dimension in place of them.
     *
     * @param offset positive for diagonals above the main one
     */
    @TensorMethod
    @TensorMethod({"offset = 0", "dim1 = 0", "dim2 = 1"})
    public static final OperatorRow DIAGONAL =
            differentiable(
                            "aten::diagonal(Tensor self, int offset, int dim1, int dim2)",
                            "DiagonalBackward0")
                    .anyType()
                    .forward(a -> diagonal(a.tensor(0), a))
                    .gradient((s, g) ->
                            SliceRules.intoZeros(g, s.shape(0), x -> diagonal(x, s.args())))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "diagonal dimensions cannot be identical 0, -2",
                                            s.tensor(2, 3),
                                            0,
                                            0,
                                            -2),
                                    outside(ErrorSamples.range(-1, 0, 1), s.tensor(3), 0, 0, 1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), 0, 0, 1),
                                    args(s.transposed(3, 4), -1, 0, 1),
                                    args(s.tensor(2, 3, 4), 2, -1, 0),
                                    args(s.tensor(2, 2), 5, 0, 1)));

    private static Tensor diagonal(Tensor x, Args args) {
        return SliceRules.diagonal(x, args.integer(1), args.integer(2), args.integer(3));
    }

    /** View as parts of equal extent along a dimension; the last may be smaller. */
    @TensorMethod
    @TensorMethod("dim = 0")
    public static final OperatorRow SPLIT =
            differentiable(
                            "aten::split.Tensor(Tensor self, int split_size, int dim) -> List",
                            "SplitBackward0")
                    .anyType()
                    .forward(a -> SliceRules.split(a.tensor(0), a.integer(1), a.integer(2)))
                    .gradients((s, gs) -> SliceRules.splitGradient(s, gs))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "split expects splitSize be positive, but got splitSize=0",
                                            s.tensor(6, 2),
                                            0,
                                            0),
                                    refusal(
                                            "split expects at least a 1-dimensional tensor",
                                            s.tensor(),
                                            1,
                                            0),
                                    outside(ErrorSamples.range(-2, 1, 2), s.tensor(6, 2), 3, 2)))
                    .samples(s -> samples(args(s.tensor(6, 2), 2, 0), args(s.tensor(2, 5), 2, -1)));

    /** View as parts of given extents along a dimension. */
    @JavaName("split")
    @TensorMethod
    public static final OperatorRow SPLIT_SIZES =
            differentiable(
                            "aten::split_with_sizes(Tensor self, int[] split_sizes, int dim) -> List",
                            "SplitWithSizesBackward0")
                    .anyType()
                    .forward(a ->
                            SliceRules.splitWithSizes(a.tensor(0), a.integers(1), a.integer(2)))
                    .gradients(SliceRules::splitWithSizesGradient)
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "split_with_sizes expects splitSizes to sum exactly to 3 (input tensor's size at dimension 1), but got splitSizes=[1, 1]",
                                            s.tensor(2, 3),
                                            new int[] {1, 1},
                                            1),
                                    refusal(
                                            "split_with_sizes expects splitSizes have only non-negative entries, but got splitSizes=[4, -1]",
                                            s.tensor(3),
                                            new int[] {4, -1},
                                            0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(6, 2), new int[] {1, 0, 3, 2}, 0),
                                    args(s.transposed(2, 5), new int[] {2, 3}, -1)));

    /**
     * Split into at most the given number of parts of equal extent along a dimension, as views; the
     * last may be smaller.
     */
    @TensorMethod
    public static final OperatorRow CHUNK =
            composite("aten::chunk(Tensor self, int chunks, int dim) -> List")
                    .forward(a -> SliceRules.chunk(a.tensor(0), a.integer(1), a.integer(2)))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "chunk expects `chunks` to be greater than 0, got: 0",
                                            s.tensor(5, 2),
                                            0,
                                            0),
                                    refusal(
                                            "chunk expects at least a 1-dimensional tensor",
                                            s.tensor(),
                                            1,
                                            0)))
                    .samples(s -> samples(args(s.tensor(5, 2), 3, 0), args(s.tensor(2, 6), 4, -1)));

    /** Return a view for each index of a dimension, which is removed. */
    @TensorMethod
    public static final OperatorRow UNBIND =
            differentiable("aten::unbind.int(Tensor self, int dim) -> List", "UnbindBackward0")
                    .anyType()
                    .forward(a -> SliceRules.unbind(a.tensor(0), a.integer(1)))
                    .gradients(SliceRules::unbindGradient)
                    .runsOnPoller(_ -> true)
                    .refuses(ErrorSamples.DIMENSION)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "Dimension specified as 0 but tensor has no dimensions",
                                            s.tensor(),
                                            0)))
                    .samples(s -> samples(args(s.tensor(3, 2), 0), args(s.transposed(2, 3), -1)));

    private SliceRows() {}
}
