package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.composite;
import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;
import org.gradwire.tensor.Saved.Keep;
import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Operators that tell how far results are from what was wanted. */
final class LossRows {
    private static final String NO_REDUCTION =
            "most is not a valid value for reduction; expected none, mean or sum";
    private static final Samples CLASSIFIED =
            s ->
                    samples(
                            args(s.tensor(3, 4), Tensor.of(1L, 3L, 0L)),
                            args(s.tensor(1, 2), Tensor.of(1L)));
    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.tensor(3, 4), s.tensor(3, 4), "mean"),
                            args(s.tensor(3, 4), s.tensor(3, 4), "sum"),
                            args(s.transposed(3, 4), s.tensor(3, 4), "none"),
                            args(s.tensor(2, 3, 2), s.tensor(3, 1), "mean"));
    private static final Refusal.Samples PAIRS_REFUSED =
            s ->
                    List.of(
                            refusal(
                                    "The size of tensor a (3) must match the size of tensor b (4)",
                                    s.tensor(2, 3),
                                    s.tensor(4),
                                    "mean"),
                            refusal(NO_REDUCTION, s.tensor(3), s.tensor(3), "most"),
                            refusal(
                                    "_loss\" not implemented for 'Long'; convert the input with to(dtype)",
                                    s.tensor(3),
                                    s.longs(3),
                                    "sum"));

    static final OperatorRow NLL_LOSS =
            differentiable("aten::nll_loss(Tensor self, Tensor target)", "NllLossBackward0")
                    .forward(
                            a -> Losses.nll(a.tensor(0), a.tensor(1), null, "mean", Losses.IGNORED))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) -> Losses.nllGradient(s, g, null, "mean", Losses.IGNORED))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "Target 7 is out of bounds; there are 4 classes",
                                            s.tensor(3, 4),
                                            Tensor.of(0, 1, 7)),
                                    refusal(
                                            "Expected input batch_size (3) to match target batch_size (2).",
                                            s.tensor(3, 4),
                                            Tensor.of(0, 1)),
                                    refusal(
                                            "expected scalar type Long but found Double",
                                            s.tensor(3, 4),
                                            s.tensor(3))))
                    .samples(CLASSIFIED);

    static final OperatorRow NLL_LOSS_ND =
            differentiable(
                            "aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight, String reduction, int ignore_index)",
                            "NllLossBackward0")
                    .forward(a ->
                            Losses.nll(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.text(3),
                                    a.integer(4)))
                    .keep(Keep.inputs(1, 2))
                    .gradient((s, g) ->
                            Losses.nllGradient(
                                    s,
                                    g,
                                    s.optionalInput(2),
                                    s.args().text(3),
                                    s.args().integer(4)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected target size [2, 5], got [2, 4] for scores of [2, 3, 5]",
                                            s.tensor(2, 3, 5),
                                            Tensor.zeros(DType.INT64, 2, 4),
                                            null,
                                            "mean",
                                            -100),
                                    refusal(
                                            "weight tensor should be defined either for all 4 classes or no classes but got weight tensor of shape: [3]",
                                            s.tensor(1, 4),
                                            Tensor.of(0),
                                            s.tensor(3),
                                            "mean",
                                            -100),
                                    refusal(
                                            NO_REDUCTION,
                                            s.tensor(1, 4),
                                            Tensor.of(0),
                                            null,
                                            "most",
                                            -100)))
                    .samples(s -> {
                        Tensor classes = Tensor.of(1L, 3, 0);
                        Tensor images = Tensor.of(new long[] {0, 2, -1, 1, 1, 2}, 2, 3);
                        return samples(
                                args(s.tensor(3, 4), classes, weight(s, 4), "mean", -100),
                                args(s.tensor(3, 4), classes, weight(s, 4), "sum", 3),
                                args(s.tensor(3, 4), classes, null, "none", 0),
                                args(s.tensor(4), Tensor.scalar(2), null, "mean", -100),
                                args(s.tensor(2, 3, 3), images, weight(s, 3), "mean", -1),
                                args(s.tensor(2, 3, 3), images, null, "none", -1),
                                args(
                                        s.tensor(2, 3, 1, 3),
                                        images.unsqueeze(1),
                                        weight(s, 3),
                                        "none",
                                        -1),
                                args(s.transposed(3, 4), classes, null, "sum", -100));
                    });

    static final OperatorRow CROSS_ENTROPY =
            composite("aten::cross_entropy_loss(Tensor self, Tensor target)")
                    .forward(a ->
                            Losses.crossEntropy(
                                    a.tensor(0), a.tensor(1), null, "mean", Losses.IGNORED, 0))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "Target 5 is out of bounds; there are 3 classes",
                                            s.tensor(1, 3),
                                            Tensor.of(5)),
                                    refusal(
                                            "Expected 1 or more dimensions (got 0)",
                                            s.tensor(),
                                            Tensor.scalar(1))))
                    .samples(CLASSIFIED);

    static final OperatorRow CROSS_ENTROPY_WEIGHT =
            composite(
                            "aten::cross_entropy_loss.weight(Tensor self, Tensor target, Tensor? weight, String reduction, int ignore_index, float label_smoothing)")
                    .forward(a ->
                            Losses.crossEntropy(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.text(3),
                                    a.integer(4),
                                    a.real(5)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "label_smoothing must be between 0.0 and 1.0. Got: 1.5",
                                            s.tensor(1, 4),
                                            Tensor.of(0),
                                            null,
                                            "mean",
                                            -100,
                                            1.5),
                                    refusal(
                                            "Expected floating point type for target with class probabilities, got Long",
                                            s.tensor(2, 3),
                                            s.longs(2, 3),
                                            null,
                                            "mean",
                                            -100,
                                            0.0),
                                    refusal(
                                            "ignore_index is not supported for floating point target; got 1",
                                            s.tensor(2, 3),
                                            s.tensor(2, 3),
                                            null,
                                            "mean",
                                            1,
                                            0.0),
                                    refusal(
                                            "Expected 1 or more dimensions (got 0)",
                                            s.tensor(),
                                            Tensor.scalar(0),
                                            null,
                                            "mean",
                                            -100,
                                            0.0)))
                    .samples(s -> {
                        Tensor classes = Tensor.of(1L, 3, 0);
                        Tensor images = Tensor.of(new long[] {0, 2, -1, 1, 1, 2}, 2, 3);
                        return samples(
                                args(s.tensor(3, 4), classes, null, "mean", -100, 0.0),
                                args(s.tensor(3, 4), classes, weight(s, 4), "mean", 3, 0.2),
                                args(s.tensor(3, 4), classes, null, "none", 3, 0.2),
                                args(s.tensor(4), Tensor.scalar(2), null, "mean", -100, 0.1),
                                args(s.tensor(2, 3, 3), images, weight(s, 3), "sum", -1, 0.1),
                                args(s.tensor(2, 3, 3), images, null, "mean", -1, 0.5),
                                args(s.tensor(3, 4), s.positive(3, 4), null, "mean", -100, 0.0),
                                args(
                                        s.tensor(2, 3, 2),
                                        s.positive(2, 3, 2),
                                        weight(s, 3),
                                        "none",
                                        -100,
                                        0.3),
                                args(s.tensor(4), s.positive(4), weight(s, 4), "sum", -100, 0.1));
                    });

    static final OperatorRow MSE_LOSS =
            loss(
                            "aten::mse_loss(Tensor self, Tensor target, String reduction)",
                            "MseLossBackward0",
                            2,
                            _ -> PointwiseLosses::squares,
                            _ -> PointwiseLosses::squaresGradient)
                    .refuses(PAIRS_REFUSED)
                    .samples(PAIRS);

    static final OperatorRow L1_LOSS =
            loss(
                            "aten::l1_loss(Tensor self, Tensor target, String reduction)",
                            "L1LossBackward0",
                            2,
                            _ -> PointwiseLosses::distances,
                            _ -> PointwiseLosses::distancesGradient)
                    .refuses(PAIRS_REFUSED)
                    .samples(PAIRS);

    static final OperatorRow SMOOTH_L1_LOSS =
            loss(
                            "aten::smooth_l1_loss(Tensor self, Tensor target, String reduction, float beta)",
                            "SmoothL1LossBackward0",
                            2,
                            a -> PointwiseLosses.smooth(notNegative("smooth_l1_loss", a.real(3))),
                            a -> PointwiseLosses.smoothGradient(a.real(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "smooth_l1_loss does not support negative values for beta; got -1.0",
                                            s.tensor(3),
                                            s.tensor(3),
                                            "mean",
                                            -1.0),
                                    refusal(NO_REDUCTION, s.tensor(3), s.tensor(3), "most", 1.0)))
                    .samples(with(0.4));

    static final OperatorRow HUBER_LOSS =
            loss(
                            "aten::huber_loss(Tensor self, Tensor target, String reduction, float delta)",
                            "HuberLossBackward0",
                            2,
                            a -> PointwiseLosses.huber(positive(a.real(3))),
                            a -> PointwiseLosses.huberGradient(a.real(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "huber_loss does not support non-positive values for delta; got 0.0",
                                            s.tensor(3),
                                            s.tensor(3),
                                            "mean",
                                            0.0),
                                    refusal(NO_REDUCTION, s.tensor(3), s.tensor(3), "most", 1.0)))
                    .samples(with(0.4));

    static final OperatorRow BINARY_CROSS_ENTROPY =
            differentiable(
                            "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight, String reduction)",
                            "BinaryCrossEntropyBackward0")
                    .forward(a ->
                            PointwiseLosses.forward(
                                    "binary_cross_entropy",
                                    alike("binary_cross_entropy", a, 2),
                                    Reduction.of(a.text(3)),
                                    PointwiseLosses::binary))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> gradient(s, g, 2, 3, PointwiseLosses::binaryGradient),
                            (s, g) -> gradient(s, g, 2, 3, PointwiseLosses::binaryTargetGradient))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "binary_cross_entropy: Target size ([4]) must be the same as input size ([3, 4])",
                                            probable(s, 3, 4),
                                            s.tensor(4),
                                            null,
                                            "mean"),
                                    refusal(
                                            "all elements of input should be between 0 and 1, one is 2.0; binary_cross_entropy_with_logits takes scores of any size",
                                            Tensor.of(0.5, 2.0),
                                            probable(s, 2),
                                            null,
                                            "mean")))
                    .samples(s ->
                            samples(
                                    args(probable(s, 3, 4), probable(s, 3, 4), null, "mean"),
                                    args(probable(s, 4), probable(s, 4), weight(s, 4), "sum"),
                                    args(
                                            probable(s, 3, 4),
                                            probable(s, 3, 4),
                                            weight(s, 4),
                                            "none")));

    static final OperatorRow BINARY_CROSS_ENTROPY_WITH_LOGITS =
            differentiable(
                            "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight, Tensor? pos_weight, String reduction)",
                            "BinaryCrossEntropyWithLogitsBackward0")
                    .forward(a ->
                            PointwiseLosses.forward(
                                    "binary_cross_entropy_with_logits",
                                    alike("binary_cross_entropy_with_logits", a, 3),
                                    Reduction.of(a.text(4)),
                                    PointwiseLosses::logits))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> gradient(s, g, 3, 4, PointwiseLosses::logitsGradient),
                            (s, g) -> gradient(s, g, 3, 4, PointwiseLosses::logitsTargetGradient))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "binary_cross_entropy_with_logits: Target size ([4]) must be the same as input size ([3, 4])",
                                            s.tensor(3, 4),
                                            probable(s, 4),
                                            null,
                                            null,
                                            "mean"),
                                    refusal(
                                            NO_REDUCTION,
                                            s.tensor(3),
                                            probable(s, 3),
                                            null,
                                            null,
                                            "most")))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), probable(s, 3, 4), null, null, "mean"),
                                    args(
                                            s.tensor(3, 4),
                                            probable(s, 3, 4),
                                            weight(s, 3, 1),
                                            weight(s, 4),
                                            "sum"),
                                    args(
                                            s.transposed(3, 4),
                                            s.constant(3, 4),
                                            null,
                                            weight(s, 4),
                                            "none")));

    static final OperatorRow KL_DIV =
            differentiable(
                            "aten::kl_div(Tensor self, Tensor target, String reduction, boolean log_target)",
                            "KlDivBackward0")
                    .forward(a ->
                            PointwiseLosses.forward(
                                    "kl_div",
                                    List.of(a.tensor(0), a.tensor(1)),
                                    Reduction.of(a.text(2)),
                                    a.flag(3)
                                            ? PointwiseLosses::logDivergences
                                            : PointwiseLosses::divergences))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) ->
                                    gradient(
                                            s,
                                            g,
                                            1,
                                            2,
                                            s.args().flag(3)
                                                    ? PointwiseLosses::logDivergencesGradient
                                                    : PointwiseLosses::divergencesGradient),
                            (s, g) ->
                                    gradient(
                                            s,
                                            g,
                                            1,
                                            2,
                                            s.args().flag(3)
                                                    ? PointwiseLosses::logDivergencesTargetGradient
                                                    : PointwiseLosses::divergencesTargetGradient))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "batchmean is not a valid value for reduction; expected none, mean or sum",
                                            s.tensor(3),
                                            s.tensor(3),
                                            "batchmean",
                                            false),
                                    refusal(
                                            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0; the shapes are [3] and [2]",
                                            s.tensor(3),
                                            s.tensor(2),
                                            "mean",
                                            true)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), s.positive(3, 4), "mean", false),
                                    args(s.tensor(3, 4), s.positive(4), "none", false),
                                    args(s.tensor(3, 4), s.tensor(3, 4), "sum", true)));

    static final List<OperatorRow> ALL =
            List.of(
                    NLL_LOSS,
                    NLL_LOSS_ND,
                    CROSS_ENTROPY,
                    CROSS_ENTROPY_WEIGHT,
                    MSE_LOSS,
                    L1_LOSS,
                    SMOOTH_L1_LOSS,
                    HUBER_LOSS,
                    BINARY_CROSS_ENTROPY,
                    BINARY_CROSS_ENTROPY_WITH_LOGITS,
                    KL_DIV);

    private LossRows() {}

    /** Begin a row of a loss that depends on the difference of input and target only. */
    private static OperatorRow.Builder loss(
            String declaration,
            String nodeName,
            int reduction,
            Function<Args, Step> value,
            Function<Args, Step> slope) {
        String name = declaration.substring("aten::".length(), declaration.indexOf('('));
        return differentiable(declaration, nodeName)
                .forward(a ->
                        PointwiseLosses.forward(
                                name,
                                List.of(a.tensor(0), a.tensor(1)),
                                Reduction.of(a.text(reduction)),
                                value.apply(a)))
                .keep(Keep.INPUTS)
                .gradient(
                        (s, g) -> gradient(s, g, 1, reduction, slope.apply(s.args())),
                        (s, g) -> gradient(s, g.neg(), 1, reduction, slope.apply(s.args())));
    }

    private static double notNegative(String function, double beta) {
        if (!(beta >= 0)) {
            throw new IllegalArgumentException(
                    function + " does not support negative values for beta; got " + beta);
        }
        return beta;
    }

    private static double positive(double delta) {
        if (!(delta > 0)) {
            throw new IllegalArgumentException(
                    "huber_loss does not support non-positive values for delta; got " + delta);
        }
        return delta;
    }

    /** {@return input, target, and the weights up to an argument, with ones for those not given} */
    private static List<Tensor> alike(String function, Args args, int lastWeight) {
        Tensor x = args.tensor(0);
        if (!java.util.Arrays.equals(x.dims, args.tensor(1).dims)) {
            throw new IllegalArgumentException(
                    "%s: Target size (%s) must be the same as input size (%s)"
                            .formatted(
                                    function,
                                    java.util.Arrays.toString(args.tensor(1).dims),
                                    java.util.Arrays.toString(x.dims)));
        }
        List<Tensor> operands = new ArrayList<>(List.of(x, args.tensor(1)));
        for (int i = 2; i <= lastWeight; i++) {
            operands.add(PointwiseLosses.orOnes(args.optionalTensor(i), x.dtype()));
        }
        return operands;
    }

    private static Tensor gradient(
            Saved saved, Tensor gradient, int lastOperand, int reduction, Step step) {
        List<Tensor> operands = new ArrayList<>();
        for (int i = 0; i <= lastOperand; i++) {
            @Nullable Tensor operand = saved.optionalInput(i);
            operands.add(PointwiseLosses.orOnes(operand, gradient.dtype()));
        }
        Reduction kind = Reduction.of(saved.args().text(reduction));
        return PointwiseLosses.gradient(operands, gradient, kind, step);
    }

    /** Return pairs, with one more number. */
    private static Samples with(double last) {
        UnaryOperator<@Nullable Object[]> append =
                args -> {
                    @Nullable Object[] more = java.util.Arrays.copyOf(args, args.length + 1);
                    more[args.length] = last;
                    return more;
                };
        return s -> PAIRS.of(s).stream().map(append).toList();
    }

    /** Return positive numbers that require no gradient. */
    private static Tensor weight(Sampler s, int... shape) {
        return s.positive(shape).requiresGrad(false);
    }

    /** Return numbers between 0.2 and 0.8 that require a gradient. */
    private static Tensor probable(Sampler s, int... shape) {
        return s.positive(shape).detach().mul(0.4).requiresGrad(true);
    }
}
