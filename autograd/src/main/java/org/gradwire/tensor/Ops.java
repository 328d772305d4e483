package org.gradwire.tensor;

import org.gradwire.rpc.Builtin;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The operators on tensors, as functions. Each can be called on another worker by name: {@code
 * rpc.rpcSync("worker1", Ops::add, a, b)}. The same operators are methods of {@link Tensor}.
 *
 * <p>Shapes broadcast as in NumPy. Types are promoted as in PyTorch: operands of a later category
 * (bool, integral, floating) decide; of those of the same category tensors that have dimensions,
 * then tensors that have none, then Java numbers; of those the widest. Dimensions may be counted
 * from the end with negative numbers. Shapes and types that do not fit are {@link
 * IllegalArgumentException}s that name them, indices out of range {@link
 * IndexOutOfBoundsException}s.
 */
public final class Ops {

    private Ops() {}

    /** Add, element by element. */
    @Builtin("aten::add.Tensor")
    public static Tensor add(Tensor self, Tensor other) {
        return ArithmeticRows.ADD.tensor(self, other);
    }

    /** Add a number to each element. */
    @Builtin("aten::add.Scalar")
    public static Tensor add(Tensor self, Number other) {
        return ArithmeticRows.ADD_NUMBER.tensor(self, other);
    }

    /** Subtract, element by element. */
    @Builtin("aten::sub.Tensor")
    public static Tensor sub(Tensor self, Tensor other) {
        return ArithmeticRows.SUB.tensor(self, other);
    }

    /** Subtract a number from each element. */
    @Builtin("aten::sub.Scalar")
    public static Tensor sub(Tensor self, Number other) {
        return ArithmeticRows.SUB_NUMBER.tensor(self, other);
    }

    /** Multiply, element by element. */
    @Builtin("aten::mul.Tensor")
    public static Tensor mul(Tensor self, Tensor other) {
        return ArithmeticRows.MUL.tensor(self, other);
    }

    /** Multiply each element by a number. */
    @Builtin("aten::mul.Scalar")
    public static Tensor mul(Tensor self, Number other) {
        return ArithmeticRows.MUL_NUMBER.tensor(self, other);
    }

    /** Divide, element by element; integers give float32. */
    @Builtin("aten::div.Tensor")
    public static Tensor div(Tensor self, Tensor other) {
        return ArithmeticRows.DIV.tensor(self, other);
    }

    /** Divide each element by a number; integers give float32. */
    @Builtin("aten::div.Scalar")
    public static Tensor div(Tensor self, Number other) {
        return ArithmeticRows.DIV_NUMBER.tensor(self, other);
    }

    /** Negate each element. */
    @Builtin("aten::neg")
    public static Tensor neg(Tensor self) {
        return ArithmeticRows.NEG.tensor(self);
    }

    /** Raise each element to a power. */
    @Builtin("aten::pow.Tensor_Scalar")
    public static Tensor pow(Tensor self, Number exponent) {
        return ArithmeticRows.POW.tensor(self, exponent);
    }

    /** Compute e to the power of each element. */
    @Builtin("aten::exp")
    public static Tensor exp(Tensor self) {
        return ArithmeticRows.EXP.tensor(self);
    }

    /** Compute the natural logarithm of each element. */
    @Builtin("aten::log")
    public static Tensor log(Tensor self) {
        return ArithmeticRows.LOG.tensor(self);
    }

    /** Compute the cosine of each element. */
    @Builtin("aten::cos")
    public static Tensor cos(Tensor self) {
        return ArithmeticRows.COS.tensor(self);
    }

    /** Compute the sine of each element. */
    @Builtin("aten::sin")
    public static Tensor sin(Tensor self) {
        return ArithmeticRows.SIN.tensor(self);
    }

    /** Compute the square root of each element. */
    @Builtin("aten::sqrt")
    public static Tensor sqrt(Tensor self) {
        return ArithmeticRows.SQRT.tensor(self);
    }

    /** Replace negative elements by zero. */
    @Builtin("aten::relu")
    public static Tensor relu(Tensor self) {
        return ArithmeticRows.RELU.tensor(self);
    }

