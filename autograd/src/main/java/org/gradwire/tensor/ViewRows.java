package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.composite;
import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import java.util.List;

/** Operators that give views: other orders of dimensions, slices, parts, diagonals. */
final class ViewRows {
    static final OperatorRow PERMUTE =
            differentiable("aten::permute(Tensor self, int[] dims)", "PermuteBackward0")
                    .anyType()
                    .forward(a -> Slices.permute(a.tensor(0), a.integers(1)))
                    .gradient(Slices::permuteGradient)
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "input.dim() = 3 is not equal to len(dims) = 2; float64[2, 3, 4] by [0, 1]",
                                            s.tensor(2, 3, 4),
                                            new int[] {0, 1}),
                                    refusal(
                                            "permute(): duplicate dims are not allowed: [0, -2]",
                                            s.tensor(2, 3),
                                            new int[] {0, -2})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 4), new int[] {2, 0, 1}),
                                    args(s.transposed(2, 3), new int[] {-1, 0}),
                                    args(s.tensor(), new int[] {})));

    static final OperatorRow MOVEDIM =
            composite("aten::movedim.intlist(Tensor self, int[] source, int[] destination)")
                    .forward(a ->
                            Ops.permute(
                                    a.tensor(0),
                                    Slices.moved(a.tensor(0).dim(), a.integers(1), a.integers(2))))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "movedim: repeated dim in `source` ([0, 0])",
                                            s.tensor(2, 3),
                                            new int[] {0, 0},
                                            new int[] {0, 1}),
                                    refusal(
                                            "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the same number of dims as destination ([1] dims)",
                                            s.tensor(2, 3),
                                            new int[] {0, 1},
                                            new int[] {1})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 4), new int[] {0}, new int[] {-1}),
                                    args(
                                            s.tensor(2, 3, 1, 2),
                                            new int[] {1, 3},
                                            new int[] {2, 0})));

    static final OperatorRow SLICE =
            differentiable(
                            "aten::slice.Tensor(Tensor self, int dim, int start, int end, int step)",
                            "SliceBackward0")
                    .anyType()
                    .forward(a -> slice(a.tensor(0), a))
                    .gradient((s, g) -> Views.intoZeros(g, s.shape(0), x -> slice(x, s.args())))
                    .light(_ -> true)
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
        return Slices.slice(x, args.integer(1), args.integer(2), args.integer(3), args.integer(4));
    }

    static final OperatorRow SQUEEZE_ALL =
            differentiable("aten::squeeze(Tensor self)", "SqueezeBackward0")
                    .anyType()
                    .forward(a -> Slices.squeeze(a.tensor(0)))
                    .gradient((s, g) -> Views.reshape(g, s.shape(0)))
                    .light(_ -> true)
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(1, 2, 1, 3)), args(s.tensor(1, 1))));

    static final OperatorRow FLATTEN =
            composite("aten::flatten.using_ints(Tensor self, int start_dim, int end_dim)")
                    .forward(a ->
                            Ops.reshape(
                                    a.tensor(0),
                                    Slices.flattened(a.tensor(0), a.integer(1), a.integer(2))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "flatten() has invalid args: start_dim cannot come after end_dim: 2, 1 of float64[2, 3, 4]",
                                            s.tensor(2, 3, 4),
                                            2,
                                            1),
                                    outside(Refusals.range(-2, 1, 2), s.tensor(2, 3), 0, 2)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 2), 1, -1),
                                    args(s.transposed(2, 3), 0, 1),
                                    args(s.tensor(), 0, -1)));

    static final OperatorRow UNFLATTEN =
            composite("aten::unflatten.int(Tensor self, int dim, int[] sizes)")
                    .forward(a ->
                            Ops.view(
                                    a.tensor(0),
                                    Slices.unflattened(a.tensor(0), a.integer(1), a.integers(2))))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 (6) in the input tensor",
                                            s.tensor(2, 6),
                                            1,
                                            new int[] {2, 2}),
                                    refusal(
                                            "unflatten: sizes must be non-empty",
                                            s.tensor(2, 6),
                                            1,
                                            new int[0])))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 6), 1, new int[] {3, -1}),
                                    args(s.transposed(4, 3), -2, new int[] {2, 2})));

    static final OperatorRow SPLIT_SIZES =
            differentiable(
                            "aten::split_with_sizes(Tensor self, int[] split_sizes, int dim) -> List",
                            "SplitWithSizesBackward0")
                    .anyType()
                    .forward(a -> Slices.split(a.tensor(0), a.integers(1), a.integer(2)))
                    .gradients(Slices::splitGradient)
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at dimension 1), but got split_sizes=[1, 1]",
                                            s.tensor(2, 3),
                                            new int[] {1, 1},
                                            1),
                                    refusal(
                                            "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=[4, -1]",
                                            s.tensor(3),
                                            new int[] {4, -1},
                                            0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(6, 2), new int[] {1, 0, 3, 2}, 0),
                                    args(s.transposed(2, 5), new int[] {2, 3}, -1)));

    static final OperatorRow CHUNK =
            composite("aten::chunk(Tensor self, int chunks, int dim) -> List")
                    .forward(a -> Slices.chunk(a.tensor(0), a.integer(1), a.integer(2)))
                    .light(_ -> true)
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

    static final OperatorRow UNBIND =
            differentiable("aten::unbind.int(Tensor self, int dim) -> List", "UnbindBackward0")
                    .anyType()
                    .forward(a -> Slices.unbind(a.tensor(0), a.integer(1)))
                    .gradients(Slices::unbindGradient)
                    .light(_ -> true)
                    .refuses(Refusals.DIMENSION)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "Dimension specified as 0 but tensor has no dimensions",
                                            s.tensor(),
                                            0)))
                    .samples(s -> samples(args(s.tensor(3, 2), 0), args(s.transposed(2, 3), -1)));

    static final OperatorRow DIAGONAL =
            differentiable(
                            "aten::diagonal(Tensor self, int offset, int dim1, int dim2)",
                            "DiagonalBackward0")
                    .anyType()
                    .forward(a -> diagonal(a.tensor(0), a))
                    .gradient((s, g) -> Views.intoZeros(g, s.shape(0), x -> diagonal(x, s.args())))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "diagonal dimensions cannot be identical 0, -2",
                                            s.tensor(2, 3),
                                            0,
                                            0,
                                            -2),
                                    outside(Refusals.range(-1, 0, 1), s.tensor(3), 0, 0, 1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), 0, 0, 1),
                                    args(s.transposed(3, 4), -1, 0, 1),
                                    args(s.tensor(2, 3, 4), 2, -1, 0),
                                    args(s.tensor(2, 2), 5, 0, 1)));

    private static Tensor diagonal(Tensor x, Args args) {
        return Slices.diagonal(x, args.integer(1), args.integer(2), args.integer(3));
    }

    static final OperatorRow EXPAND_AS =
            composite("aten::expand_as(Tensor self, Tensor other)")
                    .forward(a -> Ops.expand(a.tensor(0), a.tensor(1).shape()))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [2, 4, 2].  Tensor sizes: [3, 1]",
                                            s.tensor(3, 1),
                                            s.constant(2, 4, 2))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(3, 1), s.constant(2, 3, 2))));

    static final OperatorRow VIEW_AS =
            composite("aten::view_as(Tensor self, Tensor other)")
                    .forward(a -> Ops.view(a.tensor(0), a.tensor(1).shape()))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "shape '[5]' is invalid for input of size 6",
                                            s.tensor(2, 3),
                                            s.constant(5))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(3, 4), s.constant(2, 6))));

    static final OperatorRow BROADCAST_TO =
            composite("aten::broadcast_to(Tensor self, int[] size)")
                    .forward(a -> Ops.expand(a.tensor(0), a.integers(1)))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0.  Target sizes: [2, 2].  Tensor sizes: [3, 1]",
                                            s.tensor(3, 1),
                                            new int[] {2, 2})))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(3, 1), new int[] {2, 3, 2})));

    static final OperatorRow BROADCAST_TENSORS =
            composite("aten::broadcast_tensors(Tensor[] tensors) -> List")
                    .forward(a -> Slices.broadcast(a.tensors(0)))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0; the shapes are [3] and [2]",
                                            List.of(s.tensor(3), s.tensor(2)))))
                    .samples(s ->
                            samples(
                                    new Object[] {
                                        List.of(s.tensor(3, 1), s.tensor(2), s.tensor(1, 3, 2))
                                    }));

    static final List<OperatorRow> ALL =
            List.of(
                    PERMUTE,
                    MOVEDIM,
                    SLICE,
                    SQUEEZE_ALL,
                    FLATTEN,
                    UNFLATTEN,
                    SPLIT_SIZES,
                    CHUNK,
                    UNBIND,
                    DIAGONAL,
                    EXPAND_AS,
                    VIEW_AS,
                    BROADCAST_TO,
                    BROADCAST_TENSORS);

    private ViewRows() {}
}
