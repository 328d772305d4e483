package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.MatmulRules;
import org.gradwire.tensor.rule.MatrixProductRules;
import org.gradwire.tensor.rule.ViewRules;

import java.util.List;

/** Matrix products. */
@OperatorFamily
public final class MatrixRows {
    private static final int LIGHT_ELEMENTS = 4096;
    private static final long LIGHT_MULTIPLICATIONS = 1 << 18;

    /** Multiply two matrices. */
    @TensorMethod
    public static final OperatorRow MM =
            differentiable("aten::mm(Tensor self, Tensor mat2)", "MmBackward0")
                    .forward(a -> MatrixProductRules.mm(a.tensor(0), a.tensor(1)))
                    .isProduct()
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) -> g.mm(TensorAccess.transposed(s.input(1))),
                            (s, g) -> TensorAccess.transposed(s.input(0)).mm(g))
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
                                            s.tensor(2, 3),
                                            s.tensor(2, 3)),
                                    refusal(
                                            "mm: expected two matrices, got float64[3] and float64[3, 2]",
                                            s.tensor(3),
                                            s.tensor(3, 2)),
                                    refusal(
                                            "mm: expected both to have the same dtype, but got: float64 and int64; convert one with to(dtype)",
                                            s.tensor(2, 2),
                                            s.longs(2, 2)),
                                    refusal(
                                            "\"addmm\" not implemented for 'Bool'; convert the operands with to(dtype)",
                                            s.bools(2, 2),
                                            s.bools(2, 2))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(3, 4)),
                                    args(s.tensor(5, 7), s.transposed(7, 6)),
                                    args(s.transposed(5, 7), s.tensor(7, 2)),
                                    args(s.tensor(1, 3), s.tensor(3, 1)),
                                    args(s.tensor(2, 0), s.tensor(0, 3))));

    /** Multiply pairs of matrices, {@code [b, m, k]} and {@code [b, k, n]}. */
    @TensorMethod
    public static final OperatorRow BMM =
            differentiable("aten::bmm(Tensor self, Tensor mat2)", "BmmBackward0")
                    .forward(a -> MatrixProductRules.bmm(a.tensor(0), a.tensor(1)))
                    .isProduct()
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) ->
                                    MatrixProductRules.bmm(
                                            g, ViewRules.transpose(s.input(1), 1, 2)),
                            (s, g) ->
                                    MatrixProductRules.bmm(
                                            ViewRules.transpose(s.input(0), 1, 2), g))
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [2, 3].",
                                            s.tensor(2, 3, 4),
                                            s.tensor(2, 3, 4)),
                                    refusal(
                                            "batch1 must be a 3D tensor, and so must batch2: float64[2, 3] and float64[3, 2]",
                                            s.tensor(2, 3),
                                            s.tensor(3, 2))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 4), s.tensor(2, 4, 5)),
                                    args(s.tensor(1, 6, 5), s.tensor(1, 5, 6))));

    /** Multiply a matrix and a vector. */
    @TensorMethod
    public static final OperatorRow MV =
            differentiable("aten::mv(Tensor self, Tensor vec)", "MvBackward0")
                    .forward(a -> MatrixProductRules.mv(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) -> ViewRules.unsqueeze(g, 1).mul(s.input(1)),
                            (s, g) -> MatrixProductRules.mv(TensorAccess.transposed(s.input(0)), g))
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "size mismatch, got input (2), mat (2x3), vec (2)",
                                            s.tensor(2, 3),
                                            s.tensor(2)),
                                    refusal(
                                            "mv: expected a matrix and a vector, got float64[3] and float64[3]",
                                            s.tensor(3),
                                            s.tensor(3)),
                                    refusal(
                                            "mv: expected both to have the same dtype, but got: float64 and int64; convert one with to(dtype)",
                                            s.tensor(2, 3),
                                            s.longs(3))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), s.tensor(4)),
                                    args(s.transposed(3, 4), s.tensor(4))));

    /** Multiply two vectors and sum. */
    @TensorMethod
    public static final OperatorRow DOT =
            differentiable("aten::dot(Tensor self, Tensor tensor)", "DotBackward0")
                    .forward(a -> MatrixProductRules.dot(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient((s, g) -> s.input(1).mul(g), (s, g) -> s.input(0).mul(g))
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "1D tensors expected, but got 2D and 1D tensors",
                                            s.tensor(2, 3),
                                            s.tensor(3)),
                                    refusal(
                                            "inconsistent tensor size, expected tensor [3] and src [4] to have the same number of elements, but got 3 and 4 elements respectively",
                                            s.tensor(3),
                                            s.tensor(4))))
                    .samples(s -> samples(args(s.tensor(4), s.tensor(4))));

    /** Multiply matrices, vectors, or batches of matrices, which broadcast. */
    @TensorMethod
    public static final OperatorRow MATMUL =
            composite("aten::matmul(Tensor self, Tensor other)")
                    .forward(a -> MatmulRules.matmul(a.tensor(0), a.tensor(1)))
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "both arguments to matmul need to be at least 1D, but they are 0D and 1D",
                                            s.tensor(),
                                            s.tensor(3)),
                                    refusal(
                                            "mat1 and mat2 shapes cannot be multiplied (3x3 and 6x6)",
                                            s.tensor(3, 3),
                                            s.tensor(6, 6))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3), s.tensor(3)),
                                    args(s.tensor(2, 3), s.tensor(3)),
                                    args(s.tensor(3), s.tensor(3, 2)),
                                    args(s.tensor(2, 3), s.tensor(3, 4)),
                                    args(s.tensor(2, 3, 4), s.tensor(4)),
                                    args(s.tensor(2, 3, 4), s.tensor(4, 2)),
                                    args(s.tensor(3, 4), s.tensor(2, 4, 2)),
                                    args(s.tensor(4), s.tensor(2, 4, 2)),
                                    args(s.tensor(2, 3, 4), s.tensor(2, 4, 2)),
                                    args(s.tensor(3, 1, 2, 4), s.tensor(2, 4, 2))));

    /**
     * Compute {@code input * weight^T + bias} over the last dimension: {@code [..., in]} becomes
     * {@code [..., out]}.
     *
     * @param weight {@code [out, in]}; or {@code [in]} without a bias, for {@code [...]}
     * @param bias {@code [out]}; null for none
     */
    public static final OperatorRow LINEAR =
            differentiable(
                            "aten::linear(Tensor input, Tensor weight, Tensor? bias)",
                            "LinearBackward0")
                    .forward(a ->
                            MatrixProductRules.linear(
                                    a.tensor(0), a.tensor(1), a.optionalTensor(2)))
                    .isProduct()
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            MatrixRows::linearInputGradient,
                            MatrixRows::linearWeightGradient,
                            (_, g) -> g)
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
                                            s.tensor(2, 3),
                                            s.tensor(5, 4),
                                            null),
                                    refusal(
                                            "linear: expected a bias of 4 elements for a weight of shape 4x3, got float64[3]",
                                            s.tensor(2, 3),
                                            s.tensor(4, 3),
                                            s.tensor(3)),
                                    refusal(
                                            "linear: expected both to have the same dtype, but got: float64 and int64; convert one with to(dtype)",
                                            s.tensor(2, 3),
                                            s.tensor(4, 3),
                                            s.longs(4))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(4, 3), s.tensor(4)),
                                    args(s.tensor(3), s.tensor(4, 3), s.tensor(4)),
                                    args(s.tensor(2, 2, 3), s.tensor(4, 3), null),
                                    args(s.tensor(2, 3), s.tensor(3), null),
                                    args(s.tensor(3), s.tensor(3), null),
                                    args(s.transposed(5, 6), s.tensor(7, 6), s.tensor(7))));

    /** Multiply a chain of matrices in the optimal order; the first and last may be vectors. */
    @JavaName("multiDot")
    public static final OperatorRow MULTI_DOT =
            composite("aten::linalg_multi_dot(Tensor[] tensors)")
                    .forward(a -> MatmulRules.multiDot(a.tensors(0)))
                    .runsOnPoller(MatrixRows::isLight)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "multi_dot(): expected at least 2 tensors but got 1",
                                            List.of(s.tensor(2, 3))),
                                    refusal(
                                            "multi_dot(): tensors 0 and 1 with shapes [2, 3] and [2, 3] cannot be multiplied",
                                            List.of(s.tensor(2, 3), s.tensor(2, 3))),
                                    refusal(
                                            "multi_dot(): tensor 1 must be 2D but got 3D",
                                            List.of(
                                                    s.tensor(2, 3),
                                                    s.tensor(3, 2, 2),
                                                    s.tensor(2, 2)))))
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2, 3), s.tensor(3, 4))),
                                    args(List.of(s.tensor(2, 3), s.tensor(3, 4), s.tensor(4, 2))),
                                    args(
                                            List.of(
                                                    s.tensor(3),
                                                    s.tensor(3, 4),
                                                    s.tensor(4, 2),
                                                    s.tensor(2)))));

    private MatrixRows() {}

    /**
     * Limit of a few microseconds: with {@code e} elements in total, a product has at most about
     * {@code (e/2)^1.5} multiplications.
     */
    private static boolean isLight(Args args) {
        long elements = OperatorRow.elements(args);
        return elements <= LIGHT_ELEMENTS && Math.pow(elements / 2.0, 1.5) <= LIGHT_MULTIPLICATIONS;
    }

    private static Tensor linearInputGradient(Saved saved, Tensor gradient) {
        Tensor weight = saved.input(1);
        Tensor matrix =
                TensorAccess.dims(weight).length == 2
                        ? weight
                        : TensorAccess.reshaped(weight, 1, weight.numel());
        return TensorAccess.viewAs(
                MatrixProductRules.mm(rows(saved, gradient), matrix), saved.shape(0));
    }

    private static Tensor linearWeightGradient(Saved saved, Tensor gradient) {
        Tensor inputs = MatrixProductRules.flattened(saved.input(0));
        return TensorAccess.viewAs(
                MatrixProductRules.mm(TensorAccess.transposed(rows(saved, gradient)), inputs),
                saved.shape(1));
    }

    /** {@return the gradient as a matrix, of one column where the weight is a vector} */
    private static Tensor rows(Saved saved, Tensor gradient) {
        return saved.shape(1).length == 2
                ? MatrixProductRules.flattened(gradient)
                : TensorAccess.reshaped(gradient, gradient.numel(), 1);
    }
}
