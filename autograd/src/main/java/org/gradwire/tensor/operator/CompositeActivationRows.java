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
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.PoolingRules;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;
import java.util.List;

/** Composite activation functions, made of other operators. */
@OperatorFamily
public final class CompositeActivationRows {
    private static final double SELU_ALPHA = 1.6732632423543772;
    private static final double SELU_SCALE = 1.0507009873554805;

    /** Compute {@code log(sigmoid(x))}, also where the sigmoid is next to zero. */
    @TensorMethod
    public static final OperatorRow LOG_SIGMOID =
            differentiable("aten::log_sigmoid(Tensor self)", "LogSigmoidBackward0")
                    .forward(a -> logSigmoid(a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.mul(s.input(0).neg().sigmoid()))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3)),
                                    args(s.transposed(3, 4)),
                                    args(Tensor.of(-800.0, 0, 800).requiresGrad(true))));

    /** Compute {@code x * tanh(softplus(x))}. */
    @TensorMethod
    public static final OperatorRow MISH =
            composite("aten::mish(Tensor self)")
                    .roundsOnce()
                    .forward(a -> a.tensor(0).mul(a.tensor(0).softplus().tanh()))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 4))));

    /** Compute {@code x * relu6(x + 3) / 6}. */
    @TensorMethod
    public static final OperatorRow HARDSWISH =
            composite("aten::hardswish(Tensor self)")
                    .roundsOnce()
                    .forward(a -> {
                        PoolingRules.checkFloating("hardswish", a.tensor(0));
                        return a.tensor(0).mul(a.tensor(0).add(3).clamp(0, 6)).div(6);
                    })
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3)),
                                    args(s.transposed(3, 4)),
                                    args(s.tensor(2, 3).detach().mul(8).requiresGrad(true))));

    /** Compute {@code relu6(x + 3) / 6}. */
    @TensorMethod
    public static final OperatorRow HARDSIGMOID =
            composite("aten::hardsigmoid(Tensor self)")
                    .roundsOnce()
                    .forward(a -> a.tensor(0).add(3).hardtanh(0, 6).div(6))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3)),
                                    args(s.transposed(3, 4)),
                                    args(s.tensor(2, 3).detach().mul(8).requiresGrad(true))));

    /** Keep elements between 0 and 6. */
    @TensorMethod
    public static final OperatorRow RELU6 =
            composite("aten::relu6(Tensor self)")
                    .forward(a -> a.tensor(0).hardtanh(0, 6))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3)),
                                    args(s.transposed(3, 4)),
                                    args(s.tensor(2, 3).detach().mul(9).requiresGrad(true))));

    /**
     * Compute the scaled exponential linear unit: {@code 1.0507 * elu(x, 1.67326)}, with PyTorch's
     * numbers in full.
     */
    @TensorMethod
    public static final OperatorRow SELU =
            composite("aten::selu(Tensor self)")
                    .roundsOnce()
                    .forward(a -> a.tensor(0).elu(SELU_ALPHA).mul(SELU_SCALE))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 4))));

    /** Compute {@code max(0, x) + min(0, alpha * (exp(x / alpha) - 1))}. */
    @TensorMethod
    public static final OperatorRow CELU =
            composite("aten::celu(Tensor self, Scalar alpha)")
                    .roundsOnce()
                    .forward(a -> celu(a.tensor(0), a.number(1).doubleValue()))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "ZeroDivisionError: alpha cannot be 0 for CELU",
                                            s.tensor(2),
                                            0)))
                    .samples(s -> samples(args(s.tensor(2, 3), 1), args(s.transposed(3, 4), 0.5)));

    /** Compute {@code x / (1 + |x|)}. */
    @TensorMethod
    public static final OperatorRow SOFTSIGN =
            composite("aten::softsign(Tensor self)")
                    .forward(a -> a.tensor(0).div(a.tensor(0).abs().add(1)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 4))));

    /** Compute {@code x - tanh(x)}. */
    public static final OperatorRow TANHSHRINK =
            composite("aten::tanhshrink(Tensor self)")
                    .forward(a -> a.tensor(0).sub(a.tensor(0).tanh()))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 4))));

    /** Soft shrinkage: move elements by {@code lambd} toward zero, and set nearer ones to zero. */
    public static final OperatorRow SOFTSHRINK =
            composite("aten::softshrink(Tensor self, Scalar lambd)")
                    .roundsOnce()
                    .forward(a -> softshrink(a.tensor(0), a.number(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "lambda must be greater or equal to 0, but found to be -1",
                                            s.tensor(2),
                                            -1)))
                    .samples(s ->
                            samples(args(s.tensor(2, 3), 0.5), args(s.transposed(3, 4), 0.25)));

    /** Hard shrinkage: set elements within {@code lambd} of zero to zero. */
    public static final OperatorRow HARDSHRINK =
            composite("aten::hardshrink(Tensor self, Scalar lambd)")
                    .roundsOnce()
                    .forward(a -> {
                        PoolingRules.checkFloating("hardshrink", a.tensor(0));
                        return above(a.tensor(0), a.tensor(0).abs(), a.number(1), 0);
                    })
                    .refusesSparse()
                    .samples(s ->
                            samples(args(s.tensor(2, 3), 0.5), args(s.transposed(3, 4), 0.25)));

    /** Replace elements that are not above a threshold by a number. */
    public static final OperatorRow THRESHOLD =
            composite("aten::threshold(Tensor self, Scalar threshold, Scalar value)")
                    .forward(a -> above(a.tensor(0), a.tensor(0), a.number(1), a.number(2)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 0.1, -2),
                                    args(s.transposed(3, 4), -0.5, 7)));

    /** Multiply the first half along a dimension by the sigmoid of the second. */
    @TensorMethod
    public static final OperatorRow GLU =
            composite("aten::glu(Tensor self, int dim)")
                    .roundsOnce()
                    .forward(a -> glu(a.tensor(0), a.integer(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Halving dimension must be even, but dimension 1 is size 3",
                                            s.tensor(2, 3),
                                            1)))
                    .samples(s -> samples(args(s.tensor(2, 4), 1), args(s.transposed(4, 3), 0)));

    /**
     * Multiply negative elements by a weight: one, or one for each channel, which is dimension 1.
     */
    @TensorMethod
    public static final OperatorRow PRELU =
            composite("aten::prelu(Tensor self, Tensor weight)")
                    .roundsOnce()
                    .forward(a -> prelu(a.tensor(0), a.tensor(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Mismatch of parameter numbers and input channel size. Found parameter numbers = 2 and channel size = 3.",
                                            s.tensor(2, 3),
                                            s.tensor(2))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(1)),
                                    args(s.tensor(2, 3, 4), s.tensor(3)),
                                    args(s.tensor(4), s.tensor(1))));

    private CompositeActivationRows() {}

    private static Tensor logSigmoid(Tensor x) {
        PoolingRules.checkFloating("log_sigmoid", x);
        Tensor from = x.detach();
        return from.clampMax(0).sub(from.abs().neg().exp().log1p());
    }

    private static Tensor celu(Tensor x, double alpha) {
        PoolingRules.checkFloating("celu", x);
        if (alpha == 0) {
            throw new IllegalArgumentException("ZeroDivisionError: alpha cannot be 0 for CELU");
        }
        return x.where(x.gt(0), x.clampMax(0).div(alpha).expm1().mul(alpha));
    }

    /** Keep elements where others are above a bound, or NaN. */
    private static Tensor above(Tensor x, Tensor others, Number bound, Number otherwise) {
        return x.where(others.detach().le(bound).logicalNot(), otherwise);
    }

    private static Tensor softshrink(Tensor x, Number lambd) {
        if (!(lambd.doubleValue() >= 0)) {
            throw new IllegalArgumentException(
                    "lambda must be greater or equal to 0, but found to be " + lambd);
        }
        return x.sub(x.clamp(-lambd.doubleValue(), lambd));
    }

    private static Tensor glu(Tensor x, int dim) {
        PoolingRules.checkFloating("glu", x);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int size = TensorAccess.dims(x).length == 0 ? 1 : TensorAccess.dims(x)[d];
        if (size % 2 != 0) {
            throw new IllegalArgumentException(
                    "Halving dimension must be even, but dimension %d is size %d"
                            .formatted(d, size));
        }
        return x.narrow(d, 0, size / 2).mul(x.narrow(d, size / 2, size / 2).sigmoid());
    }

    private static Tensor prelu(Tensor x, Tensor weight) {
        if (x.dtype() != weight.dtype()) {
            throw new IllegalArgumentException(
                    "prelu: Type promoting not supported. Got %s and %s; convert one with to(dtype)"
                            .formatted(x.dtype(), weight.dtype()));
        }
        int channels = TensorAccess.dims(x).length > 1 ? TensorAccess.dims(x)[1] : 1;
        if (TensorAccess.dims(weight).length > 1
                || (weight.numel() != 1 && weight.numel() != channels)) {
            throw new IllegalArgumentException(
                    "Mismatch of parameter numbers and input channel size. Found parameter numbers = %d and channel size = %d."
                            .formatted(weight.numel(), channels));
        }
        int[] shape = new int[Math.max(TensorAccess.dims(x).length, 1)];
        Arrays.fill(shape, 1);
        shape[TensorAccess.dims(x).length > 1 ? 1 : 0] = weight.numel();
        Tensor factors =
                TensorAccess.dims(x).length == 0 ? weight.reshape() : weight.reshape(shape);
        return x.where(x.gt(0), x.clampMax(0).mul(factors));
    }
}
