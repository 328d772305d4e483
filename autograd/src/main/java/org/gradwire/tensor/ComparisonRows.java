package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.plain;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;
import org.gradwire.tensor.kernel.Comparison;
import org.gradwire.tensor.kernel.Magnitude;

import java.util.List;
import java.util.function.BinaryOperator;

/** Operators that test elements, and give bool. */
final class ComparisonRows {
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

    static final OperatorRow EQ = comparison("eq", Comparison.EQ);
    static final OperatorRow NE = comparison("ne", Comparison.NE);
    static final OperatorRow LT = comparison("lt", Comparison.LT);
    static final OperatorRow LE = comparison("le", Comparison.LE);
    static final OperatorRow GT = comparison("gt", Comparison.GT);
    static final OperatorRow GE = comparison("ge", Comparison.GE);

    static final OperatorRow EQ_NUMBER = withNumber("eq", Comparison.EQ);
    static final OperatorRow NE_NUMBER = withNumber("ne", Comparison.NE);
    static final OperatorRow LT_NUMBER = withNumber("lt", Comparison.LT);
    static final OperatorRow LE_NUMBER = withNumber("le", Comparison.LE);
    static final OperatorRow GT_NUMBER = withNumber("gt", Comparison.GT);
    static final OperatorRow GE_NUMBER = withNumber("ge", Comparison.GE);

    static final OperatorRow ISNAN = test("isnan", Magnitude.NAN);
    static final OperatorRow ISINF = test("isinf", Magnitude.INFINITE);
    static final OperatorRow ISFINITE = test("isfinite", Magnitude.FINITE);

    static final OperatorRow LOGICAL_AND = logical("and", Conditions::and);
    static final OperatorRow LOGICAL_OR = logical("or", Conditions::or);
    static final OperatorRow LOGICAL_XOR = logical("xor", Conditions::xor);

    static final OperatorRow LOGICAL_NOT =
            plain("aten::logical_not(Tensor self)")
                    .forward(a -> Conditions.not(a.tensor(0)))
                    .refusesSparse()
                    .samples(OF_ALL_TYPES);

    static final OperatorRow ALL_ELEMENTS =
            plain("aten::all(Tensor self)")
                    .forward(a -> Conditions.all(a.tensor(0)))
                    .refusesSparse()
                    .samples(WHOLE);

    static final OperatorRow ALL_DIM =
            plain("aten::all.dim(Tensor self, int dim, boolean keepdim)")
                    .forward(a -> Conditions.all(a.tensor(0), a.integer(1), a.flag(2)))
                    .refuses(Refusals.DIMENSION_OR_KEPT)
                    .samples(OVER_A_DIMENSION);

    static final OperatorRow ANY_ELEMENT =
            plain("aten::any(Tensor self)")
                    .forward(a -> Conditions.any(a.tensor(0)))
                    .refusesSparse()
                    .samples(WHOLE);

    static final OperatorRow ANY_DIM =
            plain("aten::any.dim(Tensor self, int dim, boolean keepdim)")
                    .forward(a -> Conditions.any(a.tensor(0), a.integer(1), a.flag(2)))
                    .refuses(Refusals.DIMENSION_OR_KEPT)
                    .samples(OVER_A_DIMENSION);

    static final List<OperatorRow> ALL =
            List.of(
                    EQ,
                    NE,
                    LT,
                    LE,
                    GT,
                    GE,
                    EQ_NUMBER,
                    NE_NUMBER,
                    LT_NUMBER,
                    LE_NUMBER,
                    GT_NUMBER,
                    GE_NUMBER,
                    ISNAN,
                    ISINF,
                    ISFINITE,
                    LOGICAL_AND,
                    LOGICAL_OR,
                    LOGICAL_XOR,
                    LOGICAL_NOT,
                    ALL_ELEMENTS,
                    ALL_DIM,
                    ANY_ELEMENT,
                    ANY_DIM);

    private ComparisonRows() {}

    private static Tensor special() {
        return Tensor.of(
                new double[] {
                    Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, 1
                },
                2,
                3);
    }

    private static OperatorRow comparison(String name, Comparison test) {
        return plain("aten::" + name + ".Tensor(Tensor self, Tensor other)")
                .forward(a -> Conditions.compare(test, a.tensor(0), a.tensor(1)))
                .refuses(Refusals.UNLIKE_SHAPES)
                .refusesSparse()
                .samples(PAIRS);
    }

    private static OperatorRow withNumber(String name, Comparison test) {
        return plain("aten::" + name + ".Scalar(Tensor self, Scalar other)")
                .forward(a -> Conditions.compare(test, a.tensor(0), a.number(1)))
                .refusesSparse()
                .samples(WITH_NUMBER);
    }

    private static OperatorRow test(String name, Magnitude magnitude) {
        return plain("aten::" + name + "(Tensor self)")
                .forward(a -> Conditions.test(magnitude, a.tensor(0)))
                .refusesSparse()
                .samples(OF_ALL_TYPES);
    }

    private static OperatorRow logical(String name, BinaryOperator<Tensor> rule) {
        return plain("aten::logical_" + name + "(Tensor self, Tensor other)")
                .forward(a -> rule.apply(a.tensor(0), a.tensor(1)))
                .refuses(Refusals.UNLIKE_SHAPES)
                .refusesSparse()
                .samples(PAIRS);
    }
}
