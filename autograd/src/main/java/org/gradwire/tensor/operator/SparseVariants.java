package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.sparse.SparseArithmetic;
import org.gradwire.tensor.sparse.SparseShapes;
import org.gradwire.tensor.sparse.SparseSums;
import org.gradwire.tensor.sparse.SparseTensors;

import java.util.List;

/** Variants of rows for sparse arguments: each belongs to the row with the same declaration. */
final class SparseVariants {
    private static final long[][] PLACES = {{0, 1, 0, 2}, {2, 0, 2, 1}};
    private static final long[][] OTHER_PLACES = {{2, 0, 1}, {1, 2, 1}};
    private static final long[][] ROWS = {{2, 0, 2}};
    private static final long[][] SMALL = {{0}, {1}};

    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.sparse(PLACES, 3, 3), s.sparse(OTHER_PLACES, 3, 3)),
                            args(s.sparse(ROWS, 4, 2), s.sparse(new long[][] {{1, 2}}, 4, 2)));
    private static final Samples INTO_DENSE =
            s ->
                    samples(
                            args(s.tensor(3, 3), s.sparse(PLACES, 3, 3)),
                            args(s.transposed(4, 2), s.sparse(ROWS, 4, 2)));
    private static final Samples WITH_NUMBER =
            s -> samples(args(s.sparse(PLACES, 3, 3), 2), args(s.sparse(ROWS, 4, 2), -1.5));
    private static final Samples LISTS =
            s ->
                    samples(
                            args(List.of(s.sparse(PLACES, 3, 3), s.sparse(OTHER_PLACES, 3, 3)), 0),
                            args(List.of(s.sparse(PLACES, 3, 3), s.sparse(OTHER_PLACES, 3, 3)), 1),
                            args(List.of(s.sparse(ROWS, 4, 2), s.sparse(ROWS, 4, 2)), -1));

    static final OperatorRow ADD =
            differentiable("aten::add.Tensor(Tensor self, Tensor other)", "AddBackward0")
                    .forward(a -> SparseArithmetic.add(a.tensor(0), a.tensor(1), 1))
                    .gradient((_, g) -> g, (_, g) -> g)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "add: expected sizes of 'self' and 'other' to match, but [3, 3] != [2, 2]",
                                            s.sparse(PLACES, 3, 3),
                                            s.sparse(SMALL, 2, 2)),
                                    refusal(
                                            "add: expected 'self' and 'other' to have same density, but 'self' has 2 sparse dimensions while 'other' has 1 sparse dimensions",
                                            s.sparse(PLACES, 3, 3),
                                            s.sparse(ROWS, 3, 3)),
                                    refusal(
                                            "add(sparse, dense) is not supported. Use add(dense, sparse) instead.",
                                            s.sparse(PLACES, 3, 3),
                                            s.tensor(3, 3))))
                    .samples(PAIRS);

    static final OperatorRow ADD_TO_DENSE =
            differentiable("aten::add.Tensor(Tensor self, Tensor other)", "AddBackward0")
                    .when(a -> !a.tensor(0).isSparse())
                    .forward(a -> SparseArithmetic.add(a.tensor(0), a.tensor(1), 1))
                    .keep(Keep.inputs(1))
                    .gradient(
                            (_, g) -> g,
                            (s, g) -> SparseTensors.masked(SparseTensors.densified(g), s.input(1)))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "self has size [2, 2] while other has size [3, 3]",
                                            s.tensor(2, 2),
                                            s.sparse(PLACES, 3, 3))))
                    .samples(INTO_DENSE);

    static final OperatorRow SUB =
            differentiable("aten::sub.Tensor(Tensor self, Tensor other)", "SubBackward0")
                    .forward(a -> SparseArithmetic.sub(a.tensor(0), a.tensor(1)))
                    .gradient((_, g) -> g, (_, g) -> g.neg())
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "sub does not take two bool tensors;",
                                            bools(s),
                                            bools(s)),
                                    refusal(
                                            "but [3, 3] != [2, 2]",
                                            s.sparse(PLACES, 3, 3),
                                            s.sparse(SMALL, 2, 2))))
                    .samples(PAIRS);

    static final OperatorRow SUB_FROM_DENSE =
            differentiable("aten::sub.Tensor(Tensor self, Tensor other)", "SubBackward0")
                    .when(a -> !a.tensor(0).isSparse())
                    .forward(a -> SparseArithmetic.sub(a.tensor(0), a.tensor(1)))
                    .keep(Keep.inputs(1))
                    .gradient(
                            (_, g) -> g,
                            (s, g) ->
                                    SparseTensors.masked(
                                            SparseTensors.densified(g).neg(), s.input(1)))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "self has size [2, 2] while other has size [3, 3]",
                                            s.tensor(2, 2),
                                            s.sparse(PLACES, 3, 3))))
                    .samples(INTO_DENSE);

    static final OperatorRow MUL =
            differentiable("aten::mul.Tensor(Tensor self, Tensor other)", "MulBackward0")
                    .forward(a -> SparseArithmetic.mul(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient((s, g) -> g.mul(s.input(1)), (s, g) -> g.mul(s.input(0)))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "mul: expected 'self' and 'other' to have same sizes, but [3, 3] != [2, 2]",
                                            s.sparse(PLACES, 3, 3),
                                            s.sparse(SMALL, 2, 2)),
                                    refusal(
                                            "mul: a dense factor must broadcast to the shape of the sparse one; the shapes are [2, 3, 3] and [3, 3]",
                                            s.sparse(PLACES, 3, 3),
                                            s.tensor(2, 3, 3))))
                    .samples(s ->
                            samples(
                                    args(s.sparse(PLACES, 3, 3), s.sparse(OTHER_PLACES, 3, 3)),
                                    args(s.sparse(PLACES, 3, 3), s.tensor(3, 3)),
                                    args(s.tensor(3, 3), s.sparse(PLACES, 3, 3)),
                                    args(s.sparse(ROWS, 4, 2), s.tensor())));

    static final OperatorRow MUL_NUMBER =
            differentiable("aten::mul.Scalar(Tensor self, Scalar other)", "MulBackward0")
                    .forward(a -> withNumber(Binary.MUL, a))
                    .gradient((s, g) -> g.mul(s.args().number(1)))
                    .sparseGradients()
                    .samples(WITH_NUMBER);

    static final OperatorRow DIV_NUMBER =
            differentiable("aten::div.Scalar(Tensor self, Scalar other)", "DivBackward0")
                    .forward(a -> withNumber(Binary.DIV, a))
                    .gradient((s, g) -> g.div(s.args().number(1)))
                    .sparseGradients()
                    .samples(WITH_NUMBER);

    static final OperatorRow NEG =
            differentiable("aten::neg(Tensor self)", "NegBackward0")
                    .forward(a -> SparseArithmetic.map(a.tensor(0), Elementwise::neg))
                    .gradient((_, g) -> g.neg())
                    .sparseGradients()
                    .refuses(s -> List.of(refusal("neg does not take a bool tensor.", bools(s))))
                    .samples(SparseRows::uncoalesced);

    static final OperatorRow SUM =
            differentiable("aten::sum(Tensor self)", "SumBackward0")
                    .forward(a -> SparseSums.sum(a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> SparseSums.sumGradient(g, s.input(0)))
                    .sparseGradients()
                    .samples(SparseRows::uncoalesced);

    static final OperatorRow SUM_DIMS =
            differentiable(
                            "aten::sum.dim_IntList(Tensor self, int[] dim, boolean keepdim)",
                            "SparseSumBackward0")
                    .forward(a -> SparseSums.sum(a.tensor(0), a.integers(1), a.flag(2)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            SparseSums.sumGradient(
                                    g, s.input(0), s.args().integers(1), s.args().flag(2)))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    outside(
                                            ErrorSamples.range(-2, 1, 2),
                                            s.sparse(PLACES, 3, 3),
                                            new int[] {2},
                                            false)))
                    .samples(s ->
                            samples(
                                    args(s.sparse(PLACES, 3, 3), new int[] {0}, false),
                                    args(s.sparse(PLACES, 3, 3), new int[] {-1}, true),
                                    args(s.sparse(PLACES, 3, 3), new int[] {0, 1}, false),
                                    args(s.sparse(PLACES, 3, 3, 2), new int[] {1, 2}, false),
                                    args(s.sparse(ROWS, 4, 2, 3), new int[] {1}, true),
                                    args(s.sparse(ROWS, 4, 2), new int[] {0}, true),
                                    args(s.sparse(ROWS, 4, 2), new int[] {}, false)));

    static final OperatorRow NARROW =
            differentiable(
                            "aten::narrow(Tensor self, int dim, int start, int length)",
                            "SliceBackward0")
                    .anyType()
                    .forward(a ->
                            SparseShapes.narrow(
                                    a.tensor(0), a.integer(1), a.integer(2), a.integer(3)))
                    .gradient((s, g) -> SparseShapes.narrowGradient(s, g))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "start (2) + length (2) exceeds dimension size (3).",
                                            s.sparse(PLACES, 3, 3),
                                            1,
                                            2,
                                            2),
                                    refusal(
                                            "narrow() cannot be applied to a 0-dim tensor.",
                                            s.tensor().detach().toSparse(),
                                            0,
                                            0,
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.sparse(PLACES, 3, 3), 1, 1, 2),
                                    args(s.sparse(ROWS, 4, 2), -1, 0, 1)));

    static final OperatorRow SELECT =
            differentiable("aten::select.int(Tensor self, int dim, int index)", "SelectBackward0")
                    .anyType()
                    .forward(a -> SparseShapes.select(a.tensor(0), a.integer(1), a.integer(2)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> SparseShapes.selectGradient(s, g))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "select(): index 3 out of range for tensor of size [3, 3] at dimension 0",
                                            s.sparse(PLACES, 3, 3),
                                            0,
                                            3),
                                    outside(
                                            "select() cannot be applied to a 0-dim tensor.",
                                            s.tensor().detach().toSparse(),
                                            0,
                                            0)))
                    .samples(s ->
                            samples(
                                    args(s.sparse(PLACES, 3, 3), 0, 0),
                                    args(s.sparse(PLACES, 3, 3, 2), 2, -1),
                                    args(s.sparse(PLACES, 3, 3), -1, 1)));

    static final OperatorRow STACK =
            differentiable("aten::stack(Tensor[] tensors, int dim)", "StackBackward0")
                    .forward(a -> SparseShapes.stack(a.tensors(0), a.integer(1)))
                    .gradients((s, gs) -> SparseShapes.stackGradients(s, gs))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "stack expects each tensor to be equal size, but got [3, 3] at entry 0 and [2, 2] at entry 1",
                                            List.of(s.sparse(PLACES, 3, 3), s.sparse(SMALL, 2, 2)),
                                            0),
                                    refusal(
                                            "Concatenating sparse tensors, but a dense tensor was found at position 1.",
                                            List.of(s.sparse(PLACES, 3, 3), s.tensor(3, 3)),
                                            0)))
                    .samples(LISTS);

    static final OperatorRow CAT =
            differentiable("aten::cat(Tensor[] tensors, int dim)", "CatBackward0")
                    .forward(a -> SparseShapes.cat(a.tensors(0), a.integer(1)))
                    .gradients((s, gs) -> SparseShapes.catGradients(s, gs))
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Sizes of tensors must match except in dimension 0. Expected [3, 3] but got [2, 2] for tensor number 1 in the list.",
                                            List.of(s.sparse(PLACES, 3, 3), s.sparse(SMALL, 2, 2)),
                                            0),
                                    refusal(
                                            "All tensors must have the same number of sparseDim as the first tensor, 2; the one at position 1 has 1",
                                            List.of(s.sparse(PLACES, 3, 3), s.sparse(ROWS, 3, 3)),
                                            0),
                                    refusal(
                                            "zero-dimensional tensor (at position 0) cannot be concatenated",
                                            List.of(s.tensor().detach().toSparse()),
                                            0)))
                    .samples(LISTS);

    static final OperatorRow CLONE =
            differentiable("aten::clone(Tensor self)", "CloneBackward0")
                    .anyType()
                    .forward(a -> SparseArithmetic.copy(a.tensor(0)))
                    .gradient((_, g) -> g)
                    .sparseGradients()
                    .samples(SparseRows::uncoalesced);

    static final OperatorRow TO =
            differentiable("aten::to.dtype(Tensor self, DType dtype)", "ToCopyBackward0")
                    .anyType()
                    .forward(a -> SparseArithmetic.cast(a.tensor(0), a.dtype(1)))
                    .gradient((_, g) -> g)
                    .sparseGradients()
                    .samples(s -> samples(args(s.sparse(PLACES, 3, 3), DType.FLOAT64)));

    private SparseVariants() {}

    private static Tensor bools(Sampler s) {
        return s.sparse(PLACES, 3, 3).detach().to(DType.BOOL);
    }

    private static Tensor withNumber(Binary function, Args a) {
        return SparseArithmetic.map(
                a.tensor(0), values -> Elementwise.binary(function, values, a.number(1)));
    }
}
