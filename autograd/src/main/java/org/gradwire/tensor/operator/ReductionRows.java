package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.both;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.rule.ViewRules;
import org.gradwire.tensor.storage.Shapes;

import java.util.List;

/** Sums and means; softmax. */
@OperatorFamily
public final class ReductionRows {
    private static final int SMALL_ELEMENTS = 256;

    private static final String NO_MEAN =
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Bool; convert it with to(dtype)";
    private static final Samples WHOLE =
            s ->
                    samples(
                            args(s.tensor(2, 3)),
                            args(s.tensor()),
                            args(s.transposed(3, 4)),
                            args(s.tensor(2, 3, 4)));
    private static final Samples OVER_DIMENSIONS =
            s ->
                    samples(
                            args(s.tensor(2, 3), new int[] {0}, false),
                            args(s.tensor(2, 3), new int[] {1}, true),
                            args(s.tensor(2, 3, 4), new int[] {1}, false),
                            args(s.tensor(2, 3, 4), new int[] {0, -1}, false),
                            args(s.tensor(2, 3, 4), new int[] {0, 1}, true),
                            args(s.tensor(2, 3), new int[] {}, false),
                            args(s.transposed(2, 3), new int[] {0}, false));
    private static final Samples SCORES =
            s ->
                    samples(
                            args(s.tensor(2, 5), 1),
                            args(s.tensor(3, 2), 0),
                            args(s.tensor(2, 3, 4), -2),
                            args(s.tensor(4), 0),
                            args(s.transposed(3, 20), 1));

    /** Sum all elements. */
    @TensorMethod
    public static final OperatorRow SUM =
            differentiable("aten::sum(Tensor self)", "SumBackward0")
                    .forward(a -> ReductionRules.sum(a.tensor(0)))
                    .gradient((s, g) -> spread(g, s.shape(0)))
                    .sparse(SparseVariants.SUM)
                    .refuses(_ -> List.of(refusal(ErrorSamples.type("sum", "Tensor", "self"), "x")))
                    .samples(both(WHOLE, s -> samples(args(s.ints(2, 3)), args(s.bools(4)))));

    /**
     * Sum over dimensions; no dimensions mean all. They stay, with extent 1, if {@code keepdim}.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow SUM_DIMS =
            differentiable(
                            "aten::sum.dim_IntList(Tensor self, int[] dim, boolean keepdim)",
                            "SumBackward1")
                    .forward(a -> ReductionRules.sum(a.tensor(0), a.integers(1), a.flag(2)))
                    .gradient((s, g) -> spread(restored(s, g), s.shape(0)))
                    .sparse(SparseVariants.SUM_DIMS)
                    .refuses(ErrorSamples.DIMENSIONS_OR_KEPT)
                    .samples(
                            both(
                                    OVER_DIMENSIONS,
                                    s ->
                                            samples(
                                                    args(s.ints(2, 3), new int[] {0}, false),
                                                    args(s.bools(2, 3), new int[] {1}, true))));

    /** Average all elements. */
    @TensorMethod
    public static final OperatorRow MEAN =
            differentiable("aten::mean(Tensor self)", "MeanBackward0")
                    .forward(a -> mean(a.tensor(0), new int[0], false))
                    .gradient((s, g) -> spread(g.div(Shapes.count(s.shape(0))), s.shape(0)))
                    .refuses(s -> List.of(refusal(NO_MEAN, s.bools(2, 3))))
                    .refusesSparse()
                    .samples(WHOLE);

    /**
     * Average over dimensions; no dimensions mean all. They stay, with extent 1, if {@code
     * keepdim}.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow MEAN_DIMS =
            differentiable(
                            "aten::mean.dim(Tensor self, int[] dim, boolean keepdim)",
                            "MeanBackward1")
                    .forward(a -> mean(a.tensor(0), a.integers(1), a.flag(2)))
                    .gradient((s, g) -> {
                        int terms = Shapes.count(s.shape(0)) / Math.max(g.numel(), 1);
                        return spread(restored(s, g).div(terms), s.shape(0));
                    })
                    .refuses(ErrorSamples.DIMENSIONS_OR_KEPT)
                    .refuses(s -> List.of(refusal(NO_MEAN, s.bools(2, 3), new int[] {0}, false)))
                    .samples(OVER_DIMENSIONS);

    /** Compute the softmax along a dimension. */
    @TensorMethod
    public static final OperatorRow SOFTMAX =
            differentiable("aten::softmax.int(Tensor self, int dim)", "SoftmaxBackward0")
                    .forward(a -> ReductionRules.softmax(a.tensor(0), a.integer(1)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) ->
                            ReductionRules.softmaxGradient(g, s.output(), s.args().integer(1)))
                    .refuses(ErrorSamples.DIMENSION)
                    .samples(SCORES);

    /** Compute the logarithm of {@link Ops#softmax}, without cancellation. */
    @TensorMethod
    public static final OperatorRow LOG_SOFTMAX =
            differentiable("aten::log_softmax.int(Tensor self, int dim)", "LogSoftmaxBackward0")
                    .forward(a -> ReductionRules.logSoftmax(a.tensor(0), a.integer(1)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) ->
                            ReductionRules.logSoftmaxGradient(g, s.output(), s.args().integer(1)))
                    .refuses(ErrorSamples.DIMENSION)
                    .samples(SCORES);

    private ReductionRows() {}

    private static Tensor mean(Tensor x, int[] dims, boolean keepdim) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: %s; convert it with to(dtype)"
                            .formatted(DTypeAccess.tensorType(x.dtype())));
        }
        Tensor sum = ReductionRules.sum(x, dims, keepdim);
        double terms = x.numel() / (double) Math.max(sum.numel(), 1);
        return sum.div(terms);
    }

    /**
     * Return a gradient repeated to a shape: a view, except few elements, which are copied, since
     * the next operator may copy an expanded view more than once, as a product does.
     */
    private static Tensor spread(Tensor gradient, int[] shape) {
        if (Shapes.count(shape) > SMALL_ELEMENTS) {
            return ViewRules.expand(gradient, shape);
        }
        return gradient.numel() == 1 && TensorAccess.isPlainArray(gradient)
                ? Elementwise.repeated(gradient, shape)
                : Elementwise.contiguous(ViewRules.expand(gradient, shape));
    }

    /** Return a gradient with the dimensions that were summed over, as ones. */
    private static Tensor restored(Saved saved, Tensor gradient) {
        int[] dims = saved.args().integers(1);
        boolean[] reduced = Shapes.selection(dims, saved.shape(0).length);
        int[] shape = saved.shape(0).clone();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = reduced[d] || dims.length == 0 ? 1 : shape[d];
        }
        return TensorAccess.reshaped(gradient, shape);
    }
}
