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

    /** Compute the absolute value of each element. */
    @Builtin("aten::abs")
    public static Tensor abs(Tensor self) {
        return UnaryRows.ABS.tensor(self);
    }

    /** Compute the sign of each element: -1, 0 or 1. */
    @Builtin("aten::sign")
    public static Tensor sign(Tensor self) {
        return UnaryRows.SIGN.tensor(self);
    }

    /** Compute the square of each element. */
    @Builtin("aten::square")
    public static Tensor square(Tensor self) {
        return UnaryRows.SQUARE.tensor(self);
    }

    /** Divide 1 by each element. */
    @Builtin("aten::reciprocal")
    public static Tensor reciprocal(Tensor self) {
        return UnaryRows.RECIPROCAL.tensor(self);
    }

    /** Divide 1 by the square root of each element. */
    @Builtin("aten::rsqrt")
    public static Tensor rsqrt(Tensor self) {
        return UnaryRows.RSQRT.tensor(self);
    }

    /** Compute the natural logarithm of 1 plus each element, exact near 0. */
    @Builtin("aten::log1p")
    public static Tensor log1p(Tensor self) {
        return UnaryRows.LOG1P.tensor(self);
    }

    /** Compute e to the power of each element, minus 1, exact near 0. */
    @Builtin("aten::expm1")
    public static Tensor expm1(Tensor self) {
        return UnaryRows.EXPM1.tensor(self);
    }

    /** Compute the binary logarithm of each element. */
    @Builtin("aten::log2")
    public static Tensor log2(Tensor self) {
        return UnaryRows.LOG2.tensor(self);
    }

    /** Compute the decimal logarithm of each element. */
    @Builtin("aten::log10")
    public static Tensor log10(Tensor self) {
        return UnaryRows.LOG10.tensor(self);
    }

    /** Compute the tangent of each element. */
    @Builtin("aten::tan")
    public static Tensor tan(Tensor self) {
        return UnaryRows.TAN.tensor(self);
    }

    /** Compute the arc sine of each element. */
    @Builtin("aten::asin")
    public static Tensor asin(Tensor self) {
        return UnaryRows.ASIN.tensor(self);
    }

    /** Compute the arc cosine of each element. */
    @Builtin("aten::acos")
    public static Tensor acos(Tensor self) {
        return UnaryRows.ACOS.tensor(self);
    }

    /** Compute the arc tangent of each element. */
    @Builtin("aten::atan")
    public static Tensor atan(Tensor self) {
        return UnaryRows.ATAN.tensor(self);
    }

    /** Compute the hyperbolic sine of each element. */
    @Builtin("aten::sinh")
    public static Tensor sinh(Tensor self) {
        return UnaryRows.SINH.tensor(self);
    }

    /** Compute the hyperbolic cosine of each element. */
    @Builtin("aten::cosh")
    public static Tensor cosh(Tensor self) {
        return UnaryRows.COSH.tensor(self);
    }

    /** Compute the error function of each element. */
    @Builtin("aten::erf")
    public static Tensor erf(Tensor self) {
        return UnaryRows.ERF.tensor(self);
    }

    /** Round each element down. */
    @Builtin("aten::floor")
    public static Tensor floor(Tensor self) {
        return UnaryRows.FLOOR.tensor(self);
    }

    /** Round each element up. */
    @Builtin("aten::ceil")
    public static Tensor ceil(Tensor self) {
        return UnaryRows.CEIL.tensor(self);
    }

    /** Round each element to the nearest whole number, half to the even one. */
    @Builtin("aten::round")
    public static Tensor round(Tensor self) {
        return UnaryRows.ROUND.tensor(self);
    }

    /** Cut off the fraction of each element. */
    @Builtin("aten::trunc")
    public static Tensor trunc(Tensor self) {
        return UnaryRows.TRUNC.tensor(self);
    }

    /**
     * Compute {@code x * P(X <= x)} of each element, X being normally distributed.
     *
     * @param approximate {@code none}, or {@code tanh} for a faster approximation
     */
    @Builtin("aten::gelu")
    public static Tensor gelu(Tensor self, String approximate) {
        return ActivationRows.GELU.tensor(self, approximate);
    }

    /** Compute {@code x * sigmoid(x)} of each element. */
    @Builtin("aten::silu")
    public static Tensor silu(Tensor self) {
        return ActivationRows.SILU.tensor(self);
    }

    /**
     * Compute {@code log(1 + exp(beta * x)) / beta} of each element; x itself where {@code beta *
     * x} is beyond the threshold.
     */
    @Builtin("aten::softplus")
    public static Tensor softplus(Tensor self, Number beta, Number threshold) {
        return ActivationRows.SOFTPLUS.tensor(self, beta, threshold);
    }

    /** Multiply negative elements by a slope. */
    @Builtin("aten::leaky_relu")
    public static Tensor leakyRelu(Tensor self, Number negativeSlope) {
        return ActivationRows.LEAKY_RELU.tensor(self, negativeSlope);
    }

    /** Replace negative elements by {@code alpha * (exp(x) - 1)}. */
    @Builtin("aten::elu")
    public static Tensor elu(Tensor self, Number alpha) {
        return ActivationRows.ELU.tensor(self, alpha);
    }

    /** Keep elements within bounds; at and beyond them the gradient is zero. */
    @Builtin("aten::hardtanh")
    public static Tensor hardtanh(Tensor self, Number minVal, Number maxVal) {
        return ActivationRows.HARDTANH.tensor(self, minVal, maxVal);
    }

    /** Keep elements within bounds, of which one may be null; the upper one wins over the lower. */
    @Builtin("aten::clamp")
    public static Tensor clamp(Tensor self, @Nullable Number min, @Nullable Number max) {
        return BoundRows.CLAMP.tensor(self, min, max);
    }

    /** Replace elements that are smaller than a bound by it; all by NaN where it is NaN. */
    @Builtin("aten::clamp_min")
    public static Tensor clampMin(Tensor self, Number min) {
        return BoundRows.CLAMP_MIN.tensor(self, min);
    }

    /** Replace elements that are larger than a bound by it; all by NaN where it is NaN. */
    @Builtin("aten::clamp_max")
    public static Tensor clampMax(Tensor self, Number max) {
        return BoundRows.CLAMP_MAX.tensor(self, max);
    }

    /**
     * Take the larger of each pair of elements; equal ones share the gradient. Positive zero is the
     * larger of two zeros, and NaN wins.
     */
    @Builtin("aten::maximum")
    public static Tensor maximum(Tensor self, Tensor other) {
        return BoundRows.MAXIMUM.tensor(self, other);
    }

    /**
     * Take the smaller of each pair of elements; equal ones share the gradient. Negative zero is
     * the smaller of two zeros, and NaN wins.
     */
    @Builtin("aten::minimum")
    public static Tensor minimum(Tensor self, Tensor other) {
        return BoundRows.MINIMUM.tensor(self, other);
    }

    /** Raise each element to the power that another tensor holds. */
    @Builtin("aten::pow.Tensor_Tensor")
    public static Tensor pow(Tensor self, Tensor exponent) {
        return CombinationRows.POW.tensor(self, exponent);
    }

    /** Raise a number to the power of each element. */
    @Builtin("aten::pow.Scalar")
    public static Tensor pow(Number self, Tensor exponent) {
        return CombinationRows.NUMBER_POW.tensor(self, exponent);
    }

    /**
     * Compute the angle between the positive axis and the point with the coordinates {@code (other,
     * self)}.
     */
    @Builtin("aten::atan2")
    public static Tensor atan2(Tensor self, Tensor other) {
        return CombinationRows.ATAN2.tensor(self, other);
    }

    /** Compute the remainder of a division, with the sign of the divisor. */
    @Builtin("aten::remainder.Tensor")
    public static Tensor remainder(Tensor self, Tensor other) {
        return CombinationRows.REMAINDER.tensor(self, other);
    }

    /** Compute the remainder of a division, with the sign of the divisor. */
    @Builtin("aten::remainder.Scalar")
    public static Tensor remainder(Tensor self, Number other) {
        return CombinationRows.REMAINDER_NUMBER.tensor(self, other);
    }

    /** Compute the remainder of a division, with the sign of the dividend. */
    @Builtin("aten::fmod.Tensor")
    public static Tensor fmod(Tensor self, Tensor other) {
        return CombinationRows.FMOD.tensor(self, other);
    }

    /** Compute the remainder of a division, with the sign of the dividend. */
    @Builtin("aten::fmod.Scalar")
    public static Tensor fmod(Tensor self, Number other) {
        return CombinationRows.FMOD_NUMBER.tensor(self, other);
    }

    /** Compute {@code self + weight * (end - self)}. */
    @Builtin("aten::lerp.Scalar")
    public static Tensor lerp(Tensor self, Tensor end, Number weight) {
        return CombinationRows.LERP_NUMBER.tensor(self, end, weight);
    }

    /** Compute {@code self + weight * (end - self)}. */
    @Builtin("aten::lerp.Tensor")
    public static Tensor lerp(Tensor self, Tensor end, Tensor weight) {
        return CombinationRows.LERP.tensor(self, end, weight);
    }

    /** Compute {@code self + value * tensor1 * tensor2}. */
    @Builtin("aten::addcmul")
    public static Tensor addcmul(Tensor self, Tensor tensor1, Tensor tensor2, Number value) {
        return CombinationRows.ADDCMUL.tensor(self, tensor1, tensor2, value);
    }

    /** Compute {@code self + value * tensor1 / tensor2}. */
    @Builtin("aten::addcdiv")
    public static Tensor addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, Number value) {
        return CombinationRows.ADDCDIV.tensor(self, tensor1, tensor2, value);
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

    /** Find the largest element; equal ones share the gradient. */
    @Builtin("aten::max")
    public static Tensor max(Tensor self) {
        return ExtremeRows.MAX.tensor(self);
    }

    /**
     * Find the largest elements along a dimension, which stays with extent 1 if {@code keepdim}:
     * their values, and the index of the first of each.
     */
    @Builtin("aten::max.dim")
    public static List<Tensor> max(Tensor self, int dim, boolean keepdim) {
        return ExtremeRows.MAX_DIM.tensors(self, dim, keepdim);
    }

    /**
     * Find the largest elements over dimensions; no dimensions mean all. They stay, with extent 1,
     * if {@code keepdim}. Equal ones share the gradient.
     */
    @Builtin("aten::amax")
    public static Tensor amax(Tensor self, int[] dim, boolean keepdim) {
        return ExtremeRows.AMAX.tensor(self, dim, keepdim);
    }

    /**
     * Find the index of the first of the largest elements along a dimension; among all elements, in
     * row-major order, where there is none.
     */
    @Builtin("aten::argmax")
    public static Tensor argmax(Tensor self, @Nullable Integer dim, boolean keepdim) {
        return ExtremeRows.ARGMAX.tensor(self, dim, keepdim);
    }

    /** Find the smallest element; equal ones share the gradient. */
    @Builtin("aten::min")
    public static Tensor min(Tensor self) {
        return ExtremeRows.MIN.tensor(self);
    }

    /**
     * Find the smallest elements along a dimension, which stays with extent 1 if {@code keepdim}:
     * their values, and the index of the first of each.
     */
    @Builtin("aten::min.dim")
    public static List<Tensor> min(Tensor self, int dim, boolean keepdim) {
        return ExtremeRows.MIN_DIM.tensors(self, dim, keepdim);
    }

    /**
     * Find the smallest elements over dimensions; no dimensions mean all. They stay, with extent 1,
     * if {@code keepdim}. Equal ones share the gradient.
     */
    @Builtin("aten::amin")
    public static Tensor amin(Tensor self, int[] dim, boolean keepdim) {
        return ExtremeRows.AMIN.tensor(self, dim, keepdim);
    }

    /**
     * Find the index of the first of the smallest elements along a dimension; among all elements,
     * in row-major order, where there is none.
     */
    @Builtin("aten::argmin")
    public static Tensor argmin(Tensor self, @Nullable Integer dim, boolean keepdim) {
        return ExtremeRows.ARGMIN.tensor(self, dim, keepdim);
    }

    /**
     * Compute the variance of all elements.
     *
     * @param unbiased whether to divide by one less than their number
     */
    @Builtin("aten::var")
    public static Tensor var(Tensor self, boolean unbiased) {
        return StatisticsRows.VAR.tensor(self, unbiased);
    }

    /**
     * Compute the variance over dimensions; no dimensions mean all. They stay, with extent 1, if
     * {@code keepdim}.
     *
     * @param correction by how much the divisor is less than the number of elements: 1 for the
     *     unbiased estimate
     */
    @Builtin("aten::var.correction")
    public static Tensor var(Tensor self, int[] dim, int correction, boolean keepdim) {
        return StatisticsRows.VAR_DIMS.tensor(self, dim, correction, keepdim);
    }

    /**
     * Compute the standard deviation of all elements.
     *
     * @param unbiased whether to divide by one less than their number
     */
    @Builtin("aten::std")
    public static Tensor std(Tensor self, boolean unbiased) {
        return StatisticsRows.STD.tensor(self, unbiased);
    }

    /**
     * Compute the standard deviation over dimensions; no dimensions mean all. They stay, with
     * extent 1, if {@code keepdim}.
     *
     * @param correction by how much the divisor is less than the number of elements: 1 for the
     *     unbiased estimate
     */
    @Builtin("aten::std.correction")
    public static Tensor std(Tensor self, int[] dim, int correction, boolean keepdim) {
        return StatisticsRows.STD_DIMS.tensor(self, dim, correction, keepdim);
    }

    /**
     * Compute the p-norm of all elements: {@code sum(abs(x)^p)^(1/p)}; the number of those that are
     * not zero for 0, the largest absolute value for infinity, the smallest for minus infinity.
     */
    @Builtin("aten::norm.Scalar")
    public static Tensor norm(Tensor self, Number p) {
        return StatisticsRows.NORM.tensor(self, p);
    }

    /**
     * Compute the p-norm over dimensions, as {@link #norm(Tensor, Number)}; no dimensions mean all.
     * They stay, with extent 1, if {@code keepdim}.
     */
    @Builtin("aten::norm.ScalarOpt_dim")
    public static Tensor norm(Tensor self, Number p, int[] dim, boolean keepdim) {
        return StatisticsRows.NORM_DIMS.tensor(self, p, dim, keepdim);
    }

    /** Multiply all elements; whole numbers give int64. */
    @Builtin("aten::prod")
    public static Tensor prod(Tensor self) {
        return StatisticsRows.PROD.tensor(self);
    }

    /** Multiply along a dimension, which stays with extent 1 if {@code keepdim}. */
    @Builtin("aten::prod.dim_int")
    public static Tensor prod(Tensor self, int dim, boolean keepdim) {
        return StatisticsRows.PROD_DIM.tensor(self, dim, keepdim);
    }

    /** Compute the running sums along a dimension; whole numbers give int64. */
    @Builtin("aten::cumsum")
    public static Tensor cumsum(Tensor self, int dim) {
        return StatisticsRows.CUMSUM.tensor(self, dim);
    }

    /**
     * Compute {@code log(sum(exp(x)))} over dimensions, without overflow; no dimensions mean all.
     * They stay, with extent 1, if {@code keepdim}.
     */
    @Builtin("aten::logsumexp")
    public static Tensor logsumexp(Tensor self, int[] dim, boolean keepdim) {
        return StatisticsRows.LOGSUMEXP.tensor(self, dim, keepdim);
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
        return LossRows.NLL_LOSS.tensor(self, target);
    }

    /**
     * Average the cross-entropy of scores {@code [n, classes]} and the classes in {@code target},
     * int64 {@code [n]}.
     */
    @Builtin("aten::cross_entropy_loss")
    public static Tensor crossEntropy(Tensor self, Tensor target) {
        return LossRows.CROSS_ENTROPY.tensor(self, target);
    }

    /**
     * Take minus the log-probabilities {@code [c]}, {@code [n, c]} or {@code [n, c, d1, ...]} of
     * the classes in {@code target}, int64 of the same shape without {@code c}.
     *
     * @param weight how much each class counts, {@code [c]}; null for all alike
     * @param reduction {@code none}, {@code sum}, or {@code mean}, which is one by weight
     * @param ignoreIndex a class that counts for nothing; PyTorch's is -100
     */
    @Builtin("aten::nll_loss_nd")
    public static Tensor nllLoss(
            Tensor self,
            Tensor target,
            @Nullable Tensor weight,
            String reduction,
            int ignoreIndex) {
        return LossRows.NLL_LOSS_ND.tensor(self, target, weight, reduction, ignoreIndex);
    }

    /**
     * Take the cross-entropy of scores {@code [c]}, {@code [n, c]} or {@code [n, c, d1, ...]} and
     * the classes in {@code target}, int64 of the same shape without {@code c}, or the
     * probabilities of classes, of the same shape.
     *
     * @param labelSmoothing the part of the target, from 0 to 1, that goes to all classes alike
     * @see #nllLoss(Tensor, Tensor, Tensor, String, int)
     */
    @Builtin("aten::cross_entropy_loss.weight")
    public static Tensor crossEntropy(
            Tensor self,
            Tensor target,
            @Nullable Tensor weight,
            String reduction,
            int ignoreIndex,
            double labelSmoothing) {
        return LossRows.CROSS_ENTROPY_WEIGHT.tensor(
                self, target, weight, reduction, ignoreIndex, labelSmoothing);
    }

    /**
     * Square the differences.
     *
     * @param reduction {@code none}, {@code mean} or {@code sum}, here and below
     */
    @Builtin("aten::mse_loss")
    public static Tensor mseLoss(Tensor self, Tensor target, String reduction) {
        return LossRows.MSE_LOSS.tensor(self, target, reduction);
    }

    /** Take the absolute values of the differences. */
    @Builtin("aten::l1_loss")
    public static Tensor l1Loss(Tensor self, Tensor target, String reduction) {
        return LossRows.L1_LOSS.tensor(self, target, reduction);
    }

    /** As {@link #l1Loss}, with a parabola where the difference is less than {@code beta}. */
    @Builtin("aten::smooth_l1_loss")
    public static Tensor smoothL1Loss(Tensor self, Tensor target, String reduction, double beta) {
        return LossRows.SMOOTH_L1_LOSS.tensor(self, target, reduction, beta);
    }

    /** Halve the squares of differences up to {@code delta}, and go on as a line beyond. */
    @Builtin("aten::huber_loss")
    public static Tensor huberLoss(Tensor self, Tensor target, String reduction, double delta) {
        return LossRows.HUBER_LOSS.tensor(self, target, reduction, delta);
    }

    /**
     * Take the cross-entropy of probabilities and those that were to be found, element by element.
     * Logarithms do not go below -100.
     *
     * @param weight of each element, broadcast; null for all alike
     */
    @Builtin("aten::binary_cross_entropy")
    public static Tensor bceLoss(
            Tensor self, Tensor target, @Nullable Tensor weight, String reduction) {
        return LossRows.BINARY_CROSS_ENTROPY.tensor(self, target, weight, reduction);
    }

    /**
     * As {@link #bceLoss} of the sigmoid of scores, which may be of any size.
     *
     * @param posWeight how much more a target of 1 counts, broadcast; null for no more
     */
    @Builtin("aten::binary_cross_entropy_with_logits")
    public static Tensor bceWithLogits(
            Tensor self,
            Tensor target,
            @Nullable Tensor weight,
            @Nullable Tensor posWeight,
            String reduction) {
        return LossRows.BINARY_CROSS_ENTROPY_WITH_LOGITS.tensor(
                self, target, weight, posWeight, reduction);
    }

    /**
     * Take the Kullback-Leibler divergence of log-probabilities from probabilities, element by
     * element.
     *
     * @param logTarget whether the target holds log-probabilities as well
     */
    @Builtin("aten::kl_div")
    public static Tensor klDiv(Tensor self, Tensor target, String reduction, boolean logTarget) {
        return LossRows.KL_DIV.tensor(self, target, reduction, logTarget);
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

    /** View with the dimensions in another order. */
    @Builtin("aten::permute")
    public static Tensor permute(Tensor self, int[] dims) {
        return ViewRows.PERMUTE.tensor(self, dims);
    }

    /** View with some dimensions moved to other places; the others keep their order. */
    @Builtin("aten::movedim.intlist")
    public static Tensor movedim(Tensor self, int[] source, int[] destination) {
        return ViewRows.MOVEDIM.tensor(self, source, destination);
    }

    /**
     * View a range of a dimension as Python's {@code start:end:step} does: negative positions count
     * from the end, and what is out of range is cut off.
     *
     * @param end not included; {@link Integer#MAX_VALUE} for all that follows
     * @param step positive
     */
    @Builtin("aten::slice.Tensor")
    public static Tensor slice(Tensor self, int dim, int start, int end, int step) {
        return ViewRows.SLICE.tensor(self, dim, start, end, step);
    }

    /** View without the dimensions of extent 1. */
    @Builtin("aten::squeeze")
    public static Tensor squeeze(Tensor self) {
        return ViewRows.SQUEEZE_ALL.tensor(self);
    }

    /** Make one dimension of a range of them, both ends included; a view where possible. */
    @Builtin("aten::flatten.using_ints")
    public static Tensor flatten(Tensor self, int startDim, int endDim) {
        return ViewRows.FLATTEN.tensor(self, startDim, endDim);
    }

    /** View with one dimension as several, of which one extent may be -1. */
    @Builtin("aten::unflatten.int")
    public static Tensor unflatten(Tensor self, int dim, int[] sizes) {
        return ViewRows.UNFLATTEN.tensor(self, dim, sizes);
    }

    /** View as parts of given extents along a dimension. */
    @Builtin("aten::split_with_sizes")
    public static List<Tensor> split(Tensor self, int[] splitSizes, int dim) {
        return ViewRows.SPLIT_SIZES.tensors(self, splitSizes, dim);
    }

    /** View as at most so many parts of equal extent along a dimension; the last may be smaller. */
    @Builtin("aten::chunk")
    public static List<Tensor> chunk(Tensor self, int chunks, int dim) {
        return ViewRows.CHUNK.tensors(self, chunks, dim);
    }

    /** View as the slices at each index of a dimension, which goes away. */
    @Builtin("aten::unbind.int")
    public static List<Tensor> unbind(Tensor self, int dim) {
        return ViewRows.UNBIND.tensors(self, dim);
    }

    /**
     * View a diagonal of two dimensions, as a last dimension in place of them.
     *
     * @param offset positive for diagonals above the main one
     */
    @Builtin("aten::diagonal")
    public static Tensor diagonal(Tensor self, int offset, int dim1, int dim2) {
        return ViewRows.DIAGONAL.tensor(self, offset, dim1, dim2);
    }

    /** As {@link #expand}, to the shape of another tensor. */
    @Builtin("aten::expand_as")
    public static Tensor expandAs(Tensor self, Tensor other) {
        return ViewRows.EXPAND_AS.tensor(self, other);
    }

    /** As {@link #view}, with the shape of another tensor. */
    @Builtin("aten::view_as")
    public static Tensor viewAs(Tensor self, Tensor other) {
        return ViewRows.VIEW_AS.tensor(self, other);
    }

    /** The same as {@link #expand}. */
    @Builtin("aten::broadcast_to")
    public static Tensor broadcastTo(Tensor self, int[] size) {
        return ViewRows.BROADCAST_TO.tensor(self, size);
    }

    /** View all tensors with the one shape that they broadcast to. */
    @Builtin("aten::broadcast_tensors")
    public static List<Tensor> broadcastTensors(List<Tensor> tensors) {
        return ViewRows.BROADCAST_TENSORS.tensors(new @Nullable Object[] {tensors});
    }

    /** Repeat the whole along each dimension; more counts than dimensions add dimensions. */
    @Builtin("aten::repeat")
    public static Tensor repeat(Tensor self, int[] repeats) {
        return ArrangementRows.REPEAT.tensor(self, repeats);
    }

    /** Reverse the order along dimensions. A copy. */
    @Builtin("aten::flip")
    public static Tensor flip(Tensor self, int[] dims) {
        return ArrangementRows.FLIP.tensor(self, dims);
    }

    /**
     * Shift along dimensions; what leaves at one end enters at the other.
     *
     * @param dims none to shift the elements in row-major order, by one number
     */
    @Builtin("aten::roll")
    public static Tensor roll(Tensor self, int[] shifts, int[] dims) {
        return ArrangementRows.ROLL.tensor(self, shifts, dims);
    }

    /** Keep what is on and below a diagonal of each matrix, with zeros above. */
    @Builtin("aten::tril")
    public static Tensor tril(Tensor self, int diagonal) {
        return ArrangementRows.TRIL.tensor(self, diagonal);
    }

    /** Keep what is on and above a diagonal of each matrix, with zeros below. */
    @Builtin("aten::triu")
    public static Tensor triu(Tensor self, int diagonal) {
        return ArrangementRows.TRIU.tensor(self, diagonal);
    }

    /** Copy the slices of a dimension that a vector of int64 names. */
    @Builtin("aten::index_select")
    public static Tensor indexSelect(Tensor self, int dim, Tensor index) {
        return IndexRows.INDEX_SELECT.tensor(self, dim, index);
    }

    /**
     * Copy single elements: {@code out[i][j] = self[index[i][j]][j]} for {@code dim} 0.
     *
     * @param index int64, of the shape of the result
     */
    @Builtin("aten::gather")
    public static Tensor gather(Tensor self, int dim, Tensor index) {
        return IndexRows.GATHER.tensor(self, dim, index);
    }

    /**
     * Copy with some elements replaced: {@code out[index[i][j]][j] = src[i][j]} for {@code dim} 0.
     * Where the index names an element twice, the last one stays.
     *
     * @param index int64, of at most the shape of {@code src}
     */
    @Builtin("aten::scatter.src")
    public static Tensor scatter(Tensor self, int dim, Tensor index, Tensor src) {
        return IndexRows.SCATTER.tensor(self, dim, index, src);
    }

    /** As {@link #scatter(Tensor, int, Tensor, Tensor)}, with one number everywhere. */
    @Builtin("aten::scatter.value")
    public static Tensor scatter(Tensor self, int dim, Tensor index, Number value) {
        return IndexRows.SCATTER_NUMBER.tensor(self, dim, index, value);
    }

    /**
     * Copy with something added to some elements: {@code out[index[i][j]][j] += src[i][j]} for
     * {@code dim} 0.
     */
    @Builtin("aten::scatter_add")
    public static Tensor scatterAdd(Tensor self, int dim, Tensor index, Tensor src) {
        return IndexRows.SCATTER_ADD.tensor(self, dim, index, src);
    }

    /**
     * Copy with slices added to those that a vector of int64 names: {@code out[index[i]] += alpha *
     * source[i]} for {@code dim} 0.
     */
    @Builtin("aten::index_add")
    public static Tensor indexAdd(Tensor self, int dim, Tensor index, Tensor source, Number alpha) {
        return IndexRows.INDEX_ADD.tensor(self, dim, index, source, alpha);
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

    /**
     * Copy to a device; gives the tensor itself when it is there.
     *
     * @param device as {@link Device#parse} reads it
     */
    @Builtin("aten::to.device")
    public static Tensor to(Tensor self, String device) {
        return ShapeRows.TO_DEVICE.tensor(self, device);
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

    /** Put tensors together along a dimension; empty vectors among them are passed over. */
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

    /**
     * As {@link #embeddingBag(Tensor, Tensor, Tensor, String, Tensor)}, in full. An empty bag gives
     * zeros.
     *
     * @param offsets where each bag begins; null for indices {@code [bags, length]}
     * @param scaleGradByFreq whether gradients are divided by how often their index occurs
     * @param mode {@code sum}, {@code mean} or {@code max}
     * @param perSampleWeights of the shape of the indices, with mode {@code sum} only
     * @param includeLastOffset whether the last offset is where the last bag ends
     * @param paddingIdx an index that is left out; null for none
     */
    @Builtin("aten::embedding_bag.padding_idx")
    public static Tensor embeddingBag(
            Tensor weight,
            Tensor indices,
            @Nullable Tensor offsets,
            boolean scaleGradByFreq,
            String mode,
            @Nullable Tensor perSampleWeights,
            boolean includeLastOffset,
            @Nullable Integer paddingIdx) {
        return NetworkRows.EMBEDDING_BAG_PADDING.tensor(
                weight,
                indices,
                offsets,
                scaleGradByFreq,
                mode,
                perSampleWeights,
                includeLastOffset,
                paddingIdx);
    }

    /**
     * Look rows of a weight up; gives the shape of the indices, and the length of a row.
     *
     * @param paddingIdx an index whose row gets no gradient; null for none
     * @param scaleGradByFreq whether gradients are divided by how often their index occurs
     */
    @Builtin("aten::embedding")
    public static Tensor embedding(
            Tensor weight, Tensor indices, @Nullable Integer paddingIdx, boolean scaleGradByFreq) {
        return NetworkRows.EMBEDDING.tensor(weight, indices, paddingIdx, scaleGradByFreq);
    }

    /** Slide the filters {@code [o, c, kh, kw]} over images {@code [n, c, h, w]}. */
    @Builtin("aten::conv2d")
    public static Tensor conv2d(
            Tensor input, Tensor weight, @Nullable Tensor bias, int[] stride, int[] padding) {
        return NetworkRows.CONV2D.tensor(input, weight, bias, stride, padding);
    }

    /**
     * Make a sparse tensor of indices {@code [s, n]} and values {@code [n, ...]}; see {@link
     * Tensor#sparseCoo}.
     */
    @Builtin("aten::sparse_coo_tensor.indices_size")
    public static Tensor sparseCoo(Tensor indices, Tensor values, int[] size) {
        return SparseRows.SPARSE_COO.tensor(indices, values, size);
    }

    /** Give the elements that are not zero as a sparse tensor. */
    @Builtin("aten::to_sparse")
    public static Tensor toSparse(Tensor self) {
        return SparseRows.TO_SPARSE.tensor(self);
    }

    /** As {@link #toSparse(Tensor)}, with only the first dimensions sparse. */
    @Builtin("aten::to_sparse.sparse_dim")
    public static Tensor toSparse(Tensor self, int sparseDim) {
        return SparseRows.TO_SPARSE_DIM.tensor(self, sparseDim);
    }

    /** Give the elements of a sparse tensor as a dense one. */
    @Builtin("aten::to_dense")
    public static Tensor toDense(Tensor self) {
        return SparseRows.TO_DENSE.tensor(self);
    }

    /** Sort the indices of a sparse tensor, and sum what has the same ones. */
    @Builtin("aten::coalesce")
    public static Tensor coalesce(Tensor self) {
        return SparseRows.COALESCE.tensor(self);
    }

    /** View the values of a coalesced sparse tensor. */
    @Builtin("aten::values")
    public static Tensor values(Tensor self) {
        return SparseRows.VALUES.tensor(self);
    }

    /**
     * Look rows of a weight up.
     *
     * @param indices int64 of any shape, to which the rows' length is added
     * @param sparse whether the weight's gradient is sparse: only the rows that were looked up
     */
    @Builtin("aten::embedding.sparse")
    public static Tensor embedding(Tensor weight, Tensor indices, boolean sparse) {
        return SparseRows.EMBEDDING.tensor(weight, indices, sparse);
    }

    /**
     * As {@link #embeddingBag(Tensor, Tensor, Tensor, String, Tensor)}.
     *
     * @param sparse whether the weight's gradient is sparse: only the rows that were looked up; not
     *     with mode {@code max}
     */
    @Builtin("aten::embedding_bag.sparse")
    public static Tensor embeddingBag(
            Tensor weight,
            Tensor indices,
            Tensor offsets,
            String mode,
            @Nullable Tensor perSampleWeights,
            boolean sparse) {
        return SparseRows.EMBEDDING_BAG.tensor(
                weight, indices, offsets, mode, perSampleWeights, sparse);
    }

    /**
     * Slide filters {@code [o, c / groups, kh, kw]} over images {@code [n, c, h, w]}, or one image
     * {@code [c, h, w]}. Stride, padding and dilation are one number for both directions, or two.
     *
     * @param dilation the distance of the pixels that a filter meets
     * @param groups into how many parts the channels fall, each with filters of its own
     */
    @Builtin("aten::conv2d.groups")
    public static Tensor conv2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            int[] stride,
            int[] padding,
            int[] dilation,
            int groups) {
        return NetworkRows.CONV2D_GROUPS.tensor(
                input, weight, bias, stride, padding, dilation, groups);
    }

    /**
     * Take the largest number of each window over images {@code [n, c, h, w]} or {@code [c, h, w]}.
     * Kernel, stride, padding and dilation are one number for both directions, or two.
     *
     * @param stride empty for that of the kernel
     * @param ceilMode whether a last window may reach beyond the image
     */
    @Builtin("aten::max_pool2d")
    public static Tensor maxPool2d(
            Tensor self,
            int[] kernelSize,
            int[] stride,
            int[] padding,
            int[] dilation,
            boolean ceilMode) {
        return PoolingRows.MAX_POOL2D.tensor(self, kernelSize, stride, padding, dilation, ceilMode);
    }

    /**
     * As {@link #maxPool2d}, with where in its plane of {@code h * w} numbers each stood, int64:
     * the largest numbers, then the positions. A window that meets no number, which dilation and
     * ceil mode allow, gives negative infinity and the position -1.
     */
    @Builtin("aten::max_pool2d_with_indices")
    public static List<Tensor> maxPool2dWithIndices(
            Tensor self,
            int[] kernelSize,
            int[] stride,
            int[] padding,
            int[] dilation,
            boolean ceilMode) {
        return PoolingRows.MAX_POOL2D_WITH_INDICES.tensors(
                self, kernelSize, stride, padding, dilation, ceilMode);
    }

    /**
     * Average each window over images {@code [n, c, h, w]} or {@code [c, h, w]}.
     *
     * @param stride empty for that of the kernel
     * @param ceilMode whether a last window may reach beyond the image
     * @param countIncludePad whether padding counts, as zeros
     * @param divisorOverride what sums are divided by instead of the size of the window, or null
     */
    @Builtin("aten::avg_pool2d")
    public static Tensor avgPool2d(
            Tensor self,
            int[] kernelSize,
            int[] stride,
            int[] padding,
            boolean ceilMode,
            boolean countIncludePad,
            @Nullable Integer divisorOverride) {
        return PoolingRows.AVG_POOL2D.tensor(
                self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
    }

    /** Average so many windows that share images {@code [n, c, h, w]} or {@code [c, h, w]}. */
    @Builtin("aten::adaptive_avg_pool2d")
    public static Tensor adaptiveAvgPool2d(Tensor self, int[] outputSize) {
        return PoolingRows.ADAPTIVE_AVG_POOL2D.tensor(self, outputSize);
    }

    /**
     * Bring each part of the last dimensions to mean 0 and variance 1.
     *
     * @param normalizedShape those dimensions
     * @param weight of this shape, multiplies the result; may be null, as {@code bias}
     * @param eps added to the variance
     */
    @Builtin("aten::layer_norm")
    public static Tensor layerNorm(
            Tensor input,
            int[] normalizedShape,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            double eps) {
        return NormalizationRows.LAYER_NORM.tensor(input, normalizedShape, weight, bias, eps);
    }

    /**
     * Bring each group of the channels of {@code [n, c, ...]} to mean 0 and variance 1.
     *
     * @param weight {@code [c]}, multiplies the result; may be null, as {@code bias}
     */
    @Builtin("aten::group_norm")
    public static Tensor groupNorm(
            Tensor input,
            int numGroups,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            double eps) {
        return NormalizationRows.GROUP_NORM.tensor(input, numGroups, weight, bias, eps);
    }

    /**
     * Bring each channel of a batch {@code [n, c, ...]} of 2 to 5 dimensions to mean 0 and variance
     * 1.
     *
     * @param weight {@code [c]}, multiplies the result; may be null, as {@code bias}
     * @param runningMean changed in place by training, used instead of that of the batch otherwise
     * @param runningVar as the mean; the unbiased variance
     * @param training whether the statistics are those of the batch
     * @param momentum the part of this batch in the running statistics
     */
    @Builtin("aten::batch_norm")
    public static Tensor batchNorm(
            Tensor input,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVar,
            boolean training,
            double momentum,
            double eps) {
        return NormalizationRows.BATCH_NORM.tensor(
                input, weight, bias, runningMean, runningVar, training, momentum, eps);
    }

    /**
     * Set each element to zero with probability {@code p}, and the others to {@code x / (1 - p)};
     * when not training, give the tensor itself. See {@link NeuralOperators#dropout} for numbers
     * that can be drawn again.
     */
    @Builtin("aten::dropout")
    public static Tensor dropout(Tensor input, double p, boolean train) {
        return NormalizationRows.DROPOUT.tensor(input, p, train);
    }

    /**
     * Sort along a dimension: the elements, and where they were, int64. NaN counts as the largest;
     * equal elements keep their order.
     */
    @Builtin("aten::sort")
    public static List<Tensor> sort(Tensor self, int dim, boolean descending) {
        return OrderRows.SORT.tensors(self, dim, descending);
    }

    /** Find where the sorted elements are along a dimension. */
    @Builtin("aten::argsort")
    public static Tensor argsort(Tensor self, int dim, boolean descending) {
        return OrderRows.ARGSORT.tensor(self, dim, descending);
    }

    /**
     * Pick the {@code k} largest or smallest elements along a dimension, and where they were.
     *
     * @param sorted ignored: they are in order always
     */
    @Builtin("aten::topk")
    public static List<Tensor> topk(Tensor self, int k, int dim, boolean largest, boolean sorted) {
        return OrderRows.TOPK.tensors(self, k, dim, largest, sorted);
    }

    /** Pick the {@code k}-th smallest elements along a dimension, counted from 1. */
    @Builtin("aten::kthvalue")
    public static List<Tensor> kthvalue(Tensor self, int k, int dim, boolean keepdim) {
        return OrderRows.KTHVALUE.tensors(self, k, dim, keepdim);
    }

    /** Pick the median along a dimension: of an even number the lower one of the middle. */
    @Builtin("aten::median.dim")
    public static List<Tensor> median(Tensor self, int dim, boolean keepdim) {
        return OrderRows.MEDIAN.tensors(self, dim, keepdim);
    }

    /** Multiply all elements up to each one along a dimension. */
    @Builtin("aten::cumprod")
    public static Tensor cumprod(Tensor self, int dim) {
        return OrderRows.CUMPROD.tensor(self, dim);
    }

    /**
     * Find the different elements, in order, as a vector; the number of each element among them, of
     * the shape of {@code self}; and how often each occurs. Each NaN is different.
     *
     * @param sorted ignored: they are in order always
     * @param returnInverse whether to give the numbers; if not, they are an empty tensor
     * @param returnCounts whether to count; if not, the counts are an empty tensor
     */
    @Builtin("aten::_unique2")
    public static List<Tensor> unique(
            Tensor self, boolean sorted, boolean returnInverse, boolean returnCounts) {
        return OrderRows.UNIQUE.tensors(self, sorted, returnInverse, returnCounts);
    }

    /** Compute {@code log(sigmoid(x))}, also where the sigmoid is next to zero. */
    @Builtin("aten::log_sigmoid")
    public static Tensor logSigmoid(Tensor self) {
        return ShrinkRows.LOG_SIGMOID.tensor(self);
    }

    /** Compute {@code x * tanh(softplus(x))}. */
    @Builtin("aten::mish")
    public static Tensor mish(Tensor self) {
        return ShrinkRows.MISH.tensor(self);
    }

    /** Compute {@code x * relu6(x + 3) / 6}. */
    @Builtin("aten::hardswish")
    public static Tensor hardswish(Tensor self) {
        return ShrinkRows.HARDSWISH.tensor(self);
    }

    /** Compute {@code relu6(x + 3) / 6}. */
    @Builtin("aten::hardsigmoid")
    public static Tensor hardsigmoid(Tensor self) {
        return ShrinkRows.HARDSIGMOID.tensor(self);
    }

    /** Keep elements between 0 and 6. */
    @Builtin("aten::relu6")
    public static Tensor relu6(Tensor self) {
        return ShrinkRows.RELU6.tensor(self);
    }

    /**
     * Compute the exponential linear unit that normalizes itself: {@code 1.0507 * elu(x, 1.67326)},
     * with PyTorch's numbers in full.
     */
    @Builtin("aten::selu")
    public static Tensor selu(Tensor self) {
        return ShrinkRows.SELU.tensor(self);
    }

    /** Compute {@code max(0, x) + min(0, alpha * (exp(x / alpha) - 1))}. */
    @Builtin("aten::celu")
    public static Tensor celu(Tensor self, Number alpha) {
        return ShrinkRows.CELU.tensor(self, alpha);
    }

    /** Compute {@code x / (1 + |x|)}. */
    @Builtin("aten::softsign")
    public static Tensor softsign(Tensor self) {
        return ShrinkRows.SOFTSIGN.tensor(self);
    }

    /** Compute {@code x - tanh(x)}. */
    @Builtin("aten::tanhshrink")
    public static Tensor tanhshrink(Tensor self) {
        return ShrinkRows.TANHSHRINK.tensor(self);
    }

    /** Move elements by {@code lambd} toward zero, and what is nearer to zero. */
    @Builtin("aten::softshrink")
    public static Tensor softshrink(Tensor self, Number lambd) {
        return ShrinkRows.SOFTSHRINK.tensor(self, lambd);
    }

    /** Replace elements that are at most {@code lambd} from zero by it. */
    @Builtin("aten::hardshrink")
    public static Tensor hardshrink(Tensor self, Number lambd) {
        return ShrinkRows.HARDSHRINK.tensor(self, lambd);
    }

    /** Replace elements that are not above a threshold by a number. */
    @Builtin("aten::threshold")
    public static Tensor threshold(Tensor self, Number threshold, Number value) {
        return ShrinkRows.THRESHOLD.tensor(self, threshold, value);
    }

    /** Multiply the first half along a dimension by the sigmoid of the second. */
    @Builtin("aten::glu")
    public static Tensor glu(Tensor self, int dim) {
        return ShrinkRows.GLU.tensor(self, dim);
    }

    /**
     * Multiply negative elements by a weight: one, or one for each channel, which is dimension 1.
     */
    @Builtin("aten::prelu")
    public static Tensor prelu(Tensor self, Tensor weight) {
        return ShrinkRows.PRELU.tensor(self, weight);
    }

    /**
     * Test whether {@code |self - other| <= atol + rtol * |other|}; NaN is close to NaN if {@code
     * equalNan}.
     */
    @Builtin("aten::isclose")
    public static Tensor isclose(
            Tensor self, Tensor other, double rtol, double atol, boolean equalNan) {
        return CompositeRows.ISCLOSE.tensor(self, other, rtol, atol, equalNan);
    }

    /** Count the elements that are not zero, over dimensions; none mean all. */
    @Builtin("aten::count_nonzero.dim_IntList")
    public static Tensor countNonzero(Tensor self, int[] dim) {
        return CompositeRows.COUNT_NONZERO.tensor(self, dim);
    }

    /** Compute 2 to the power of each element. */
    @Builtin("aten::exp2")
    public static Tensor exp2(Tensor self) {
        return CompositeRows.EXP2.tensor(self);
    }

    /** Compute the part of each element behind the point, with its sign. */
    @Builtin("aten::frac")
    public static Tensor frac(Tensor self) {
        return CompositeRows.FRAC.tensor(self);
    }

    /** Compute {@code 1 - erf(x)}. */
    @Builtin("aten::erfc")
    public static Tensor erfc(Tensor self) {
        return CompositeRows.ERFC.tensor(self);
    }

    /** Compute {@code log(exp(self) + exp(other))}, also where a power is too large. */
    @Builtin("aten::logaddexp")
    public static Tensor logaddexp(Tensor self, Tensor other) {
        return CompositeRows.LOGADDEXP.tensor(self, other);
    }

    /**
     * Compute {@code self * log(other)}; 0 where {@code self} is 0, unless {@code other} is NaN.
     */
    @Builtin("aten::xlogy.Tensor")
    public static Tensor xlogy(Tensor self, Tensor other) {
        return CompositeRows.XLOGY.tensor(self, other);
    }

    /**
     * Replace NaN and infinities by numbers; by 0 and the largest and smallest of the type where
     * none is given.
     */
    @Builtin("aten::nan_to_num")
    public static Tensor nanToNum(
            Tensor self, @Nullable Double nan, @Nullable Double posinf, @Nullable Double neginf) {
        return CompositeRows.NAN_TO_NUM.tensor(self, nan, posinf, neginf);
    }

    /** Compute the differences of neighbours along a dimension, {@code n} times. */
    @Builtin("aten::diff")
    public static Tensor diff(Tensor self, int n, int dim) {
        return CompositeRows.DIFF.tensor(self, n, dim);
    }

    /** Sum the diagonal of a matrix. */
    @Builtin("aten::trace")
    public static Tensor trace(Tensor self) {
        return CompositeRows.TRACE.tensor(self);
    }

    /** Compute the p-norm of the difference of two tensors. */
    @Builtin("aten::dist")
    public static Tensor dist(Tensor self, Tensor other, Number p) {
        return CompositeRows.DIST.tensor(self, other, p);
    }

    /**
     * Compute the p-norm of the difference of each row of {@code x1} and each row of {@code x2}.
     */
    @Builtin("aten::cdist")
    public static Tensor cdist(Tensor x1, Tensor x2, double p) {
        return CompositeRows.CDIST.tensor(x1, x2, p);
    }

    /** Multiply each element of a vector by each of another. */
    @Builtin("aten::outer")
    public static Tensor outer(Tensor self, Tensor vec2) {
        return ContractionRows.OUTER.tensor(self, vec2);
    }

    /** Compute {@code beta * self + alpha * mat1 @ mat2}; {@code self} broadcasts. */
    @Builtin("aten::addmm")
    public static Tensor addmm(Tensor self, Tensor mat1, Tensor mat2, Number beta, Number alpha) {
        return ContractionRows.ADDMM.tensor(self, mat1, mat2, beta, alpha);
    }

    /** Compute {@code beta * self + alpha * mat @ vec}; {@code self} broadcasts. */
    @Builtin("aten::addmv")
    public static Tensor addmv(Tensor self, Tensor mat, Tensor vec, Number beta, Number alpha) {
        return ContractionRows.ADDMV.tensor(self, mat, vec, beta, alpha);
    }

    /**
     * Compute {@code beta * self + alpha * batch1 @ batch2} for each matrix of two batches; {@code
     * self} broadcasts.
     */
    @Builtin("aten::baddbmm")
    public static Tensor baddbmm(
            Tensor self, Tensor batch1, Tensor batch2, Number beta, Number alpha) {
        return ContractionRows.BADDBMM.tensor(self, batch1, batch2, beta, alpha);
    }

    /**
     * Multiply and sum over pairs of dimensions of two tensors; the other dimensions stay, those of
     * {@code self} first.
     */
    @Builtin("aten::tensordot")
    public static Tensor tensordot(Tensor self, Tensor other, int[] dimsSelf, int[] dimsOther) {
        return ContractionRows.TENSORDOT.tensor(self, other, dimsSelf, dimsOther);
    }

    /**
     * Multiply tensors and sum as an equation says: {@code bij,bjk->bik}. Letters name dimensions,
     * {@code ...} those that broadcast; without {@code ->} the letters that come once stay, in
     * order.
     */
    @Builtin("aten::einsum")
    public static Tensor einsum(String equation, List<Tensor> tensors) {
        return ContractionRows.EINSUM.tensor(equation, tensors);
    }

    /**
     * Pick elements by tensors of numbers for the first dimensions, {@code self[i, j, ...]}: int64,
     * which broadcast, negative ones count from the end, or bool masks, each of which stands for
     * the dimensions that it has.
     */
    @Builtin("aten::index.Tensor")
    public static Tensor index(Tensor self, List<Tensor> indices) {
        return PlacementRows.INDEX.tensor(self, indices);
    }

    /**
     * Copy with elements replaced, or added to if {@code accumulate}; {@link #index} says which.
     * The values broadcast. Where an element is named twice, the last value stays.
     */
    @Builtin("aten::index_put")
    public static Tensor indexPut(
            Tensor self, List<Tensor> indices, Tensor values, boolean accumulate) {
        return PlacementRows.INDEX_PUT.tensor(self, indices, values, accumulate);
    }

    /** Copy with the slices of a dimension that a vector of int64 names replaced by a number. */
    @Builtin("aten::index_fill.int_Scalar")
    public static Tensor indexFill(Tensor self, int dim, Tensor index, Number value) {
        return PlacementRows.INDEX_FILL.tensor(self, dim, index, value);
    }

    /**
     * Copy with the slices of a dimension that a vector of int64 names replaced by those of another
     * tensor.
     */
    @Builtin("aten::index_copy")
    public static Tensor indexCopy(Tensor self, int dim, Tensor index, Tensor source) {
        return PlacementRows.INDEX_COPY.tensor(self, dim, index, source);
    }

    /**
     * Copy with the elements for which a bool mask is set replaced by those of a source, in order.
     */
    @Builtin("aten::masked_scatter")
    public static Tensor maskedScatter(Tensor self, Tensor mask, Tensor source) {
        return PlacementRows.MASKED_SCATTER.tensor(self, mask, source);
    }

    /** Copy with one index of a dimension replaced by another tensor. */
    @Builtin("aten::select_scatter")
    public static Tensor selectScatter(Tensor self, Tensor src, int dim, int index) {
        return PlacementRows.SELECT_SCATTER.tensor(self, src, dim, index);
    }

    /**
     * Copy single elements as {@link #gather} does; both tensors broadcast, except along the
     * dimension. For what {@link #argsort} gave.
     */
    @Builtin("aten::take_along_dim")
    public static Tensor takeAlongDim(Tensor self, Tensor indices, int dim) {
        return PlacementRows.TAKE_ALONG_DIM.tensor(self, indices, dim);
    }

    /**
     * Repeat each element along a dimension, one copy beside the other; of all elements in a row if
     * there is none.
     */
    @Builtin("aten::repeat_interleave.self_int")
    public static Tensor repeatInterleave(Tensor self, int repeats, @Nullable Integer dim) {
        return PlacementRows.REPEAT_INTERLEAVE.tensor(self, repeats, dim);
    }

    /**
     * Add elements before and after the last dimensions: {@code [before the last, after it, before
     * the one before, ...]}; negative numbers take away. Modes are {@code constant}, with a value,
     * {@code reflect}, {@code replicate} and {@code circular}; the latter three are for all but one
     * or two leading dimensions.
     */
    @Builtin("aten::pad")
    public static Tensor pad(Tensor self, int[] pad, String mode, @Nullable Double value) {
        return PaddingRows.PAD.tensor(self, pad, mode, value);
    }

    /** View the diagonal of a matrix, or make the matrix that has a vector on a diagonal. */
    @Builtin("aten::diag")
    public static Tensor diag(Tensor self, int diagonal) {
        return PaddingRows.DIAG.tensor(self, diagonal);
    }

    /**
     * Make the coordinates of a grid of vectors: one tensor for each, of the shape of all. {@code
     * ij} has them in order, {@code xy} the first two exchanged.
     */
    @Builtin("aten::meshgrid.indexing")
    public static List<Tensor> meshgrid(List<Tensor> tensors, String indexing) {
        return PaddingRows.MESHGRID.tensors(tensors, indexing);
    }

    /**
     * Move channels into space: {@code [..., c * r * r, h, w]} becomes {@code [..., c, h * r, w *
     * r]}.
     */
    @Builtin("aten::pixel_shuffle")
    public static Tensor pixelShuffle(Tensor self, int upscaleFactor) {
        return PaddingRows.PIXEL_SHUFFLE.tensor(self, upscaleFactor);
    }

    /** Move space into channels: the inverse of {@link #pixelShuffle}. */
    @Builtin("aten::pixel_unshuffle")
    public static Tensor pixelUnshuffle(Tensor self, int downscaleFactor) {
        return PaddingRows.PIXEL_UNSHUFFLE.tensor(self, downscaleFactor);
    }

    /** Slide filters over rows {@code [n, c, l]}, or {@code [c, l]}; as {@link #conv2d}. */
    @Builtin("aten::conv1d")
    public static Tensor conv1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            int[] stride,
            int[] padding,
            int[] dilation,
            int groups) {
        return ConvolutionRows.CONV1D.tensor(
                input, weight, bias, stride, padding, dilation, groups);
    }

    /**
     * Slide filters over volumes {@code [n, c, d, h, w]}, or {@code [c, d, h, w]}; as {@link
     * #conv2d}.
     */
    @Builtin("aten::conv3d")
    public static Tensor conv3d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            int[] stride,
            int[] padding,
            int[] dilation,
            int groups) {
        return ConvolutionRows.CONV3D.tensor(
                input, weight, bias, stride, padding, dilation, groups);
    }

    /**
     * Spread each element of images over a filter, the transpose of {@link #conv2d}: weights are
     * {@code [c, o / groups, kh, kw]}.
     */
    @Builtin("aten::conv_transpose2d.input")
    public static Tensor convTranspose2d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            int[] stride,
            int[] padding,
            int[] outputPadding,
            int groups,
            int[] dilation) {
        return ConvolutionRows.CONV_TRANSPOSE2D.tensor(
                input, weight, bias, stride, padding, outputPadding, groups, dilation);
    }

    /** Spread each element of rows over a filter, the transpose of {@link #conv1d}. */
    @Builtin("aten::conv_transpose1d")
    public static Tensor convTranspose1d(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            int[] stride,
            int[] padding,
            int[] outputPadding,
            int groups,
            int[] dilation) {
        return ConvolutionRows.CONV_TRANSPOSE1D.tensor(
                input, weight, bias, stride, padding, outputPadding, groups, dilation);
    }

    /** Keep the largest element of each window of rows; as {@link #maxPool2d}. */
    @Builtin("aten::max_pool1d")
    public static Tensor maxPool1d(
            Tensor self,
            int[] kernelSize,
            int[] stride,
            int[] padding,
            int[] dilation,
            boolean ceilMode) {
        return ConvolutionRows.MAX_POOL1D.tensor(
                self, kernelSize, stride, padding, dilation, ceilMode);
    }

    /** Average each window of rows; as {@link #avgPool2d}. */
    @Builtin("aten::avg_pool1d")
    public static Tensor avgPool1d(
            Tensor self,
            int[] kernelSize,
            int[] stride,
            int[] padding,
            boolean ceilMode,
            boolean countIncludePad) {
        return ConvolutionRows.AVG_POOL1D.tensor(
                self, kernelSize, stride, padding, ceilMode, countIncludePad);
    }

    /** Average rows to a number of parts. */
    @Builtin("aten::adaptive_avg_pool1d")
    public static Tensor adaptiveAvgPool1d(Tensor self, int[] outputSize) {
        return ConvolutionRows.ADAPTIVE_AVG_POOL1D.tensor(self, outputSize);
    }

    /** Keep the largest element of each of a number of parts of images. */
    @Builtin("aten::adaptive_max_pool2d")
    public static Tensor adaptiveMaxPool2d(Tensor self, int[] outputSize) {
        return ConvolutionRows.ADAPTIVE_MAX_POOL2D.tensor(self, outputSize);
    }

    /**
     * Compute {@code max(0, -target * (input1 - input2) + margin)}: the first is to be larger where
     * the target is 1, smaller where it is -1.
     */
    @Builtin("aten::margin_ranking_loss")
    public static Tensor marginRankingLoss(
            Tensor input1, Tensor input2, Tensor target, double margin, String reduction) {
        return MarginLossRows.MARGIN_RANKING.tensor(input1, input2, target, margin, reduction);
    }

    /** Compute the element where the target is 1, and {@code max(0, margin - x)} where it is -1. */
    @Builtin("aten::hinge_embedding_loss")
    public static Tensor hingeEmbeddingLoss(
            Tensor self, Tensor target, double margin, String reduction) {
        return MarginLossRows.HINGE_EMBEDDING.tensor(self, target, margin, reduction);
    }

    /** Compute {@code log(1 + exp(-target * x))}. */
    @Builtin("aten::soft_margin_loss")
    public static Tensor softMarginLoss(Tensor self, Tensor target, String reduction) {
        return MarginLossRows.SOFT_MARGIN.tensor(self, target, reduction);
    }

    /**
     * Compute {@code 1 - cos} of the rows where the target is 1, and {@code max(0, cos - margin)}
     * where it is -1.
     */
    @Builtin("aten::cosine_embedding_loss")
    public static Tensor cosineEmbeddingLoss(
            Tensor input1, Tensor input2, Tensor target, double margin, String reduction) {
        return MarginLossRows.COSINE_EMBEDDING.tensor(input1, input2, target, margin, reduction);
    }

    /**
     * Compute {@code max(0, d(anchor, positive) - d(anchor, negative) + margin)}, with p-norms as
     * distances; with {@code swap} the negative is as far as from the nearer of the two others.
     */
    @Builtin("aten::triplet_margin_loss")
    public static Tensor tripletMarginLoss(
            Tensor anchor,
            Tensor positive,
            Tensor negative,
            double margin,
            double p,
            double eps,
            boolean swap,
            String reduction) {
        return MarginLossRows.TRIPLET_MARGIN.tensor(
                anchor, positive, negative, margin, p, eps, swap, reduction);
    }

    /**
     * Compute the negative log likelihood of counts under Poisson distributions, without the term
     * that only the target has, or with Stirling's approximation of it if {@code full}.
     */
    @Builtin("aten::poisson_nll_loss")
    public static Tensor poissonNllLoss(
            Tensor input,
            Tensor target,
            boolean logInput,
            boolean full,
            double eps,
            String reduction) {
        return MarginLossRows.POISSON_NLL.tensor(input, target, logInput, full, eps, reduction);
    }

    /**
     * Compute the negative log likelihood under normal distributions with variances, which are at
     * least {@code eps}.
     */
    @Builtin("aten::gaussian_nll_loss")
    public static Tensor gaussianNllLoss(
            Tensor input, Tensor target, Tensor var, boolean full, double eps, String reduction) {
        return MarginLossRows.GAUSSIAN_NLL.tensor(input, target, var, full, eps, reduction);
    }
}