    /** Compute the hyperbolic tangent of each element. */
    @Builtin("aten::tanh")
    public static Tensor tanh(Tensor self) {
        return ArithmeticRows.TANH.tensor(self);
    }

    /** Compute {@code 1 / (1 + exp(-x))} of each element. */
    @Builtin("aten::sigmoid")
    public static Tensor sigmoid(Tensor self) {
        return ArithmeticRows.SIGMOID.tensor(self);
    }

    /** Test whether elements are equal to those of another tensor; NaN is not. */
    @Builtin("aten::eq.Tensor")
    public static Tensor eq(Tensor self, Tensor other) {
        return ComparisonRows.EQ.tensor(self, other);
    }

    /** Test whether elements are equal to a number. */
    @Builtin("aten::eq.Scalar")
    public static Tensor eq(Tensor self, Number other) {
        return ComparisonRows.EQ_NUMBER.tensor(self, other);
    }

    /**
     * Test whether elements are different from those of another tensor; NaN is different from
     * everything.
     */
    @Builtin("aten::ne.Tensor")
    public static Tensor ne(Tensor self, Tensor other) {
        return ComparisonRows.NE.tensor(self, other);
    }

    /** Test whether elements are different from a number. */
    @Builtin("aten::ne.Scalar")
    public static Tensor ne(Tensor self, Number other) {
        return ComparisonRows.NE_NUMBER.tensor(self, other);
    }

    /** Test whether elements are less than those of another tensor; NaN is not. */
    @Builtin("aten::lt.Tensor")
    public static Tensor lt(Tensor self, Tensor other) {
        return ComparisonRows.LT.tensor(self, other);
    }

    /** Test whether elements are less than a number. */
    @Builtin("aten::lt.Scalar")
    public static Tensor lt(Tensor self, Number other) {
        return ComparisonRows.LT_NUMBER.tensor(self, other);
    }

    /** Test whether elements are less than or equal to those of another tensor; NaN is not. */
    @Builtin("aten::le.Tensor")
    public static Tensor le(Tensor self, Tensor other) {
        return ComparisonRows.LE.tensor(self, other);
    }

    /** Test whether elements are less than or equal to a number. */
    @Builtin("aten::le.Scalar")
    public static Tensor le(Tensor self, Number other) {
        return ComparisonRows.LE_NUMBER.tensor(self, other);
    }

    /** Test whether elements are greater than those of another tensor; NaN is not. */
    @Builtin("aten::gt.Tensor")
    public static Tensor gt(Tensor self, Tensor other) {
        return ComparisonRows.GT.tensor(self, other);
    }

    /** Test whether elements are greater than a number. */
    @Builtin("aten::gt.Scalar")
    public static Tensor gt(Tensor self, Number other) {
        return ComparisonRows.GT_NUMBER.tensor(self, other);
    }

    /** Test whether elements are greater than or equal to those of another tensor; NaN is not. */
    @Builtin("aten::ge.Tensor")
    public static Tensor ge(Tensor self, Tensor other) {
        return ComparisonRows.GE.tensor(self, other);
    }

    /** Test whether elements are greater than or equal to a number. */
    @Builtin("aten::ge.Scalar")
    public static Tensor ge(Tensor self, Number other) {
        return ComparisonRows.GE_NUMBER.tensor(self, other);
    }

    /** Test whether elements are NaN. */
    @Builtin("aten::isnan")
    public static Tensor isnan(Tensor self) {
        return ComparisonRows.ISNAN.tensor(self);
    }

    /** Test whether elements are infinite. */
    @Builtin("aten::isinf")
    public static Tensor isinf(Tensor self) {
        return ComparisonRows.ISINF.tensor(self);
    }

    /** Test whether elements are neither infinite nor NaN. */
    @Builtin("aten::isfinite")
    public static Tensor isfinite(Tensor self) {
        return ComparisonRows.ISFINITE.tensor(self);
    }

    /** Test whether elements of both tensors are not zero. */
    @Builtin("aten::logical_and")
    public static Tensor logicalAnd(Tensor self, Tensor other) {
        return ComparisonRows.LOGICAL_AND.tensor(self, other);
    }

