package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.TransformationRules;

import java.util.List;

/** Copying transformations: repeat, flip, roll and triangles. */
@OperatorFamily
public final class TransformationRows {
    /** Repeat the tensor along each dimension; more counts than dimensions add dimensions. */
    @TensorMethod
    public static final OperatorRow REPEAT =
            differentiable("aten::repeat(Tensor self, int[] repeats)", "RepeatBackward0")
                    .forward(a -> TransformationRules.repeat(a.tensor(0), a.integers(1)))
                    .gradient(TransformationRules::repeatGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: [2] of float64[2, 3]",
                                            s.tensor(2, 3),
                                            new int[] {2}),
                                    refusal(
                                            "repeat: expected numbers of copies that are not negative and give extents of at most 2147483647, got [2, -1] for float64[0, 3]",
                                            s.tensor(0, 3),
                                            new int[] {2, -1}),
                                    refusal(
                                            "give extents of at most 2147483647, got [1073741824] for float64[3]",
                                            s.tensor(3),
                                            new int[] {1 << 30})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), new int[] {2, 1, 3}),
                                    args(s.transposed(2, 3), new int[] {1, 2}),
                                    args(s.tensor(), new int[] {3}),
                                    args(s.tensor(2), new int[] {0})));

    /** Reverse the order along dimensions. A copy. */
    @TensorMethod
    public static final OperatorRow FLIP =
            differentiable("aten::flip(Tensor self, int[] dims)", "FlipBackward0")
                    .forward(a -> TransformationRules.flip(a.tensor(0), a.integers(1)))
                    .gradient((s, g) -> TransformationRules.flip(g, s.args().integers(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "dim 0 appears multiple times in the list of dims",
                                            s.tensor(2, 3),
                                            new int[] {0, -2}),
                                    outside(
                                            ErrorSamples.range(-2, 1, 2),
                                            s.tensor(2, 3),
                                            new int[] {2})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 2), new int[] {0, -1}),
                                    args(s.transposed(2, 3), new int[] {1}),
                                    args(s.tensor(2), new int[] {})));

    /**
     * Roll along dimensions: elements shifted past the last position are inserted at the first.
     *
     * @param dims none to shift the elements in row-major order, by one number
     */
    public static final OperatorRow ROLL =
            differentiable("aten::roll(Tensor self, int[] shifts, int[] dims)", "RollBackward0")
                    .forward(a ->
                            TransformationRules.roll(a.tensor(0), a.integers(1), a.integers(2)))
                    .gradient(TransformationRules::rollGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "shifts and dimensions must align. shifts: 1, dims:2",
                                            s.tensor(2, 3),
                                            new int[] {1},
                                            new int[] {0, 1}),
                                    refusal(
                                            "`shifts` required",
                                            s.tensor(2, 3),
                                            new int[0],
                                            new int[0])))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), new int[] {1}, new int[] {0}),
                                    args(s.tensor(2, 5), new int[] {-7, 1}, new int[] {-1, 0}),
                                    args(s.transposed(2, 3), new int[] {2}, new int[] {})));

    /** Return the lower triangle of each matrix, on and below a diagonal, with zeros above. */
    @TensorMethod
    @TensorMethod("diagonal = 0")
    public static final OperatorRow TRIL =
            differentiable("aten::tril(Tensor self, int diagonal)", "TrilBackward0")
                    .forward(a -> TransformationRules.triangle(a.tensor(0), a.integer(1), true))
                    .gradient((s, g) -> TransformationRules.triangle(g, s.args().integer(1), true))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "tril: input tensor must have at least 2 dimensions, got float64[3]",
                                            s.tensor(3),
                                            0)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), 0),
                                    args(s.tensor(2, 3, 3), 1),
                                    args(s.transposed(4, 2), -2)));

    /** Return the upper triangle of each matrix, on and above a diagonal, with zeros below. */
    @TensorMethod
    @TensorMethod("diagonal = 0")
    public static final OperatorRow TRIU =
            differentiable("aten::triu(Tensor self, int diagonal)", "TriuBackward0")
                    .forward(a -> TransformationRules.triangle(a.tensor(0), a.integer(1), false))
                    .gradient((s, g) -> TransformationRules.triangle(g, s.args().integer(1), false))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "triu: input tensor must have at least 2 dimensions, got float64[3]",
                                            s.tensor(3),
                                            0)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), 0),
                                    args(s.tensor(2, 3, 3), 1),
                                    args(s.transposed(4, 2), -2)));

    private TransformationRows() {}
}
