package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.ClassificationLossRules;

import java.util.List;

/** Classification loss functions: negative log-likelihood and cross-entropy. */
@OperatorFamily
public final class ClassificationLossRows {
    private static final Samples CLASSIFIED =
            s ->
                    samples(
                            args(s.tensor(3, 4), Tensor.of(1L, 3L, 0L)),
                            args(s.tensor(1, 2), Tensor.of(1L)));

    /**
     * Average minus the log-probabilities {@code [n, classes]} of the classes in {@code target},
     * int64 {@code [n]}.
     */
    @TensorMethod
    public static final OperatorRow NLL_LOSS =
            differentiable("aten::nll_loss(Tensor self, Tensor target)", "NllLossBackward0")
                    .forward(a ->
                            ClassificationLossRules.nll(
                                    a.tensor(0),
                                    a.tensor(1),
                                    null,
                                    "mean",
                                    ClassificationLossRules.IGNORED))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) ->
                            ClassificationLossRules.nllGradient(
                                    s, g, null, "mean", ClassificationLossRules.IGNORED))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "Target 7 is out of bounds; there are 4 classes",
                                            s.tensor(3, 4),
                                            Tensor.of(0, 1, 7)),
                                    refusal(
                                            "Expected input batch size (3) to match target batch size (2).",
                                            s.tensor(3, 4),
                                            Tensor.of(0, 1)),
                                    refusal(
                                            "expected scalar type Long but found Double",
                                            s.tensor(3, 4),
                                            s.tensor(3))))
                    .samples(CLASSIFIED);

    /**
     * Compute the negative log-likelihood loss of log-probabilities {@code [c]}, {@code [n, c]} or
     * {@code [n, c, d1, ...]} of the classes in {@code target}, int64 of the same shape without
     * {@code c}.
     *
     * @param weight weight of each class, {@code [c]}; null for equal weights
     * @param reduction {@code none}, {@code sum}, or {@code mean}, weighted
     * @param ignoreIndex a class without loss or gradient; -100 in PyTorch
     */
    @JavaName("nllLoss")
    public static final OperatorRow NLL_LOSS_ND =
            differentiable(
                            "aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight, String reduction, int ignore_index)",
                            "NllLossBackward0")
                    .forward(a ->
                            ClassificationLossRules.nll(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.text(3),
                                    a.integer(4)))
                    .keep(Keep.inputs(1, 2))
                    .gradient((s, g) ->
                            ClassificationLossRules.nllGradient(
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
                                            PointwiseLossRows.NO_REDUCTION,
                                            s.tensor(1, 4),
                                            Tensor.of(0),
                                            null,
                                            "most",
                                            -100)))
                    .samples(s -> {
                        Tensor classes = Tensor.of(1L, 3, 0);
                        Tensor images = Tensor.of(new long[] {0, 2, -1, 1, 1, 2}, 2, 3);
                        return samples(
                                args(
                                        s.tensor(3, 4),
                                        classes,
                                        PointwiseLossRows.weight(s, 4),
                                        "mean",
                                        -100),
                                args(
                                        s.tensor(3, 4),
                                        classes,
                                        PointwiseLossRows.weight(s, 4),
                                        "sum",
                                        3),
                                args(s.tensor(3, 4), classes, null, "none", 0),
                                args(s.tensor(4), Tensor.scalar(2), null, "mean", -100),
                                args(
                                        s.tensor(2, 3, 3),
                                        images,
                                        PointwiseLossRows.weight(s, 3),
                                        "mean",
                                        -1),
                                args(s.tensor(2, 3, 3), images, null, "none", -1),
                                args(
                                        s.tensor(2, 3, 1, 3),
                                        images.unsqueeze(1),
                                        PointwiseLossRows.weight(s, 3),
                                        "none",
                                        -1),
                                args(s.transposed(3, 4), classes, null, "sum", -100));
                    });

    /**
     * Average the cross-entropy of scores {@code [n, classes]} and the classes in {@code target},
     * int64 {@code [n]}.
     */
    @JavaName("crossEntropy")
    @TensorMethod
    public static final OperatorRow CROSS_ENTROPY =
            composite("aten::cross_entropy_loss(Tensor self, Tensor target)")
                    .forward(a ->
                            ClassificationLossRules.crossEntropy(
                                    a.tensor(0),
                                    a.tensor(1),
                                    null,
                                    "mean",
                                    ClassificationLossRules.IGNORED,
                                    0))
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

    /**
     * Compute the cross-entropy of logits {@code [c]}, {@code [n, c]} or {@code [n, c, d1, ...]}
     * and the classes in {@code target}, int64 of the same shape without {@code c}, or the
     * probabilities of classes, of the same shape.
     *
     * @param labelSmoothing the fraction of the target, from 0 to 1, that is distributed evenly
     *     over all classes
     * @see #nllLoss(Tensor, Tensor, Tensor, String, int)
     */
    @JavaName("crossEntropy")
    public static final OperatorRow CROSS_ENTROPY_WEIGHT =
            composite(
                            "aten::cross_entropy_loss.weight(Tensor self, Tensor target, Tensor? weight, String reduction, int ignore_index, float label_smoothing)")
                    .forward(a ->
                            ClassificationLossRules.crossEntropy(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.text(3),
                                    a.integer(4),
                                    a.real(5)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "labelSmoothing must be between 0.0 and 1.0. Got: 1.5",
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
                                            "ignoreIndex is not supported for floating point target; got 1",
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
                                args(
                                        s.tensor(3, 4),
                                        classes,
                                        PointwiseLossRows.weight(s, 4),
                                        "mean",
                                        3,
                                        0.2),
                                args(s.tensor(3, 4), classes, null, "none", 3, 0.2),
                                args(s.tensor(4), Tensor.scalar(2), null, "mean", -100, 0.1),
                                args(
                                        s.tensor(2, 3, 3),
                                        images,
                                        PointwiseLossRows.weight(s, 3),
                                        "sum",
                                        -1,
                                        0.1),
                                args(s.tensor(2, 3, 3), images, null, "mean", -1, 0.5),
                                args(s.tensor(3, 4), s.positive(3, 4), null, "mean", -100, 0.0),
                                args(
                                        s.tensor(2, 3, 2),
                                        s.positive(2, 3, 2),
                                        PointwiseLossRows.weight(s, 3),
                                        "none",
                                        -100,
                                        0.3),
                                args(
                                        s.tensor(4),
                                        s.positive(4),
                                        PointwiseLossRows.weight(s, 4),
                                        "sum",
                                        -100,
                                        0.1));
                    });

    private ClassificationLossRows() {}
}