    /** Test whether elements of at least one of two tensors are not zero. */
    @Builtin("aten::logical_or")
    public static Tensor logicalOr(Tensor self, Tensor other) {
        return ComparisonRows.LOGICAL_OR.tensor(self, other);
    }

    /** Test whether elements of exactly one of two tensors are not zero. */
    @Builtin("aten::logical_xor")
    public static Tensor logicalXor(Tensor self, Tensor other) {
        return ComparisonRows.LOGICAL_XOR.tensor(self, other);
    }

    /** Test whether elements are zero. */
    @Builtin("aten::logical_not")
    public static Tensor logicalNot(Tensor self) {
        return ComparisonRows.LOGICAL_NOT.tensor(self);
    }

    /** Test whether no element is zero; true where there are none. */
    @Builtin("aten::all")
    public static Tensor all(Tensor self) {
        return ComparisonRows.ALL_ELEMENTS.tensor(self);
    }

    /**
     * Test whether no element along a dimension is zero. The dimension stays, with extent 1, if
     * {@code keepdim}.
     */
    @Builtin("aten::all.dim")
    public static Tensor all(Tensor self, int dim, boolean keepdim) {
        return ComparisonRows.ALL_DIM.tensor(self, dim, keepdim);
    }

    /** Test whether any element is not zero; false where there are none. */
    @Builtin("aten::any")
    public static Tensor any(Tensor self) {
        return ComparisonRows.ANY_ELEMENT.tensor(self);
    }

    /**
     * Test whether any element along a dimension is not zero. The dimension stays, with extent 1,
     * if {@code keepdim}.
     */
    @Builtin("aten::any.dim")
    public static Tensor any(Tensor self, int dim, boolean keepdim) {
        return ComparisonRows.ANY_DIM.tensor(self, dim, keepdim);
    }

    /**
     * Choose the elements of {@code self} where a bool condition holds, else those of {@code
     * other}; all three broadcast.
     */
    @Builtin("aten::where.self")
    public static Tensor where(Tensor condition, Tensor self, Tensor other) {
        return SelectionRows.WHERE.tensor(condition, self, other);
    }

    /** Choose the elements of {@code self} where a bool condition holds, else a number. */
    @Builtin("aten::where.ScalarOther")
    public static Tensor where(Tensor condition, Tensor self, Number other) {
        return SelectionRows.WHERE_OTHER_NUMBER.tensor(condition, self, other);
    }

    /** Choose a number where a bool condition holds, else the elements of {@code other}. */
    @Builtin("aten::where.ScalarSelf")
    public static Tensor where(Tensor condition, Number self, Tensor other) {
        return SelectionRows.WHERE_SELF_NUMBER.tensor(condition, self, other);
    }

    /**
     * Choose one number where a bool condition holds, else another; int64 when both are whole, else
     * float32.
     */
    @Builtin("aten::where.Scalar")
    public static Tensor where(Tensor condition, Number self, Number other) {
        return SelectionRows.WHERE_NUMBERS.tensor(condition, self, other);
    }

    /** Replace elements by a number where a bool mask is set; keeps the type. */
    @Builtin("aten::masked_fill.Scalar")
    public static Tensor maskedFill(Tensor self, Tensor mask, Number value) {
        return SelectionRows.MASKED_FILL_NUMBER.tensor(self, mask, value);
    }

    /**
     * Replace elements by the one of a tensor without dimensions where a bool mask is set; keeps
     * the type.
     */
    @Builtin("aten::masked_fill.Tensor")
    public static Tensor maskedFill(Tensor self, Tensor mask, Tensor value) {
        return SelectionRows.MASKED_FILL.tensor(self, mask, value);
    }

    /** Give the elements for which a bool mask is set, as a vector. */
    @Builtin("aten::masked_select")
    public static Tensor maskedSelect(Tensor self, Tensor mask) {
        return SelectionRows.MASKED_SELECT.tensor(self, mask);
    }

    /** Give the indices of the elements that are not zero, in order: int64 {@code [n, dim()]}. */
    @Builtin("aten::nonzero")
    public static Tensor nonzero(Tensor self) {
        return SelectionRows.NONZERO.tensor(self);
    }

    /** Sum all elements. */
    @Builtin("aten::sum")
    public static Tensor sum(Tensor self) {
        return ReductionRows.SUM.tensor(self);
    }

