package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.OperatorRow.plain;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.ReturnsPair;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.MinMaxRules;

import java.util.List;

/** Maximum and minimum reductions, and their indices. */
@OperatorFamily
public final class MinMaxRows {
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

    /** Find the largest element; equal ones share the gradient. */
    @TensorMethod
    public static final OperatorRow MAX =
            whole("aten::max(Tensor self)", "max", "MaxBackward1", Binary.MAX);

    /** Find the smallest element; equal ones share the gradient. */
    @TensorMethod
    public static final OperatorRow MIN =
            whole("aten::min(Tensor self)", "min", "MinBackward1", Binary.MIN);

    /**
     * Find the largest elements along a dimension, which stays with extent 1 if {@code keepdim}:
     * their values, and the index of the first of each.
     */
    @ReturnsPair
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow MAX_DIM =
            alongDimension(
                    "aten::max.dim(Tensor self, int dim, boolean keepdim) -> List",
                    "max",
                    "MaxBackward0",
                    Binary.MAX);

    /**
     * Find the smallest elements along a dimension, which stays with extent 1 if {@code keepdim}:
     * their values, and the index of the first of each.
     */
    @ReturnsPair
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow MIN_DIM =
            alongDimension(
                    "aten::min.dim(Tensor self, int dim, boolean keepdim) -> List",
                    "min",
                    "MinBackward0",
                    Binary.MIN);

    /**
     * Find the largest elements over dimensions; no dimensions mean all. They stay, with extent 1,
     * if {@code keepdim}. Equal ones share the gradient.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow AMAX =
            overDimensions(
                    "aten::amax(Tensor self, int[] dim, boolean keepdim)",
                    "amax",
                    "AmaxBackward0",
                    Binary.MAX);

    /**
     * Find the smallest elements over dimensions; no dimensions mean all. They stay, with extent 1,
     * if {@code keepdim}. Equal ones share the gradient.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow AMIN =
            overDimensions(
                    "aten::amin(Tensor self, int[] dim, boolean keepdim)",
                    "amin",
                    "AminBackward0",
                    Binary.MIN);

    /**
     * Find the index of the first of the largest elements along a dimension; among all elements, in
     * row-major order, where there is none.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    @TensorMethod({"dim = null", "keepdim = false"})
    public static final OperatorRow ARGMAX =
            search("aten::argmax(Tensor self, int? dim, boolean keepdim)", "argmax", Binary.MAX);

    /**
     * Find the index of the first of the smallest elements along a dimension; among all elements,
     * in row-major order, where there is none.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    @TensorMethod({"dim = null", "keepdim = false"})
    public static final OperatorRow ARGMIN =
            search("aten::argmin(Tensor self, int? dim, boolean keepdim)", "argmin", Binary.MIN);

    private MinMaxRows() {}

    private static OperatorRow whole(
            String declaration, String name, String node, Binary function) {
        return differentiable(declaration, node)
                .forward(a -> MinMaxRules.whole(name, function, a.tensor(0)))
                .keep(Keep.INPUTS_AND_OUTPUT)
                .gradient((s, g) -> MinMaxRules.shared(g, s.input(0), s.output()))
                .refuses(s ->
                        List.of(
                                refusal(
                                        name
                                                + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
                                        s.tensor(0, 3))))
                .refusesSparse()
                .samples(WHOLE);
    }

    private static OperatorRow alongDimension(
            String declaration, String name, String node, Binary function) {
        return differentiable(declaration, node)
                .forward(a ->
                        MinMaxRules.withIndices(
                                name, function, a.tensor(0), a.integer(1), a.flag(2)))
                .keep(Keep.output(false, 1))
                .gradients((s, gs) -> MinMaxRules.placed(s, gs[0]))
                .refuses(ErrorSamples.DIMENSION_OR_KEPT)
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

    private static OperatorRow overDimensions(
            String declaration, String name, String node, Binary function) {
        return differentiable(declaration, node)
                .forward(a ->
                        MinMaxRules.over(name, function, a.tensor(0), a.integers(1), a.flag(2)))
                .keep(Keep.INPUTS_AND_OUTPUT)
                .gradient((s, g) ->
                        MinMaxRules.sharedOver(g, s.input(0), s.output(), s.args().integers(1)))
                .refuses(ErrorSamples.DIMENSIONS_OR_KEPT)
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

    private static OperatorRow search(String declaration, String name, Binary function) {
        return plain(declaration)
                .forward(a ->
                        MinMaxRules.index(
                                name, function, a.tensor(0), a.optionalInteger(1), a.flag(2)))
                .refuses(ErrorSamples.DIMENSION_OR_KEPT)
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
