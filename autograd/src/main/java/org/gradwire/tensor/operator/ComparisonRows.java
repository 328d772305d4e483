package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.plain;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.Comparison;
import org.gradwire.tensor.kernel.FloatClassification;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.ComparisonRules;

import java.util.function.BinaryOperator;

/** Comparison and logical operators, with bool results. */
@OperatorFamily
public final class ComparisonRows {
    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.constant(2, 3), s.constant(2, 3)),
                            args(s.tensor(2, 1, 3), s.tensor(4, 1)),
                            args(s.longs(2, 3), s.longs(3)),
                            args(s.ints(4), s.longs()),
                            args(s.bools(2, 3), s.bools(2, 3)),
                            args(s.bools(4), s.ints(4)),
                            args(s.ints(3, 2).t(), s.longs(2, 3).to(DType.FLOAT64)),
                            args(special(), s.longs(2, 1).to(DType.FLOAT64)),
                            args(special(), special().t().reshape(2, 3)),
                            args(s.bools(0, 2), s.longs(2)));
    private static final Samples WITH_NUMBER =
            s ->
                    samples(
                            args(s.tensor(2, 3), 0.25),
                            args(s.longs(2, 3), 1),
                            args(s.ints(3, 2).t(), -0.5),
                            args(s.bools(2, 3), 1),
                            args(s.bools(2), 0.5),
                            args(special(), 1),
                            args(s.longs(), 0));
    private static final Samples OF_ALL_TYPES =
            s ->
                    samples(
                            args(special()),
                            args(special().to(DType.FLOAT32).t()),
                            args(s.longs(2, 3)),
                            args(s.ints()),
                            args(s.bools(2, 3)),
                            args(s.tensor(0, 2)));
    private static final Samples WHOLE =
            s ->
                    samples(
                            args(s.bools(2, 3)),
                            args(s.longs(2, 3).mul(0)),
                            args(s.longs(2, 3).mul(0).add(1)),
                            args(special()),
                            args(s.bools()),
                            args(s.tensor(0, 3)));
    private static final Samples OVER_A_DIMENSION =
            s ->
                    samples(
                            args(s.bools(2, 3), 0, false),
                            args(s.bools(2, 3), -1, true),
                            args(s.longs(2, 2, 3), 1, false),
                            args(s.ints(3, 2).t(), 0, true),
                            args(special(), 0, false),
                            args(s.bools(), 0, false),
                            args(s.bools(2, 0), 1, false),
                            args(s.bools(0, 2), 1, true));

    /** Test whether elements are equal to those of another tensor; NaN is not. */
    @TensorMethod
    public static final OperatorRow EQ =
            comparison("aten::eq.Tensor(Tensor self, Tensor other)", Comparison.EQ);

    /**
     * Test whether elements are different from those of another tensor; NaN is different from
     * everything.
     */
    @TensorMethod
    public static final OperatorRow NE =
            comparison("aten::ne.Tensor(Tensor self, Tensor other)", Comparison.NE);

    /** Test whether elements are less than those of another tensor; NaN is not. */
    @TensorMethod
    public static final OperatorRow LT =
            comparison("aten::lt.Tensor(Tensor self, Tensor other)", Comparison.LT);

    /** Test whether elements are less than or equal to those of another tensor; NaN is not. */
    @TensorMethod
    public static final OperatorRow LE =
            comparison("aten::le.Tensor(Tensor self, Tensor other)", Comparison.LE);

    /** Test whether elements are greater than those of another tensor; NaN is not. */
    @TensorMethod
    public static final OperatorRow GT =
            comparison("aten::gt.Tensor(Tensor self, Tensor other)", Comparison.GT);

    /** Test whether elements are greater than or equal to those of another tensor; NaN is not. */
    @TensorMethod
    public static final OperatorRow GE =
            comparison("aten::ge.Tensor(Tensor self, Tensor other)", Comparison.GE);

    /** Test whether elements are equal to a number. */
    @TensorMethod
    public static final OperatorRow EQ_NUMBER =
            withNumber("aten::eq.Scalar(Tensor self, Scalar other)", Comparison.EQ);

    /** Test whether elements are different from a number. */
    @TensorMethod
    public static final OperatorRow NE_NUMBER =
            withNumber("aten::ne.Scalar(Tensor self, Scalar other)", Comparison.NE);

    /** Test whether elements are less than a number. */
    @TensorMethod
    public static final OperatorRow LT_NUMBER =
            withNumber("aten::lt.Scalar(Tensor self, Scalar other)", Comparison.LT);

    /** Test whether elements are less than or equal to a number. */
    @TensorMethod
    public static final OperatorRow LE_NUMBER =
            withNumber("aten::le.Scalar(Tensor self, Scalar other)", Comparison.LE);

    /** Test whether elements are greater than a number. */
    @TensorMethod
    public static final OperatorRow GT_NUMBER =
            withNumber("aten::gt.Scalar(Tensor self, Scalar other)", Comparison.GT);

    /** Test whether elements are greater than or equal to a number. */
    @TensorMethod
    public static final OperatorRow GE_NUMBER =
            withNumber("aten::ge.Scalar(Tensor self, Scalar other)", Comparison.GE);

    /** Test whether elements are NaN. */
    @TensorMethod
    public static final OperatorRow ISNAN =
            test("aten::isnan(Tensor self)", FloatClassification.NAN);

    /** Test whether elements are infinite. */
    @TensorMethod
    public static final OperatorRow ISINF =
            test("aten::isinf(Tensor self)", FloatClassification.INFINITE);

    /** Test whether elements are neither infinite nor NaN. */
    @TensorMethod
    public static final OperatorRow ISFINITE =
            test("aten::isfinite(Tensor self)", FloatClassification.FINITE);

    /** Test whether elements of both tensors are not zero. */
    @TensorMethod
    public static final OperatorRow LOGICAL_AND =
            logical("aten::logical_and(Tensor self, Tensor other)", ComparisonRules::and);

    /** Test whether elements of at least one of two tensors are not zero. */
    @TensorMethod
    public static final OperatorRow LOGICAL_OR =
            logical("aten::logical_or(Tensor self, Tensor other)", ComparisonRules::or);

    /** Test whether elements of exactly one of two tensors are not zero. */
    @TensorMethod
    public static final OperatorRow LOGICAL_XOR =
            logical("aten::logical_xor(Tensor self, Tensor other)", ComparisonRules::xor);

    /** Test whether elements are zero. */
    @TensorMethod
    public static final OperatorRow LOGICAL_NOT =
            plain("aten::logical_not(Tensor self)")
                    .forward(a -> ComparisonRules.not(a.tensor(0)))
                    .refusesSparse()
                    .samples(OF_ALL_TYPES);

    /** Test whether no element is zero; true where there are none. */
    @TensorMethod
    public static final OperatorRow ALL_ELEMENTS =
            plain("aten::all(Tensor self)")
                    .forward(a -> ComparisonRules.all(a.tensor(0)))
                    .refusesSparse()
                    .samples(WHOLE);

    /**
     * Test whether no element along a dimension is zero. The dimension stays, with extent 1, if
     * {@code keepdim}.
     */
    @TensorMethod
    public static final OperatorRow ALL_DIM =
            plain("aten::all.dim(Tensor self, int dim, boolean keepdim)")
                    .forward(a -> ComparisonRules.all(a.tensor(0), a.integer(1), a.flag(2)))
                    .refuses(ErrorSamples.DIMENSION_OR_KEPT)
                    .samples(OVER_A_DIMENSION);

    /** Test whether any element is not zero; false where there are none. */
    @TensorMethod
    public static final OperatorRow ANY_ELEMENT =
            plain("aten::any(Tensor self)")
                    .forward(a -> ComparisonRules.any(a.tensor(0)))
                    .refusesSparse()
                    .samples(WHOLE);

    /**
     * Test whether any element along a dimension is not zero. The dimension stays, with extent 1,
     * if {@code keepdim}.
     */
    @TensorMethod
    public static final OperatorRow ANY_DIM =
            plain("aten::any.dim(Tensor self, int dim, boolean keepdim)")
                    .forward(a -> ComparisonRules.any(a.tensor(0), a.integer(1), a.flag(2)))
                    .refuses(ErrorSamples.DIMENSION_OR_KEPT)
                    .samples(OVER_A_DIMENSION);

    private ComparisonRows() {}

    private static Tensor special() {
        return Tensor.of(
                new double[] {
                    Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, 1
                },
                2,
                3);
    }

    private static OperatorRow comparison(String declaration, Comparison test) {
        return plain(declaration)
                .forward(a -> ComparisonRules.compare(test, a.tensor(0), a.tensor(1)))
                .refuses(ErrorSamples.UNLIKE_SHAPES)
                .refusesSparse()
                .samples(PAIRS);
    }

    private static OperatorRow withNumber(String declaration, Comparison test) {
        return plain(declaration)
                .forward(a -> ComparisonRules.compare(test, a.tensor(0), a.number(1)))
                .refusesSparse()
                .samples(WITH_NUMBER);
    }

    private static OperatorRow test(String declaration, FloatClassification floatClassification) {
        return plain(declaration)
                .forward(a -> ComparisonRules.test(floatClassification, a.tensor(0)))
                .refusesSparse()
                .samples(OF_ALL_TYPES);
    }

    private static OperatorRow logical(String declaration, BinaryOperator<Tensor> rule) {
        return plain(declaration)
                .forward(a -> rule.apply(a.tensor(0), a.tensor(1)))
                .refuses(ErrorSamples.UNLIKE_SHAPES)
                .refusesSparse()
                .samples(PAIRS);
    }
}
