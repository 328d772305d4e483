package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.ViewRules;

import java.util.List;

/** View operators: dimensions reordered, reshaped, added, removed or expanded. */
@OperatorFamily
public final class ViewRows {
    private static final Samples RESHAPES =
            s ->
                    samples(
                            args(s.tensor(2, 6), new int[] {3, 4}),
                            args(s.tensor(2, 6), new int[] {-1}),
                            args(s.tensor(1), new int[] {}),
                            args(s.tensor(2, 3), new int[] {2, 1, 3}));

    /** Return a view with two dimensions swapped. */
    @TensorMethod
    public static final OperatorRow TRANSPOSE =
            differentiable(
                            "aten::transpose.int(Tensor self, int dim0, int dim1)",
                            "TransposeBackward0")
                    .anyType()
                    .forward(a -> ViewRules.transpose(a.tensor(0), a.integer(1), a.integer(2)))
                    .gradient((s, g) -> g.transpose(s.args().integer(1), s.args().integer(2)))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    outside(ErrorSamples.range(-2, 1, 2), s.tensor(2, 3), 0, 2),
                                    outside(ErrorSamples.range(-2, 1, -3), s.tensor(2, 3), -3, 1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 0, 1),
                                    args(s.tensor(2, 3, 4), -1, 0),
                                    args(s.tensor(2), 0, 0)));

    /** View a matrix as its transpose. */
    @TensorMethod
    public static final OperatorRow T =
            differentiable("aten::t(Tensor self)", "TBackward0")
                    .anyType()
                    .forward(a -> ViewRules.t(a.tensor(0)))
                    .gradient((_, g) -> g.t())
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "t() expects a tensor with <= 2 dimensions, but self is 3D",
                                            s.tensor(2, 3, 4))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.tensor(3))));

    /** View with the dimensions in another order. */
    @TensorMethod
    public static final OperatorRow PERMUTE =
            differentiable("aten::permute(Tensor self, int[] dims)", "PermuteBackward0")
                    .anyType()
                    .forward(a -> ViewRules.permute(a.tensor(0), a.integers(1)))
                    .gradient(ViewRules::permuteGradient)
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "permute: the tensor has 3 dimensions, but the order has 2; float64[2, 3, 4] by [0, 1]",
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

    /** View with some dimensions moved to other places; the others keep their order. */
    @TensorMethod
    public static final OperatorRow MOVEDIM =
            composite("aten::movedim.intlist(Tensor self, int[] source, int[] destination)")
                    .forward(a ->
                            Ops.permute(
                                    a.tensor(0),
                                    ViewRules.movedimOrder(
                                            a.tensor(0).dim(), a.integers(1), a.integers(2))))
                    .runsOnPoller(_ -> true)
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

    /** View with another shape, in which one extent may be -1; fails where that needs a copy. */
    @TensorMethod
    public static final OperatorRow VIEW =
            differentiable("aten::view(Tensor self, int[] size)", "ViewBackward0")
                    .anyType()
                    .forward(a -> ViewRules.view(a.tensor(0), a.integers(1)))
                    .gradient((s, g) -> g.reshape(s.shape(0)))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "shape '[4, 2]' is invalid for input of size 6",
                                            s.tensor(2, 3),
                                            new int[] {4, 2}),
                                    refusal(
                                            "Use .reshape(...) instead; float64[2, 3] with strides [1, 2] as [6]",
                                            s.transposed(2, 3),
                                            new int[] {6})))
                    .samples(RESHAPES);

    /** Give another shape, in which one extent may be -1; a view where possible. */
    @TensorMethod
    // A view where possible; the gradient needs only the shape.
    public static final OperatorRow RESHAPE =
            differentiable("aten::reshape(Tensor self, int[] shape)", "ViewBackward0")
                    .anyType()
                    .forward(a -> ViewRules.reshape(a.tensor(0), a.integers(1)))
                    .gradient((s, g) -> ViewRules.reshape(g, s.shape(0)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "shape '[-1, 4]' is invalid for input of size 6",
                                            s.tensor(2, 3),
                                            new int[] {-1, 4}),
                                    refusal(
                                            "only one dimension can be inferred: [-1, -1]",
                                            s.tensor(2, 3),
                                            new int[] {-1, -1}),
                                    refusal(
                                            "invalid shape dimension -2",
                                            s.tensor(2, 3),
                                            new int[] {-2, 3})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 6), new int[] {3, -1}),
                                    args(s.transposed(4, 3), new int[] {2, 6})));

    /** Make one dimension of a range of them, both ends included; a view where possible. */
    @TensorMethod
    @TensorMethod({"startDim = 0", "endDim = -1"})
    public static final OperatorRow FLATTEN =
            composite("aten::flatten.using_ints(Tensor self, int start_dim, int end_dim)")
                    .forward(a ->
                            Ops.reshape(
                                    a.tensor(0),
                                    ViewRules.flattened(a.tensor(0), a.integer(1), a.integer(2))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "flatten() has invalid args: startDim cannot come after endDim: 2, 1 of float64[2, 3, 4]",
                                            s.tensor(2, 3, 4),
                                            2,
                                            1),
                                    outside(ErrorSamples.range(-2, 1, 2), s.tensor(2, 3), 0, 2)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 2), 1, -1),
                                    args(s.transposed(2, 3), 0, 1),
                                    args(s.tensor(), 0, -1)));

    /** View with one dimension as several, of which one extent may be -1. */
    @TensorMethod
    public static final OperatorRow UNFLATTEN =
            composite("aten::unflatten.int(Tensor self, int dim, int[] sizes)")
                    .forward(a ->
                            Ops.view(
                                    a.tensor(0),
                                    ViewRules.unflattened(
                                            a.tensor(0), a.integer(1), a.integers(2))))
                    .runsOnPoller(_ -> true)
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

    /** View with one more dimension, of extent 1. */
    @TensorMethod
    public static final OperatorRow UNSQUEEZE =
            differentiable("aten::unsqueeze(Tensor self, int dim)", "UnsqueezeBackward0")
                    .anyType()
                    .forward(a -> ViewRules.unsqueeze(a.tensor(0), a.integer(1)))
                    .gradient((s, g) -> ViewRules.reshape(g, s.shape(0)))
                    .runsOnPoller(_ -> true)
                    .refuses(s -> List.of(outside(ErrorSamples.range(-3, 2, 3), s.tensor(2, 3), 3)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 1), args(s.tensor(2), -1)));

    /** View without a dimension, if its extent is 1. */
    @TensorMethod
    public static final OperatorRow SQUEEZE =
            differentiable("aten::squeeze.dim(Tensor self, int dim)", "SqueezeBackward1")
                    .anyType()
                    .forward(a -> ViewRules.squeeze(a.tensor(0), a.integer(1)))
                    .gradient((s, g) -> ViewRules.reshape(g, s.shape(0)))
                    .runsOnPoller(_ -> true)
                    .refuses(ErrorSamples.DIMENSION)
                    .samples(s -> samples(args(s.tensor(2, 1), 1), args(s.tensor(2, 3), 0)));

    /** View without the dimensions of extent 1. */
    @TensorMethod
    public static final OperatorRow SQUEEZE_ALL =
            differentiable("aten::squeeze(Tensor self)", "SqueezeBackward0")
                    .anyType()
                    .forward(a -> ViewRules.squeeze(a.tensor(0)))
                    .gradient((s, g) -> ViewRules.reshape(g, s.shape(0)))
                    .runsOnPoller(_ -> true)
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(1, 2, 1, 3)), args(s.tensor(1, 1))));

    /** Expand dimensions of extent 1 as a view, without copying; -1 keeps an extent. */
    @TensorMethod
    public static final OperatorRow EXPAND =
            differentiable("aten::expand(Tensor self, int[] size)", "ExpandBackward0")
                    .anyType()
                    .forward(a -> ViewRules.expand(a.tensor(0), a.integers(1)))
                    .gradient((_, g) -> g)
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [2, 4].  Tensor sizes: [2, 3]",
                                            s.tensor(2, 3),
                                            new int[] {2, 4}),
                                    refusal(
                                            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0.  Target sizes: [-1, 3].  Tensor sizes: [3]",
                                            s.tensor(3),
                                            new int[] {-1, 3}),
                                    refusal(
                                            "expand(float64[2, 3], size=[3]): the number of sizes provided (1) must be greater or equal to the number of dimensions in the tensor (2)",
                                            s.tensor(2, 3),
                                            new int[] {3})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 1), new int[] {2, 3, 4}),
                                    args(s.tensor(3, 1), new int[] {-1, 2})));

    /** As {@link Ops#expand}, to the shape of another tensor. */
    @TensorMethod
    public static final OperatorRow EXPAND_AS =
            composite("aten::expand_as(Tensor self, Tensor other)")
                    .forward(a -> Ops.expand(a.tensor(0), a.tensor(1).shape()))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The expanded size of the tensor (4) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [2, 4, 2].  Tensor sizes: [3, 1]",
                                            s.tensor(3, 1),
                                            s.constant(2, 4, 2))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(3, 1), s.constant(2, 3, 2))));

    /** As {@link Ops#view}, with the shape of another tensor. */
    @TensorMethod
    public static final OperatorRow VIEW_AS =
            composite("aten::view_as(Tensor self, Tensor other)")
                    .forward(a -> Ops.view(a.tensor(0), a.tensor(1).shape()))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "shape '[5]' is invalid for input of size 6",
                                            s.tensor(2, 3),
                                            s.constant(5))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(3, 4), s.constant(2, 6))));

    /** The same as {@link Ops#expand}. */
    @TensorMethod
    public static final OperatorRow BROADCAST_TO =
            composite("aten::broadcast_to(Tensor self, int[] size)")
                    .forward(a -> Ops.expand(a.tensor(0), a.integers(1)))
                    .runsOnPoller(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0.  Target sizes: [2, 2].  Tensor sizes: [3, 1]",
                                            s.tensor(3, 1),
                                            new int[] {2, 2})))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(3, 1), new int[] {2, 3, 2})));

    /** View all tensors with the one shape that they broadcast to. */
    public static final OperatorRow BROADCAST_TENSORS =
            composite("aten::broadcast_tensors(Tensor[] tensors) -> List")
                    .forward(a -> ViewRules.broadcast(a.tensors(0)))
                    .runsOnPoller(_ -> true)
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

    private ViewRows() {}
}
