package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.Einsum;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Tensor contractions. */
@OperatorFamily
public final class ContractionRows {
    /** Compute the outer product of two vectors. */
    @TensorMethod
    public static final OperatorRow OUTER =
            composite("aten::outer(Tensor self, Tensor vec2)")
                    .forward(a -> outer(a.tensor(0), a.tensor(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "outer: Expected 1-D argument vec2, but got 2-D",
                                            s.tensor(3),
                                            s.tensor(2, 3))))
                    .samples(s ->
                            samples(args(s.tensor(3), s.tensor(2)), args(s.longs(3), s.longs(2))));

    /** Compute {@code beta * self + alpha * mat1 @ mat2}; {@code self} broadcasts. */
    @TensorMethod({"beta = 1", "alpha = 1"})
    public static final OperatorRow ADDMM =
            composite(
                            "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha)")
                    .roundsOnce()
                    .forward(a -> combined(a, a.tensor(1).mm(a.tensor(2))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "mat1 and mat2 shapes cannot be multiplied",
                                            s.tensor(4),
                                            s.tensor(2, 3),
                                            s.tensor(2, 4),
                                            1,
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4), s.tensor(2, 3), s.tensor(3, 4), 1, 1),
                                    args(
                                            s.tensor(2, 4),
                                            s.transposed(2, 3),
                                            s.tensor(3, 4),
                                            0.5,
                                            2)));

    /** Compute {@code beta * self + alpha * mat @ vec}; {@code self} broadcasts. */
    public static final OperatorRow ADDMV =
            composite("aten::addmv(Tensor self, Tensor mat, Tensor vec, Scalar beta, Scalar alpha)")
                    .roundsOnce()
                    .forward(a -> combined(a, a.tensor(1).mv(a.tensor(2))))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2), s.tensor(2, 3), s.tensor(3), 1, 1),
                                    args(s.tensor(1), s.transposed(2, 3), s.tensor(3), 0.5, 2)));

    /**
     * Compute {@code beta * self + alpha * batch1 @ batch2} for each matrix of two batches; {@code
     * self} broadcasts.
     */
    @TensorMethod({"beta = 1", "alpha = 1"})
    public static final OperatorRow BADDBMM =
            composite(
                            "aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha)")
                    .roundsOnce()
                    .forward(a -> combined(a, a.tensor(1).bmm(a.tensor(2))))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 4),
                                            s.tensor(3, 2, 5),
                                            s.tensor(3, 5, 4),
                                            1,
                                            1),
                                    args(
                                            s.tensor(3, 2, 4),
                                            s.tensor(3, 2, 5),
                                            s.tensor(3, 5, 4),
                                            0.5,
                                            2)));

    /**
     * Multiply and sum over pairs of dimensions of two tensors; the other dimensions stay, those of
     * {@code self} first.
     */
    @TensorMethod
    public static final OperatorRow TENSORDOT =
            composite(
                            "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other)")
                    .forward(a -> tensordot(a.tensor(0), a.tensor(1), a.integers(2), a.integers(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "contracted dimensions need to match, but first has size 3 in dim 1 and second has size 2 in dim 0",
                                            s.tensor(2, 3),
                                            s.tensor(2, 3),
                                            new int[] {1},
                                            new int[] {0})))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 3, 4),
                                            s.tensor(4, 3, 5),
                                            new int[] {1, 2},
                                            new int[] {1, 0}),
                                    args(
                                            s.tensor(2, 3),
                                            s.tensor(3),
                                            new int[] {-1},
                                            new int[] {0}),
                                    args(s.tensor(2), s.tensor(3), new int[] {}, new int[] {})));

    /**
     * Contract tensors by an Einstein summation equation: {@code bij,bjk->bik}. Letters name
     * dimensions, {@code ...} those that broadcast; without {@code ->} the letters that come once
     * stay, in order.
     */
    public static final OperatorRow EINSUM =
            composite("aten::einsum(String equation, Tensor[] tensors)")
                    .forward(a -> Einsum.of(a.text(0), a.tensors(1)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "einsum(): the number of subscripts in the equation (3) does not match the number of dimensions (2) for operand 0 and no ellipsis was given",
                                            "ijk->i",
                                            List.of(s.tensor(2, 3))),
                                    refusal(
                                            "einsum(): output subscript k does not appear in the equation for any input operand",
                                            "ij->k",
                                            List.of(s.tensor(2, 3))),
                                    refusal(
                                            "einsum(): operands do not broadcast with remapped shapes: subscript j has size 3 and 2",
                                            "ij,jk->ik",
                                            List.of(s.tensor(2, 3), s.tensor(2, 4))),
                                    refusal(
                                            "einsum(): more operands were provided than specified in the equation",
                                            "ij",
                                            List.of(s.tensor(2, 3), s.tensor(2))),
                                    refusal(
                                            "einsum(): fewer operands were provided than specified in the equation",
                                            "ij,j",
                                            List.of(s.tensor(2, 3)))))
                    .samples(s ->
                            samples(
                                    args("ij,jk->ik", List.of(s.tensor(2, 3), s.tensor(3, 4))),
                                    args(
                                            "bij,bkj->bik",
                                            List.of(s.tensor(2, 3, 4), s.tensor(2, 5, 4))),
                                    args("ii->i", List.of(s.tensor(3, 3))),
                                    args("ij->", List.of(s.tensor(2, 3))),
                                    args(
                                            "ij,jk,kl->li",
                                            List.of(
                                                    s.tensor(2, 3),
                                                    s.tensor(3, 4),
                                                    s.tensor(4, 2))),
                                    args(
                                            "...ij,...jk->...ik",
                                            List.of(s.tensor(2, 1, 3, 4), s.tensor(5, 4, 2))),
                                    args("ba,c", List.of(s.tensor(2, 3), s.tensor(2))),
                                    args("i,i", List.of(s.tensor(3), s.tensor(3))),
                                    args("ab...->b...a", List.of(s.tensor(2, 3, 4, 1))),
                                    args("ij,ij->ij", List.of(s.tensor(2, 3), s.tensor(2, 3))),
                                    args("iji,j->j", List.of(s.tensor(2, 3, 2), s.tensor(3)))));

    private ContractionRows() {}

    private static Tensor outer(Tensor self, Tensor other) {
        for (Tensor vector : List.of(self, other)) {
            if (TensorAccess.dims(vector).length != 1) {
                throw new IllegalArgumentException(
                        "outer: Expected 1-D argument %s, but got %d-D"
                                .formatted(
                                        vector == other ? "vec2" : "self",
                                        TensorAccess.dims(vector).length));
            }
        }
        return self.unsqueeze(1).mul(other);
    }

    private static Tensor combined(Args args, Tensor product) {
        Number beta = args.number(3);
        Number alpha = args.number(4);
        Tensor self = args.tensor(0);
        if (self.dtype() != product.dtype()) {
            throw new IllegalArgumentException(
                    "expected self and the product to have the same dtype, but got %s and %s"
                            .formatted(self.dtype(), product.dtype()));
        }
        if (!self.dtype().isFloating()) {
            requireWhole("beta", beta);
            requireWhole("alpha", alpha);
        }
        self = self.expand(TensorAccess.dims(product));
        Tensor scaled = alpha.doubleValue() == 1 ? product : product.mul(alpha);
        if (alpha.doubleValue() == 0
                && TensorAccess.dims(product).length < 3) { // NaN propagates for batches
            scaled = product.maskedFill(Tensor.ones(DType.BOOL, 1), 0);
        }
        if (beta.doubleValue() == 0) { // the values of self are ignored, including NaN
            return self.maskedFill(Tensor.ones(DType.BOOL, 1), 0).add(scaled);
        }
        return (beta.doubleValue() == 1 ? self : self.mul(beta)).add(scaled);
    }

    private static void requireWhole(String name, Number number) {
        if (DTypeAccess.of(number).isFloating()) {
            throw new IllegalArgumentException(
                    "For integral input tensors, argument %s must not be a floating point number: %s"
                            .formatted(name, number));
        }
    }

    private static Tensor tensordot(Tensor self, Tensor other, int[] first, int[] second) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(
                    "both dimension lists should have same length, got %s and %s"
                            .formatted(Arrays.toString(first), Arrays.toString(second)));
        }
        if (first.length > 0
                && (TensorAccess.dims(self).length == 0 || TensorAccess.dims(other).length == 0)) {
            throw new IndexOutOfBoundsException(
                    "Dimension specified as %d but tensor has no dimensions".formatted(first[0]));
        }
        int[] labels = IntStream.range(0, TensorAccess.dims(self).length).toArray();
        int[] others =
                IntStream.range(0, TensorAccess.dims(other).length)
                        .map(d -> d + labels.length)
                        .toArray();
        for (int i = 0; i < first.length; i++) {
            int d = Shapes.dimension(first[i], TensorAccess.dims(self).length);
            int e = Shapes.dimension(second[i], TensorAccess.dims(other).length);
            if (TensorAccess.dims(self)[d] != TensorAccess.dims(other)[e]) {
                throw new IllegalArgumentException(
                        "contracted dimensions need to match, but first has size %d in dim %d and second has size %d in dim %d"
                                .formatted(
                                        TensorAccess.dims(self)[d],
                                        d,
                                        TensorAccess.dims(other)[e],
                                        e));
            }
            others[e] = labels[d];
        }
        int[] result =
                IntStream.concat(Arrays.stream(labels), Arrays.stream(others))
                        .filter(label -> occurrences(label, labels, others) == 1)
                        .toArray();
        return Einsum.product(self, labels, other, others, result);
    }

    private static long occurrences(int label, int[]... lists) {
        return Arrays.stream(lists).flatMapToInt(Arrays::stream).filter(l -> l == label).count();
    }
}
