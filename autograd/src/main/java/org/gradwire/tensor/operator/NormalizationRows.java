package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.rule.BatchNormRules;
import org.gradwire.tensor.rule.DropoutRules;
import org.gradwire.tensor.rule.LayerNormRules;
import org.gradwire.tensor.rule.LayerNormRules.Rows;
import org.gradwire.tensor.rule.PoolingRules;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Normalizations and dropout. */
@OperatorFamily
public final class NormalizationRows {

    /**
     * Layer normalization: normalize over the last dimensions to mean 0 and variance 1.
     *
     * @param normalizedShape those dimensions
     * @param weight of this shape, multiplies the result; may be null, as {@code bias}
     * @param eps added to the variance
     */
    public static final OperatorRow LAYER_NORM =
            differentiable(
                            "aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps)",
                            "NativeLayerNormBackward0")
                    .forward(a -> {
                        Tensor x = a.tensor(0);
                        PoolingRules.checkFloating("layer_norm", x);
                        Rows rows = Rows.ofLayers(TensorAccess.dims(x), a.integers(1));
                        LayerNormRules.checkLayers(a.integers(1), a.optionalTensor(2), "weight");
                        LayerNormRules.checkLayers(a.integers(1), a.optionalTensor(3), "bias");
                        return LayerNormRules.forward(
                                x, rows, a.optionalTensor(2), a.optionalTensor(3), a.real(4));
                    })
                    .keep(Keep.inputs(0, 1))
                    .gradients((s, gs) -> {
                        Rows rows = Rows.ofLayers(s.shape(0), s.args().integers(1));
                        return LayerNormRules.gradients(s, rows, present(gs));
                    })
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Given normalizedShape=[4], expected input with shape [*, 4], but got input of size[2, 3]",
                                            s.tensor(2, 3),
                                            of(4),
                                            null,
                                            null,
                                            1e-5),
                                    refusal(
                                            "Expected weight to be of same shape as normalizedShape, but got weight of shape [4] and normalizedShape = [3]",
                                            s.tensor(2, 3),
                                            of(3),
                                            s.tensor(4),
                                            null,
                                            1e-5),
                                    refusal(
                                            "but got normalizedShape = []",
                                            s.tensor(2, 3),
                                            of(),
                                            null,
                                            null,
                                            1e-5),
                                    refusal(
                                            "\"layer_norm\" not implemented for 'Long'",
                                            s.longs(2, 3),
                                            of(3),
                                            null,
                                            null,
                                            1e-5)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 5), of(5), s.tensor(5), s.tensor(5), 1e-5),
                                    args(s.tensor(2, 3, 4), of(3, 4), null, null, 1e-3),
                                    args(s.transposed(3, 18), of(18), s.tensor(18), null, 1e-5),
                                    args(s.tensor(2, 3), of(3), null, s.tensor(3), 0.1)));

    /**
     * Group normalization: normalize each group of channels of {@code [n, c, ...]} to mean 0 and
     * variance 1.
     *
     * @param weight {@code [c]}, multiplies the result; may be null, as {@code bias}
     */
    public static final OperatorRow GROUP_NORM =
            differentiable(
                            "aten::group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps)",
                            "NativeGroupNormBackward0")
                    .forward(a -> {
                        Tensor x = a.tensor(0);
                        PoolingRules.checkFloating("group_norm", x);
                        Rows rows = Rows.ofGroups(TensorAccess.dims(x), a.integer(1));
                        LayerNormRules.checkGroups(
                                TensorAccess.dims(x), a.optionalTensor(2), "weight");
                        LayerNormRules.checkGroups(
                                TensorAccess.dims(x), a.optionalTensor(3), "bias");
                        return LayerNormRules.forward(
                                x, rows, a.optionalTensor(2), a.optionalTensor(3), a.real(4));
                    })
                    .keep(Keep.inputs(0, 1))
                    .gradients((s, gs) -> {
                        Rows rows = Rows.ofGroups(s.shape(0), s.args().integer(1));
                        return LayerNormRules.gradients(s, rows, present(gs));
                    })
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected number of channels in input to be divisible by numGroups, but got input of shape [2, 3] and numGroups=2",
                                            s.tensor(2, 3),
                                            2,
                                            null,
                                            null,
                                            1e-5),
                                    refusal(
                                            "group_norm: Expected at least 2 dimensions for input tensor but received 1",
                                            s.tensor(3),
                                            1,
                                            null,
                                            null,
                                            1e-5),
                                    refusal(
                                            "Expected bias to be a vector of size equal to the number of channels in input, but got bias of shape [3] and input of shape [2, 4]",
                                            s.tensor(2, 4),
                                            2,
                                            null,
                                            s.tensor(3),
                                            1e-5)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 4, 3), 2, s.tensor(4), s.tensor(4), 1e-5),
                                    args(s.tensor(2, 6, 2, 2), 3, null, null, 1e-5),
                                    args(s.tensor(3, 4), 1, s.tensor(4), null, 1e-3)));

    /**
     * Batch normalization: normalize each channel of {@code [n, c, ...]}, of 2 to 5 dimensions, to
     * mean 0 and variance 1.
     *
     * @param weight {@code [c]}, multiplies the result; may be null, as {@code bias}
     * @param runningMean changed in place by training, used instead of that of the batch otherwise
     * @param runningVar as the mean; the unbiased variance
     * @param training whether the statistics are those of the batch
     * @param momentum the weight of this batch in the running statistics
     */
    public static final OperatorRow BATCH_NORM =
            differentiable(
                            "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, boolean training, float momentum, float eps)",
                            "NativeBatchNormBackward0")
                    .forward(BatchNormRules::forward)
                    .keep(Keep.inputs(0, 1))
                    .gradients((s, gs) -> BatchNormRules.gradients(s, present(gs)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "runningMean must be defined in evaluation mode",
                                            batch(s.tensor(2, 3), null, null, null, false)),
                                    refusal(
                                            "Expected more than 1 value per channel when training, got input size [1, 4]",
                                            batch(s.tensor(1, 4), null, null, null, true)),
                                    refusal(
                                            "weight should contain 3 elements not 4; it is float64[4], the input float64[2, 3]",
                                            batch(s.tensor(2, 3), s.tensor(4), null, null, true)),
                                    refusal(
                                            "runningMean must be of a floating-point type, but is int64[3]; convert it with to(dtype)",
                                            batch(s.tensor(2, 3), null, null, s.longs(3), true)),
                                    refusal(
                                            "batch_norm: expected 2 to 5 dimensions [n, c, ...], got input of float64[3]",
                                            batch(s.tensor(3), null, null, null, true))))
                    .samples(s ->
                            samples(
                                    batch(s.tensor(4, 3), s.tensor(3), s.tensor(3), null, true),
                                    batch(s.tensor(3, 2, 4), null, null, s.constant(2), true),
                                    batch(s.tensor(2, 3, 2, 3), s.tensor(3), null, null, true),
                                    batch(s.tensor(2, 2, 1, 3, 2), null, s.tensor(2), null, true),
                                    batch(s.transposed(5, 3), s.tensor(3), null, null, true),
                                    batch(
                                            s.tensor(2, 3, 2, 2),
                                            s.tensor(3),
                                            s.tensor(3),
                                            s.constant(3),
                                            false),
                                    batch(s.tensor(1, 3), null, null, s.constant(3), false)));

    /**
     * Set each element to zero with probability {@code p}, and the others to {@code x / (1 - p)};
     * when not training, return the tensor itself. See {@link Tensor#dropout} for reproducible
     * masks.
     */
    public static final OperatorRow DROPOUT =
            composite("aten::dropout(Tensor input, float p, boolean train)")
                    .forward(a ->
                            DropoutRules.dropout(
                                    a.tensor(0), a.real(1), a.flag(2), ThreadLocalRandom.current()))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "dropout probability has to be between 0 and 1, but got 1.5",
                                            s.tensor(3),
                                            1.5,
                                            true),
                                    refusal(
                                            "dropout probability has to be between 0 and 1, but got NaN",
                                            s.tensor(3),
                                            Double.NaN,
                                            false)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 0.5, false),
                                    args(s.tensor(2, 3), 0.0, true),
                                    args(s.tensor(2, 3), 1.0, true)));

    private NormalizationRows() {}

    private static int[] of(int... numbers) {
        return numbers;
    }

    /** {@return the gradient of the only result, which is never null in a rule} */
    private static Tensor present(@Nullable Tensor[] gradients) {
        return java.util.Objects.requireNonNull(gradients[0]);
    }

    /** Return arguments of a batch, with running statistics that begin with a mean. */
    private static @Nullable Object[] batch(
            Tensor x,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            @Nullable Tensor mean,
            boolean training) {
        Tensor variance = mean == null ? null : mean.mul(mean).add(0.5);
        return args(x, weight, bias, mean, variance, training, 0.1, 1e-5);
    }
}
