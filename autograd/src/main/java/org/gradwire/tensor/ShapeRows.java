package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.OperatorRow.plain;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;

import java.util.List;

/** Operators that arrange elements: views of the same memory, copies, and parts put together. */
final class ShapeRows {
    private static final Samples RESHAPES =
            s ->
                    samples(
                            args(s.tensor(2, 6), new int[] {3, 4}),
                            args(s.tensor(2, 6), new int[] {-1}),
                            args(s.tensor(1), new int[] {}),
                            args(s.tensor(2, 3), new int[] {2, 1, 3}));

    static final OperatorRow TRANSPOSE =
            differentiable(
                            "aten::transpose.int(Tensor self, int dim0, int dim1)",
                            "TransposeBackward0")
                    .anyType()
                    .forward(a -> Views.transpose(a.tensor(0), a.integer(1), a.integer(2)))
                    .gradient((s, g) -> g.transpose(s.args().integer(1), s.args().integer(2)))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    outside(Refusals.range(-2, 1, 2), s.tensor(2, 3), 0, 2),
                                    outside(Refusals.range(-2, 1, -3), s.tensor(2, 3), -3, 1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 0, 1),
                                    args(s.tensor(2, 3, 4), -1, 0),
                                    args(s.tensor(2), 0, 0)));

    static final OperatorRow T =
            differentiable("aten::t(Tensor self)", "TBackward0")
                    .anyType()
                    .forward(a -> Views.t(a.tensor(0)))
                    .gradient((_, g) -> g.t())
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "t() expects a tensor with <= 2 dimensions, but self is 3D",
                                            s.tensor(2, 3, 4))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.tensor(3))));

    static final OperatorRow VIEW =
            differentiable("aten::view(Tensor self, int[] size)", "ViewBackward0")
                    .anyType()
                    .forward(a -> Views.view(a.tensor(0), a.integers(1)))
                    .gradient((s, g) -> g.reshape(s.shape(0)))
                    .light(_ -> true)
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

    /** A view where that is possible; its gradient needs no more than the shape. */
    static final OperatorRow RESHAPE =
            differentiable("aten::reshape(Tensor self, int[] shape)", "ViewBackward0")
                    .anyType()
                    .forward(a -> Views.reshape(a.tensor(0), a.integers(1)))
                    .gradient((s, g) -> Views.reshape(g, s.shape(0)))
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

    static final OperatorRow UNSQUEEZE =
            differentiable("aten::unsqueeze(Tensor self, int dim)", "UnsqueezeBackward0")
                    .anyType()
                    .forward(a -> Views.unsqueeze(a.tensor(0), a.integer(1)))
                    .gradient((s, g) -> Views.reshape(g, s.shape(0)))
                    .light(_ -> true)
                    .refuses(s -> List.of(outside(Refusals.range(-3, 2, 3), s.tensor(2, 3), 3)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 1), args(s.tensor(2), -1)));

    static final OperatorRow SQUEEZE =
            differentiable("aten::squeeze.dim(Tensor self, int dim)", "SqueezeBackward1")
                    .anyType()
                    .forward(a -> Views.squeeze(a.tensor(0), a.integer(1)))
                    .gradient((s, g) -> Views.reshape(g, s.shape(0)))
                    .light(_ -> true)
                    .refuses(Refusals.DIMENSION)
                    .samples(s -> samples(args(s.tensor(2, 1), 1), args(s.tensor(2, 3), 0)));

    static final OperatorRow EXPAND =
            differentiable("aten::expand(Tensor self, int[] size)", "ExpandBackward0")
                    .anyType()
                    .forward(a -> Views.expand(a.tensor(0), a.integers(1)))
                    .gradient((_, g) -> g)
                    .light(_ -> true)
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

    static final OperatorRow NARROW =
            differentiable(
                            "aten::narrow(Tensor self, int dim, int start, int length)",
                            "SliceBackward0")
                    .anyType()
                    .forward(a ->
                            Views.narrow(a.tensor(0), a.integer(1), a.integer(2), a.integer(3)))
                    .gradient((s, g) ->
                            Views.intoZeros(
                                    g,
                                    s.shape(0),
                                    x ->
                                            Views.narrow(
                                                    x,
                                                    s.args().integer(1),
                                                    s.args().integer(2),
                                                    s.args().integer(3))))
                    .light(_ -> true)
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

    static final OperatorRow SELECT =
            differentiable("aten::select.int(Tensor self, int dim, int index)", "SelectBackward0")
                    .anyType()
                    .forward(a -> Views.select(a.tensor(0), a.integer(1), a.integer(2)))
                    .gradient((s, g) ->
                            Views.intoZeros(
                                    g,
                                    s.shape(0),
                                    x -> Views.select(x, s.args().integer(1), s.args().integer(2))))
                    .light(_ -> true)
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

    static final OperatorRow STACK =
            differentiable("aten::stack(Tensor[] tensors, int dim)", "StackBackward0")
                    .forward(a -> Views.stack(a.tensors(0), a.integer(1)))
                    .gradients((s, gs) -> Views.stackGradients(s, gs))
                    .sparse(SparseVariants.STACK)
                    .refuses(s ->
                            List.of(
                                    refusal("stack expects a non-empty TensorList", List.of(), 0),
                                    refusal(
                                            "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1",
                                            List.of(s.tensor(2), s.tensor(3)),
                                            0),
                                    outside(
                                            Refusals.range(-2, 1, 2),
                                            List.of(s.tensor(2), s.tensor(2)),
                                            2)))
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2, 3), s.tensor(2, 3)), 0),
                                    args(List.of(s.tensor(2), s.tensor(2)), -1)));

    static final OperatorRow CAT =
            differentiable("aten::cat(Tensor[] tensors, int dim)", "CatBackward0")
                    .forward(a -> Views.cat(a.tensors(0), a.integer(1)))
                    .gradients((s, gs) -> Views.catGradients(s, gs))
                    .sparse(SparseVariants.CAT)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "torch.cat(): expected a non-empty list of Tensors",
                                            List.of(),
                                            0),
                                    refusal(
                                            "zero-dimensional tensor (at position 0) cannot be concatenated",
                                            List.of(s.tensor(), s.tensor()),
                                            0),
                                    refusal(
                                            "Sizes of tensors must match except in dimension 0. Expected [2, 3] but got [2, 4] for tensor number 1 in the list.",
                                            List.of(s.tensor(2, 3), s.tensor(2, 4)),
                                            0)))
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2, 3), s.tensor(1, 3)), 0),
                                    args(
                                            List.of(
                                                    s.tensor(2, 1),
                                                    s.transposed(2, 2),
                                                    s.tensor(2, 0)),
                                            1)));

    static final OperatorRow SPLIT =
            differentiable(
                            "aten::split.Tensor(Tensor self, int split_size, int dim) -> List",
                            "SplitBackward0")
                    .anyType()
                    .forward(a -> Views.split(a.tensor(0), a.integer(1), a.integer(2)))
                    .gradients((s, gs) -> Views.splitGradient(s, gs))
                    .light(_ -> true)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "split expects split_size be positive, but got split_size=0",
                                            s.tensor(6, 2),
                                            0,
                                            0),
                                    refusal(
                                            "split expects at least a 1-dimensional tensor",
                                            s.tensor(),
                                            1,
                                            0),
                                    outside(Refusals.range(-2, 1, 2), s.tensor(6, 2), 3, 2)))
                    .samples(s -> samples(args(s.tensor(6, 2), 2, 0), args(s.tensor(2, 5), 2, -1)));

    static final OperatorRow CLONE =
            differentiable("aten::clone(Tensor self)", "CloneBackward0")
                    .anyType()
                    .forward(a -> Elementwise.copy(a.tensor(0)))
                    .gradient((_, g) -> g)
                    .sparse(SparseVariants.CLONE)
                    .sparseGradients()
                    .refuses(_ -> List.of(refusal(Refusals.type("clone", "Tensor", "self"), "x")))
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(2, 3))));

    /** The engine casts the gradient back. */
    static final OperatorRow TO =
            differentiable("aten::to.dtype(Tensor self, DType dtype)", "ToCopyBackward0")
                    .anyType()
                    .forward(a -> Elementwise.cast(a.tensor(0), a.dtype(1)))
                    .gradient((_, g) -> g)
                    .sparse(SparseVariants.TO)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            Refusals.type("to.dtype", "DType", "dtype"),
                                            s.tensor(2),
                                            "float64")))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), DType.FLOAT64),
                                    args(s.longs(2, 3), DType.INT32),
                                    args(s.longs(2, 3), DType.BOOL),
                                    args(s.longs(2, 3), DType.FLOAT64),
                                    args(s.ints(2, 3), DType.INT64),
                                    args(s.ints(2, 3), DType.FLOAT32),
                                    args(s.ints(2, 3), DType.BOOL),
                                    args(s.bools(2, 3), DType.INT32),
                                    args(s.bools(2, 3), DType.INT64),
                                    args(s.bools(2, 3), DType.FLOAT64)));

    /** Its gradient goes back because the engine puts gradients where their tensors are. */
    static final OperatorRow TO_DEVICE =
            differentiable("aten::to.device(Tensor self, String device)", "ToCopyBackward0")
                    .anyType()
                    .forward(a -> Devices.copy(a.tensor(0), Device.parse(a.text(1))))
                    .gradient((_, g) -> g)
                    .anyLayout()
                    .refuses(s ->
                            List.of(
                                    refusal("Invalid device string: 'cpu:x'", s.tensor(2), "cpu:x"),
                                    refusal(
                                            "CPU device index must be -1 or zero, got 1",
                                            s.tensor(2),
                                            "cpu:1"),
                                    refusal(
                                            "device type at start of device string: abacus",
                                            s.tensor(2),
                                            "abacus")))
                    .samples(s -> samples(args(s.tensor(2, 3), "cpu")));

    static final OperatorRow DETACH =
            plain("aten::detach(Tensor self)")
                    .anyType()
                    .forward(a -> a.tensor(0).detach())
                    .light(_ -> true)
                    .anyLayout()
                    .refuses(_ -> List.of(refusal(Refusals.type("detach", "Tensor", "self"), "x")))
                    .samples(s -> samples(args(s.tensor(2, 3))));

    static final List<OperatorRow> ALL =
            List.of(
                    TRANSPOSE, T, VIEW, RESHAPE, UNSQUEEZE, SQUEEZE, EXPAND, NARROW, SELECT, STACK,
                    CAT, SPLIT, CLONE, TO, TO_DEVICE, DETACH);

    private ShapeRows() {}
}
