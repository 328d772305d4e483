package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSample;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.PointwiseLossRules;
import org.gradwire.tensor.rule.device.CrossEntropySteps;
import org.gradwire.tensor.rule.device.DeviceLosses;
import org.gradwire.tensor.rule.device.DistanceSteps;
import org.gradwire.tensor.rule.device.DivergenceSteps;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Pointwise loss functions: regression, binary cross-entropy and divergence. */
@OperatorFamily
public final class PointwiseLossRows {
    static final String NO_REDUCTION =
            "most is not a valid value for reduction; expected none, mean or sum";
    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.tensor(3, 4), s.tensor(3, 4), "mean"),
                            args(s.tensor(3, 4), s.tensor(3, 4), "sum"),
                            args(s.transposed(3, 4), s.tensor(3, 4), "none"),
                            args(s.tensor(2, 3, 2), s.tensor(3, 1), "mean"));
    private static final ErrorSample.Samples PAIRS_REFUSED =
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

    /**
     * Compute the squared error.
     *
     * @param reduction {@code none}, {@code mean} or {@code sum}, here and below
     */
    @TensorMethod("reduction = mean")
    public static final OperatorRow MSE_LOSS =
            loss(
                            "aten::mse_loss(Tensor self, Tensor target, String reduction)",
                            "MseLossBackward0",
                            2,
                            _ -> DistanceSteps.SQUARES,
                            _ -> DistanceSteps.SQUARES_GRADIENT)
                    .refuses(PAIRS_REFUSED)
                    .samples(PAIRS);

    /** Compute the absolute error. */
    @TensorMethod("reduction = mean")
    public static final OperatorRow L1_LOSS =
            loss(
                            "aten::l1_loss(Tensor self, Tensor target, String reduction)",
                            "L1LossBackward0",
                            2,
                            _ -> DistanceSteps.DISTANCES,
                            _ -> DistanceSteps.DISTANCES_GRADIENT)
                    .refuses(PAIRS_REFUSED)
                    .samples(PAIRS);

    /** As {@link Ops#l1Loss}, quadratic where the difference is less than {@code beta}. */
    public static final OperatorRow SMOOTH_L1_LOSS =
            loss(
                            "aten::smooth_l1_loss(Tensor self, Tensor target, String reduction, float beta)",
                            "SmoothL1LossBackward0",
                            2,
                            a -> DistanceSteps.smooth(notNegative("smooth_l1_loss", a.real(3))),
                            a -> DistanceSteps.smoothGradient(a.real(3)))
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

    /** Compute the Huber loss: half the square of differences up to {@code delta}, linear above. */
    public static final OperatorRow HUBER_LOSS =
            loss(
                            "aten::huber_loss(Tensor self, Tensor target, String reduction, float delta)",
                            "HuberLossBackward0",
                            2,
                            a -> DistanceSteps.huber(positive(a.real(3))),
                            a -> DistanceSteps.huberGradient(a.real(3)))
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

    /**
     * Compute the binary cross-entropy of probabilities and target probabilities, elementwise.
     * Logarithms are clamped to at least -100.
     *
     * @param weight of each element, broadcast; null for all alike
     */
    @JavaName("bceLoss")
    public static final OperatorRow BINARY_CROSS_ENTROPY =
            differentiable(
                            "aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight, String reduction)",
                            "BinaryCrossEntropyBackward0")
                    .forward(a ->
                            PointwiseLossRules.forward(
                                    "binary_cross_entropy",
                                    probabilities(alike("binary_cross_entropy", a, 2)),
                                    Reduction.of(a.text(3)),
                                    CrossEntropySteps.BINARY))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> gradient(s, g, 2, 3, CrossEntropySteps.BINARY_GRADIENT),
                            (s, g) ->
                                    gradient(s, g, 2, 3, CrossEntropySteps.BINARY_TARGET_GRADIENT))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "binary_cross_entropy: Target size ([4]) must be the same as input size ([3, 4])",
                                            probable(s, 3, 4),
                                            s.tensor(4),
                                            null,
                                            "mean"),
                                    refusal(
                                            "all elements of the input must be from 0 to 1, but one is 2.0; for logits use bceWithLogits",
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

    /**
     * As {@link Ops#bceLoss} of the sigmoid of logits, without overflow.
     *
     * @param posWeight weight of targets of 1, broadcast; null for 1
     */
    @JavaName("bceWithLogits")
    @TensorMethod({"weight = null", "posWeight = null", "reduction = mean"})
    public static final OperatorRow BINARY_CROSS_ENTROPY_WITH_LOGITS =
            differentiable(
                            "aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight, Tensor? pos_weight, String reduction)",
                            "BinaryCrossEntropyWithLogitsBackward0")
                    .forward(a ->
                            PointwiseLossRules.forward(
                                    "binary_cross_entropy_with_logits",
                                    alike("binary_cross_entropy_with_logits", a, 3),
                                    Reduction.of(a.text(4)),
                                    CrossEntropySteps.LOGITS))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> gradient(s, g, 3, 4, CrossEntropySteps.LOGITS_GRADIENT),
                            (s, g) ->
                                    gradient(s, g, 3, 4, CrossEntropySteps.LOGITS_TARGET_GRADIENT))
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

    /**
     * Compute the Kullback-Leibler divergence of log-probabilities from probabilities, elementwise.
     *
     * @param logTarget whether the target holds log-probabilities as well
     */
    public static final OperatorRow KL_DIV =
            differentiable(
                            "aten::kl_div(Tensor self, Tensor target, String reduction, boolean log_target)",
                            "KlDivBackward0")
                    .forward(a ->
                            PointwiseLossRules.forward(
                                    "kl_div",
                                    List.of(a.tensor(0), a.tensor(1)),
                                    Reduction.of(a.text(2)),
                                    DivergenceSteps.of(a.flag(3)).divergences()))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> gradient(s, g, 1, 2, divergence(s).gradient()),
                            (s, g) -> gradient(s, g, 1, 2, divergence(s).targetGradient()))
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

    private PointwiseLossRows() {}

    /** Begin a row of a loss that is a function of the difference of input and target. */
    private static OperatorRowBuilder loss(
            String declaration,
            String nodeName,
            int reduction,
            Function<Args, Step> value,
            Function<Args, Step> slope) {
        String name = declaration.substring("aten::".length(), declaration.indexOf('('));
        return differentiable(declaration, nodeName)
                .forward(a ->
                        PointwiseLossRules.forward(
                                name,
                                List.of(a.tensor(0), a.tensor(1)),
                                Reduction.of(a.text(reduction)),
                                value.apply(a)))
                .keep(Keep.INPUTS)
                .gradient(
                        (s, g) -> gradient(s, g, 1, reduction, slope.apply(s.args())),
                        (s, g) -> gradient(s, g.neg(), 1, reduction, slope.apply(s.args())));
    }

    private static DivergenceSteps divergence(Saved saved) {
        return DivergenceSteps.of(saved.args().flag(3));
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
        if (!java.util.Arrays.equals(TensorAccess.dims(x), TensorAccess.dims(args.tensor(1)))) {
            throw new IllegalArgumentException(
                    "%s: Target size (%s) must be the same as input size (%s)"
                            .formatted(
                                    function,
                                    java.util.Arrays.toString(TensorAccess.dims(args.tensor(1))),
                                    java.util.Arrays.toString(TensorAccess.dims(x))));
        }
        List<Tensor> operands = new ArrayList<>(List.of(x, args.tensor(1)));
        for (int i = 2; i <= lastWeight; i++) {
            operands.add(PointwiseLossRules.orOnes(args.optionalTensor(i), x.dtype()));
        }
        return operands;
    }

    /** Check the first operand where its device can, for its kernel does not. */
    private static List<Tensor> probabilities(List<Tensor> operands) {
        DeviceLosses.checkProbabilities(operands.getFirst());
        return operands;
    }

    private static Tensor gradient(
            Saved saved, Tensor gradient, int lastOperand, int reduction, Step step) {
        List<Tensor> operands = new ArrayList<>();
        for (int i = 0; i <= lastOperand; i++) {
            @Nullable Tensor operand = saved.optionalInput(i);
            operands.add(PointwiseLossRules.orOnes(operand, gradient.dtype()));
        }
        Reduction kind = Reduction.of(saved.args().text(reduction));
        return PointwiseLossRules.gradient(operands, gradient, kind, step);
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
    static Tensor weight(Sampler s, int... shape) {
        return s.positive(shape).requiresGrad(false);
    }

    /** Return numbers between 0.2 and 0.8 that require a gradient. */
    private static Tensor probable(Sampler s, int... shape) {
        return s.positive(shape).detach().mul(0.4).requiresGrad(true);
    }
}
