package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import java.util.List;

/** Operators that copy elements into another order, repeat them or leave some out. */
final class ArrangementRows {
    static final OperatorRow REPEAT =
            differentiable("aten::repeat(Tensor self, int[] repeats)", "RepeatBackward0")
                    .forward(a -> Arrangements.repeat(a.tensor(0), a.integers(1)))
                    .gradient(Arrangements::repeatGradient)
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

    static final OperatorRow FLIP =
            differentiable("aten::flip(Tensor self, int[] dims)", "FlipBackward0")
                    .forward(a -> Arrangements.flip(a.tensor(0), a.integers(1)))
                    .gradient((s, g) -> Arrangements.flip(g, s.args().integers(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "dim 0 appears multiple times in the list of dims",
                                            s.tensor(2, 3),
                                            new int[] {0, -2}),
                                    outside(
                                            Refusals.range(-2, 1, 2),
                                            s.tensor(2, 3),
                                            new int[] {2})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 2), new int[] {0, -1}),
                                    args(s.transposed(2, 3), new int[] {1}),
                                    args(s.tensor(2), new int[] {})));

    static final OperatorRow ROLL =
            differentiable("aten::roll(Tensor self, int[] shifts, int[] dims)", "RollBackward0")
                    .forward(a -> Arrangements.roll(a.tensor(0), a.integers(1), a.integers(2)))
                    .gradient(Arrangements::rollGradient)
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

    static final OperatorRow TRIL =
            differentiable("aten::tril(Tensor self, int diagonal)", "TrilBackward0")
                    .forward(a -> Arrangements.triangle(a.tensor(0), a.integer(1), true))
                    .gradient((s, g) -> Arrangements.triangle(g, s.args().integer(1), true))
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

    static final OperatorRow TRIU =
            differentiable("aten::triu(Tensor self, int diagonal)", "TriuBackward0")
                    .forward(a -> Arrangements.triangle(a.tensor(0), a.integer(1), false))
                    .gradient((s, g) -> Arrangements.triangle(g, s.args().integer(1), false))
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

    static final List<OperatorRow> ALL = List.of(REPEAT, FLIP, ROLL, TRIL, TRIU);

    private ArrangementRows() {}
}
