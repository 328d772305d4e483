package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.OperatorRow.plain;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;
import org.gradwire.tensor.Saved.Keep;
import org.gradwire.tensor.kernel.Binary;

import java.util.List;

/** Operators that find the largest and smallest elements. */
final class ExtremeRows {
    private static final Samples WHOLE =
            s ->
                    samples(
                            args(s.tensor(2, 3)),
                            args(s.tensor()),
                            args(s.transposed(3, 4)),
                            args(s.tensor(2, 3, 4)));
    private static final Samples ALONG_DIMENSION =
            s ->
                    samples(
                            args(s.tensor(2, 3), 0, false),
                            args(s.tensor(2, 3), -1, true),
                            args(s.tensor(3, 4, 2), 1, false),
                            args(s.tensor(2, 3, 20), 1, false),
                            args(s.transposed(3, 20), 1, false),
                            args(s.tensor(20, 3), 1, true),
                            args(s.tensor(), 0, false));
    private static final Samples OVER_DIMENSIONS =
            s ->
                    samples(
                            args(s.tensor(2, 3), new int[] {0}, false),
                            args(s.tensor(2, 3), new int[] {1}, true),
                            args(s.tensor(2, 3, 4), new int[] {0, -1}, false),
                            args(s.tensor(2, 3), new int[] {}, false),
                            args(s.transposed(20, 3), new int[] {0}, false));
    private static final Samples SEARCHES =
            s ->
                    samples(
                            args(s.tensor(2, 3), null, false),
                            args(s.tensor(2, 3), null, true),
                            args(s.tensor(2, 3), 0, false),
                            args(s.tensor(2, 3, 20), -2, true),
                            args(s.transposed(3, 20), 1, false),
                            args(s.transposed(3, 4), null, false),
                            args(s.tensor(), 0, false));

    static final OperatorRow MAX = whole("max", "MaxBackward1", Binary.MAX);
    static final OperatorRow MIN = whole("min", "MinBackward1", Binary.MIN);
    static final OperatorRow MAX_DIM = alongDimension("max", "MaxBackward0", Binary.MAX);
    static final OperatorRow MIN_DIM = alongDimension("min", "MinBackward0", Binary.MIN);
    static final OperatorRow AMAX = overDimensions("amax", "AmaxBackward0", Binary.MAX);
    static final OperatorRow AMIN = overDimensions("amin", "AminBackward0", Binary.MIN);
    static final OperatorRow ARGMAX = search("argmax", Binary.MAX);
    static final OperatorRow ARGMIN = search("argmin", Binary.MIN);

    static final List<OperatorRow> ALL =
            List.of(MAX, MIN, MAX_DIM, MIN_DIM, AMAX, AMIN, ARGMAX, ARGMIN);

    private ExtremeRows() {}

    private static OperatorRow whole(String name, String node, Binary function) {
        return differentiable("aten::%s(Tensor self)".formatted(name), node)
                .forward(a -> Extremes.whole(name, function, a.tensor(0)))
                .keep(Keep.INPUTS_AND_OUTPUT)
                .gradient((s, g) -> Extremes.shared(g, s.input(0), s.output()))
                .refuses(s ->
                        List.of(
                                refusal(
                                        name
                                                + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
                                        s.tensor(0, 3))))
                .refusesSparse()
                .samples(WHOLE);
    }

    private static OperatorRow alongDimension(String name, String node, Binary function) {
        return differentiable(
                        "aten::%s.dim(Tensor self, int dim, boolean keepdim) -> List"
                                .formatted(name),
                        node)
                .forward(a ->
                        Extremes.withIndices(name, function, a.tensor(0), a.integer(1), a.flag(2)))
                .keep(Keep.output(false, 1))
                .gradients((s, gs) -> Extremes.placed(s, gs[0]))
                .refuses(Refusals.DIMENSION_OR_KEPT)
                .refuses(s ->
                        List.of(
                                outside(
                                        name
                                                + "(): Expected reduction dim 0 to have non-zero size; the shape is [0, 3]",
                                        s.tensor(0, 3),
                                        0,
                                        false)))
                .samples(ALONG_DIMENSION);
    }

    private static OperatorRow overDimensions(String name, String node, Binary function) {
        return differentiable(
                        "aten::%s(Tensor self, int[] dim, boolean keepdim)".formatted(name), node)
                .forward(a -> Extremes.over(name, function, a.tensor(0), a.integers(1), a.flag(2)))
                .keep(Keep.INPUTS_AND_OUTPUT)
                .gradient((s, g) ->
                        Extremes.sharedOver(g, s.input(0), s.output(), s.args().integers(1)))
                .refuses(Refusals.DIMENSIONS_OR_KEPT)
                .refuses(s ->
                        List.of(
                                outside(
                                        name
                                                + "(): Expected reduction dim 0 to have non-zero size; the shape is [0, 3]",
                                        s.tensor(0, 3),
                                        new int[] {0, 1},
                                        false),
                                refusal(
                                        name
                                                + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
                                        s.tensor(0, 3),
                                        new int[0],
                                        false)))
                .samples(OVER_DIMENSIONS);
    }

    private static OperatorRow search(String name, Binary function) {
        return plain("aten::%s(Tensor self, int? dim, boolean keepdim)".formatted(name))
                .forward(a ->
                        Extremes.index(
                                name, function, a.tensor(0), a.optionalInteger(1), a.flag(2)))
                .refuses(Refusals.DIMENSION_OR_KEPT)
                .refuses(s ->
                        List.of(
                                outside(
                                        name
                                                + "(): Expected reduction dim to be specified for input.numel() == 0; the shape is [0, 3]",
                                        s.tensor(0, 3),
                                        null,
                                        false)))
                .samples(SEARCHES);
    }
}
