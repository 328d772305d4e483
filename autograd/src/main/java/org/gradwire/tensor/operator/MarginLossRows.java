package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.annotation.OperatorFamily;

import java.util.Arrays;
import java.util.List;

/** Margin losses, and likelihoods of Poisson and normal distributions, made of other operators. */
@OperatorFamily
public final class MarginLossRows {
    private static final double COSINE_EPSILON = 1e-12; // as PyTorch, added to each square

    /**
     * Compute {@code max(0, -target * (input1 - input2) + margin)}: the first input should be
     * larger where the target is 1, smaller where it is -1.
     */
    public static final OperatorRow MARGIN_RANKING =
            composite(
                            "aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin, String reduction)")
                    .forward(a -> ranking(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: [3], input2: [3], target: []",
                                            s.tensor(3),
                                            s.tensor(3),
                                            s.tensor(),
                                            0.0,
                                            "mean")))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(4),
                                            s.tensor(4),
                                            Tensor.of(1.0, -1, 1, -1),
                                            0.2,
                                            "mean"),
                                    args(
                                            s.tensor(2, 3),
                                            s.tensor(2, 3),
                                            Tensor.of(new double[][] {{1, -1, 1}, {-1, 1, 1}}),
                                            0.0,
                                            "none"),
                                    args(
                                            s.tensor(4),
                                            s.tensor(4),
                                            Tensor.of(1.0, -1, 1, -1),
                                            0.5,
                                            "sum")));

    /** Compute the element where the target is 1, and {@code max(0, margin - x)} where it is -1. */
    public static final OperatorRow HINGE_EMBEDDING =
            composite(
                            "aten::hinge_embedding_loss(Tensor self, Tensor target, float margin, String reduction)")
                    .forward(a -> hinge(a))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(4), Tensor.of(1.0, -1, 1, -1), 1.0, "mean"),
                                    args(s.tensor(2, 3), Tensor.of(1.0, -1, 1), 0.5, "none")));

    /** Compute {@code log(1 + exp(-target * x))}. */
    public static final OperatorRow SOFT_MARGIN =
            composite("aten::soft_margin_loss(Tensor self, Tensor target, String reduction)")
                    .forward(a -> softMargin(a))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(4), Tensor.of(1.0, -1, 1, -1), "mean"),
                                    args(
                                            s.tensor(2, 2),
                                            Tensor.of(new double[][] {{1, -1}, {1, 1}}),
                                            "sum")));

    /**
     * Compute {@code 1 - cos} of the rows where the target is 1, and {@code max(0, cos - margin)}
     * where it is -1.
     */
    public static final OperatorRow COSINE_EMBEDDING =
            composite(
                            "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin, String reduction)")
                    .forward(a -> cosine(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "1D target tensor expects 2D input tensors, but found inputs with sizes [3] and [3].",
                                            s.tensor(3),
                                            s.tensor(3),
                                            s.tensor(2),
                                            0.0,
                                            "mean")))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(3, 4),
                                            s.tensor(3, 4),
                                            Tensor.of(1.0, -1, -1),
                                            0.1,
                                            "mean"),
                                    args(
                                            s.tensor(3, 4),
                                            s.tensor(3, 4),
                                            Tensor.of(1.0, -1, -1),
                                            -0.9,
                                            "none"),
                                    args(
                                            s.tensor(4),
                                            s.tensor(4),
                                            Tensor.scalar(DType.FLOAT64, 1),
                                            0.0,
                                            "mean")));

    /**
     * Compute {@code max(0, d(anchor, positive) - d(anchor, negative) + margin)}, with p-norms as
     * distances; with {@code swap} the negative distance is that to the nearer of the two others.
     */
    public static final OperatorRow TRIPLET_MARGIN =
            composite(
                            "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin, float p, float eps, boolean swap, String reduction)")
                    .forward(a -> triplet(a))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(3, 4),
                                            s.tensor(3, 4),
                                            s.tensor(3, 4),
                                            1.0,
                                            2.0,
                                            1e-6,
                                            false,
                                            "mean"),
                                    args(
                                            s.tensor(3, 4),
                                            s.tensor(3, 4),
                                            s.tensor(3, 4),
                                            0.5,
                                            1.0,
                                            1e-6,
                                            true,
                                            "none")));

    /**
     * Compute the negative log likelihood of counts under Poisson distributions, without the term
     * that only the target has, or with Stirling's approximation of it if {@code full}.
     */
    public static final OperatorRow POISSON_NLL =
            composite(
                            "aten::poisson_nll_loss(Tensor input, Tensor target, boolean log_input, boolean full, float eps, String reduction)")
                    .forward(a -> poisson(a))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(4),
                                            s.positive(4).detach(),
                                            true,
                                            false,
                                            1e-8,
                                            "mean"),
                                    args(
                                            s.positive(2, 3),
                                            s.positive(2, 3).detach().mul(3),
                                            false,
                                            true,
                                            1e-8,
                                            "none")));

    /**
     * Compute the negative log likelihood under normal distributions with variances, which are at
     * least {@code eps}.
     */
    public static final OperatorRow GAUSSIAN_NLL =
            composite(
                            "aten::gaussian_nll_loss(Tensor input, Tensor target, Tensor var, boolean full, float eps, String reduction)")
                    .forward(a -> gaussian(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "var has negative entry/entries",
                                            s.tensor(2),
                                            s.tensor(2),
                                            Tensor.of(1.0, -1),
                                            false,
                                            1e-6,
                                            "mean")))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(4, 2),
                                            s.constant(4, 2),
                                            s.positive(4, 2),
                                            false,
                                            1e-6,
                                            "mean"),
                                    args(
                                            s.tensor(4, 2),
                                            s.constant(4, 2),
                                            s.positive(4, 1),
                                            true,
                                            1e-6,
                                            "sum")));

    private MarginLossRows() {}

    private static Tensor reduced(Tensor losses, String reduction) {
        return switch (Reduction.of(reduction)) {
            case NONE -> losses;
            case MEAN -> losses.mean();
            case SUM -> losses.sum();
        };
    }

    private static Tensor ranking(Args args) {
        Tensor first = args.tensor(0);
        Tensor second = args.tensor(1);
        Tensor target = args.tensor(2);
        if (TensorAccess.dims(first).length != TensorAccess.dims(second).length
                || TensorAccess.dims(first).length != TensorAccess.dims(target).length) {
            throw new IllegalArgumentException(
                    "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: %s, input2: %s, target: %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(first)),
                                    Arrays.toString(TensorAccess.dims(second)),
                                    Arrays.toString(TensorAccess.dims(target))));
        }
        Tensor lag = target.neg().mul(first.sub(second)).add(args.real(3));
        return reduced(lag.clampMin(0), args.text(4));
    }

    private static Tensor hinge(Args args) {
        Tensor x = args.tensor(0);
        Tensor target = args.tensor(1);
        Tensor margin = x.neg().add(args.real(2)).clampMin(0);
        Tensor whenNegative = margin.where(target.ne(1), 0);
        Tensor whenPositive = x.where(target.ne(-1), 0);
        return reduced(whenNegative.add(whenPositive), args.text(3));
    }

    private static Tensor cosine(Args args) {
        Tensor first = args.tensor(0);
        Tensor second = args.tensor(1);
        Tensor target = args.tensor(2);
        int dims = TensorAccess.dims(target).length + 1;
        if (TensorAccess.dims(first).length != dims
                || TensorAccess.dims(second).length != dims
                || dims > 2) {
            throw new IllegalArgumentException(
                    "%dD target tensor expects %dD input tensors, but found inputs with sizes %s and %s."
                            .formatted(
                                    dims - 1,
                                    dims,
                                    Arrays.toString(TensorAccess.dims(first)),
                                    Arrays.toString(TensorAccess.dims(second))));
        }
        Tensor product = first.mul(second).sum(new int[] {-1}, false);
        Tensor sizes = squares(first).mul(squares(second)).sqrt();
        Tensor cosines = product.div(sizes);
        Tensor alike = cosines.neg().add(1).where(target.eq(1), 0);
        Tensor apart = cosines.sub(args.real(3)).clampMin(0).where(target.eq(-1), 0);
        return reduced(alike.add(apart), args.text(4));
    }

    private static Tensor squares(Tensor x) {
        return x.square().sum(new int[] {-1}, false).add(COSINE_EPSILON);
    }

    private static Tensor softMargin(Args args) {
        Tensor input = args.tensor(0);
        Tensor target = args.tensor(1);
        if (!Arrays.equals(TensorAccess.dims(input), TensorAccess.dims(target))) {
            throw new IllegalArgumentException(
                    "soft_margin_loss: expected input and target of the same shape, but got %s and %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(input)),
                                    Arrays.toString(TensorAccess.dims(target))));
        }
        return reduced(target.neg().mul(input).exp().log1p(), args.text(2));
    }

    private static Tensor triplet(Args args) {
        int dims = TensorAccess.dims(args.tensor(0)).length;
        if (TensorAccess.dims(args.tensor(1)).length != dims
                || TensorAccess.dims(args.tensor(2)).length != dims) {
            throw new IllegalArgumentException(
                    "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor %dD, positive %dD, and negative %dD inputs"
                            .formatted(
                                    dims,
                                    TensorAccess.dims(args.tensor(1)).length,
                                    TensorAccess.dims(args.tensor(2)).length));
        }
        Tensor positive = distance(args, args.tensor(0), args.tensor(1));
        Tensor negative = distance(args, args.tensor(0), args.tensor(2));
        if (args.flag(6)) {
            negative = negative.minimum(distance(args, args.tensor(1), args.tensor(2)));
        }
        Tensor losses = positive.sub(negative).add(args.real(3)).clampMin(0);
        return reduced(losses, args.text(7));
    }

    private static Tensor distance(Args args, Tensor a, Tensor b) {
        return a.sub(b).add(args.real(5)).norm(args.real(4), new int[] {-1}, false);
    }

    private static Tensor poisson(Args args) {
        Tensor x = args.tensor(0);
        Tensor target = args.tensor(1);
        Tensor losses =
                args.flag(2)
                        ? x.exp().sub(target.mul(x))
                        : x.sub(target.mul(x.add(args.real(4)).log()));
        if (args.flag(3)) {
            Tensor stirling =
                    target.mul(target.log())
                            .sub(target)
                            .add(target.mul(2 * Math.PI).log().mul(0.5));
            losses = losses.add(stirling.maskedFill(target.le(1), 0));
        }
        return reduced(losses, args.text(5));
    }

    /** {@return the variances; where the last dimension is missing, or 1, each is that of a row} */
    private static Tensor variance(Tensor input, Tensor given) {
        int[] shape = TensorAccess.dims(input);
        if (Arrays.equals(TensorAccess.dims(given), shape)) {
            return given;
        }
        int rank = shape.length;
        int[] rows = Arrays.copyOf(shape, Math.max(rank - 1, 0));
        Tensor variance =
                Arrays.equals(TensorAccess.dims(given), rows) ? given.unsqueeze(-1) : given;
        int[] column = shape.clone();
        Arrays.fill(column, rows.length, rank, 1);
        if (!Arrays.equals(TensorAccess.dims(variance), column)) {
            throw new IllegalArgumentException(
                    "var is of incorrect size: %s for input of size %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(given)),
                                    Arrays.toString(shape)));
        }
        return variance;
    }

    private static Tensor gaussian(Args args) {
        Tensor variance = variance(args.tensor(0), args.tensor(2));
        if (variance.detach().lt(0).any().itemAsBoolean()) {
            throw new IllegalArgumentException("var has negative entry/entries");
        }
        Tensor least = variance.sub(variance.detach()).add(args.real(4));
        Tensor bounded = variance.where(variance.detach().lt(args.real(4)).logicalNot(), least);
        Tensor distance = args.tensor(0).sub(args.tensor(1)).square();
        Tensor losses = bounded.log().add(distance.div(bounded)).mul(0.5);
        if (args.flag(3)) {
            losses = losses.add(0.5 * Math.log(2 * Math.PI));
        }
        return reduced(losses, args.text(5));
    }
}