    /**
     * Sum over dimensions; no dimensions mean all. They stay, with extent 1, if {@code keepdim}.
     */
    @Builtin("aten::sum.dim_IntList")
    public static Tensor sum(Tensor self, int[] dim, boolean keepdim) {
        return ReductionRows.SUM_DIMS.tensor(self, dim, keepdim);
    }

    /** Average all elements. */
    @Builtin("aten::mean")
    public static Tensor mean(Tensor self) {
        return ReductionRows.MEAN.tensor(self);
    }

    /**
     * Average over dimensions; no dimensions mean all. They stay, with extent 1, if {@code
     * keepdim}.
     */
    @Builtin("aten::mean.dim")
    public static Tensor mean(Tensor self, int[] dim, boolean keepdim) {
        return ReductionRows.MEAN_DIMS.tensor(self, dim, keepdim);
    }

    /** Turn the scores along a dimension into probabilities that sum to one. */
    @Builtin("aten::softmax.int")
    public static Tensor softmax(Tensor self, int dim) {
        return ReductionRows.SOFTMAX.tensor(self, dim);
    }

    /** Compute the logarithm of {@link #softmax}, more exactly than that. */
    @Builtin("aten::log_softmax.int")
    public static Tensor logSoftmax(Tensor self, int dim) {
        return ReductionRows.LOG_SOFTMAX.tensor(self, dim);
    }

    /**
     * Average minus the log-probabilities {@code [n, classes]} of the classes in {@code target},
     * int64 {@code [n]}.
     */
    @Builtin("aten::nll_loss")
    public static Tensor nllLoss(Tensor self, Tensor target) {
        return ReductionRows.NLL_LOSS.tensor(self, target);
    }

    /**
     * Average the cross-entropy of scores {@code [n, classes]} and the classes in {@code target},
     * int64 {@code [n]}.
     */
    @Builtin("aten::cross_entropy_loss")
    public static Tensor crossEntropy(Tensor self, Tensor target) {
        return ReductionRows.CROSS_ENTROPY.tensor(self, target);
    }

    /** Multiply matrices, vectors, or batches of matrices, which broadcast. */
    @Builtin("aten::matmul")
    public static Tensor matmul(Tensor self, Tensor other) {
        return MatrixRows.MATMUL.tensor(self, other);
    }

    /** Multiply two matrices. */
    @Builtin("aten::mm")
    public static Tensor mm(Tensor self, Tensor mat2) {
        return MatrixRows.MM.tensor(self, mat2);
    }

    /** Multiply pairs of matrices, {@code [b, m, k]} and {@code [b, k, n]}. */
    @Builtin("aten::bmm")
    public static Tensor bmm(Tensor self, Tensor mat2) {
        return MatrixRows.BMM.tensor(self, mat2);
    }

    /** Multiply a matrix and a vector. */
    @Builtin("aten::mv")
    public static Tensor mv(Tensor self, Tensor vec) {
        return MatrixRows.MV.tensor(self, vec);
    }

    /** Multiply two vectors and sum. */
    @Builtin("aten::dot")
    public static Tensor dot(Tensor self, Tensor tensor) {
        return MatrixRows.DOT.tensor(self, tensor);
    }

    /** View with two dimensions swapped. */
    @Builtin("aten::transpose.int")
    public static Tensor transpose(Tensor self, int dim0, int dim1) {
        return ShapeRows.TRANSPOSE.tensor(self, dim0, dim1);
    }

    /** View a matrix as its transpose. */
    @Builtin("aten::t")
    public static Tensor t(Tensor self) {
        return ShapeRows.T.tensor(self);
    }

    /** View with another shape, in which one extent may be -1; fails where that needs a copy. */
    @Builtin("aten::view")
    public static Tensor view(Tensor self, int[] size) {
        return ShapeRows.VIEW.tensor(self, size);
    }

    /** Give another shape, in which one extent may be -1; a view where possible. */
    @Builtin("aten::reshape")
    public static Tensor reshape(Tensor self, int[] shape) {
        return ShapeRows.RESHAPE.tensor(self, shape);
    }

    /** View with one more dimension, of extent 1. */
    @Builtin("aten::unsqueeze")
    public static Tensor unsqueeze(Tensor self, int dim) {
        return ShapeRows.UNSQUEEZE.tensor(self, dim);
    }

    /** View without a dimension, if its extent is 1. */
    @Builtin("aten::squeeze.dim")
    public static Tensor squeeze(Tensor self, int dim) {
        return ShapeRows.SQUEEZE.tensor(self, dim);
    }

    /** View as if dimensions of extent 1 were repeated; -1 keeps an extent. */
    @Builtin("aten::expand")
    public static Tensor expand(Tensor self, int[] size) {
        return ShapeRows.EXPAND.tensor(self, size);
    }

    /** View a range of a dimension. */
    @Builtin("aten::narrow")
    public static Tensor narrow(Tensor self, int dim, int start, int length) {
        return ShapeRows.NARROW.tensor(self, dim, start, length);
    }

    /** View one index of a dimension, which goes away. */
    @Builtin("aten::select.int")
    public static Tensor select(Tensor self, int dim, int index) {
        return ShapeRows.SELECT.tensor(self, dim, index);
    }

    /** View as parts of equal extent along a dimension; the last may be smaller. */
    @Builtin("aten::split.Tensor")
    public static List<Tensor> split(Tensor self, int splitSize, int dim) {
        return ShapeRows.SPLIT.tensors(self, splitSize, dim);
    }

    /** Copy; gradients flow through. PyTorch's {@code clone}. */
    @Builtin("aten::clone")
    public static Tensor copy(Tensor self) {
        return ShapeRows.CLONE.tensor(self);
    }

    /**
     * Convert; gives the tensor itself when it has the type. What is not zero becomes true. Whole
     * numbers wrap; fractions are cut off, and become the nearest whole number where they are
     * beyond its range, NaN zero.
     */
    @Builtin("aten::to.dtype")
    public static Tensor to(Tensor self, DType dtype) {
        return ShapeRows.TO.tensor(self, dtype);
    }

    /** View the same memory without history. */
    @Builtin("aten::detach")
    public static Tensor detach(Tensor self) {
        return ShapeRows.DETACH.tensor(self);
    }

    /** Put tensors of one shape together along a new dimension. */
    @Builtin("aten::stack")
    public static Tensor stack(List<Tensor> tensors, int dim) {
        return ShapeRows.STACK.tensor(tensors, dim);
    }

    /** Put tensors together along a dimension. */
    @Builtin("aten::cat")
    public static Tensor cat(List<Tensor> tensors, int dim) {
        return ShapeRows.CAT.tensor(tensors, dim);
    }

    /** Compute {@code input * weight^T + bias} over the last dimension. */
    @Builtin("aten::linear")
    public static Tensor linear(Tensor input, Tensor weight, @Nullable Tensor bias) {
        return MatrixRows.LINEAR.tensor(input, weight, bias);
    }

    /** Multiply a chain of matrices in the cheapest order; the ends may be vectors. */
    @Builtin("aten::linalg_multi_dot")
    public static Tensor multiDot(List<Tensor> tensors) {
        return MatrixRows.MULTI_DOT.tensor(new @Nullable Object[] {tensors});
    }

    /**
     * Sum or average rows of a weight: bag {@code i} is {@code indices[offsets[i]]} up to the next
     * offset.
     *
     * @param mode {@code sum} or {@code mean}
     * @param perSampleWeights a factor for each index, with mode {@code sum} only
     */
    @Builtin("aten::embedding_bag")
    public static Tensor embeddingBag(
            Tensor weight,
            Tensor indices,
            Tensor offsets,
            String mode,
            @Nullable Tensor perSampleWeights) {
        return NetworkRows.EMBEDDING_BAG.tensor(weight, indices, offsets, mode, perSampleWeights);
    }

    /** Slide the filters {@code [o, c, kh, kw]} over images {@code [n, c, h, w]}. */
    @Builtin("aten::conv2d")
    public static Tensor conv2d(
            Tensor input, Tensor weight, @Nullable Tensor bias, int[] stride, int[] padding) {
        return NetworkRows.CONV2D.tensor(input, weight, bias, stride, padding);
    }
}
