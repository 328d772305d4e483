package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.matrix.MatrixMultiplication;
import org.gradwire.tensor.rule.device.DeviceProducts;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Matrix product rules. Transposed operands are not copied. */
public final class MatrixProductRules {

    private MatrixProductRules() {}

    /**
     * A matrix as a kernel takes it.
     *
     * @param transposed whether it is column-major
     * @param stride elements from one stored row to the next
     */
    private record Operand(Object base, int offset, boolean transposed, int stride) {

        static Operand of(Tensor x, int first, int rowStride, int columnStride) {
            int rows = TensorAccess.dims(x)[TensorAccess.dims(x).length - 2];
            int columns = TensorAccess.dims(x)[TensorAccess.dims(x).length - 1];
            if (isByRows(rows, columns, rowStride, columnStride)) {
                return new Operand(
                        TensorAccess.base(x),
                        first,
                        false,
                        Math.max(rows <= 1 ? columns : rowStride, 1));
            }
            if (isByRows(columns, rows, columnStride, rowStride)) {
                return new Operand(
                        TensorAccess.base(x),
                        first,
                        true,
                        Math.max(columns <= 1 ? rows : columnStride, 1));
            }
            throw new AssertionError("not a matrix that kernels take: " + TensorAccess.describe(x));
        }

        static Operand of(Tensor matrix) {
            return of(
                    matrix,
                    TensorAccess.offset(matrix),
                    TensorAccess.strides(matrix)[0],
                    TensorAccess.strides(matrix)[1]);
        }
    }

    /** {@return whether kernels accept a row-major matrix} */
    private static boolean isByRows(int rows, int columns, int rowStride, int columnStride) {
        return (columns <= 1 || columnStride == 1)
                && (rows <= 1 || rowStride >= Math.max(columns, 1));
    }

    /**
     * Return the tensor, or a copy when kernels do not accept the strides of its last two
     * dimensions.
     */
    private static Tensor layable(Tensor x) {
        int d = TensorAccess.dims(x).length;
        int rows = TensorAccess.dims(x)[d - 2];
        int columns = TensorAccess.dims(x)[d - 1];
        int rowStride = TensorAccess.strides(x)[d - 2];
        int columnStride = TensorAccess.strides(x)[d - 1];
        boolean taken =
                isByRows(rows, columns, rowStride, columnStride)
                        || isByRows(columns, rows, columnStride, rowStride);
        return taken ? x : Elementwise.copy(x);
    }

    private static void checkTypes(String operator, Tensor a, Tensor b) {
        if (a.dtype() != b.dtype()) {
            throw new IllegalArgumentException(
                    "%s: expected both to have the same dtype, but got: %s and %s; convert one with to(dtype)"
                            .formatted(operator, a.dtype(), b.dtype()));
        }
    }

    /** Multiply two matrices. */
    public static Tensor mm(Tensor a, Tensor b) {
        if (TensorAccess.dims(a).length != 2 || TensorAccess.dims(b).length != 2) {
            throw new IllegalArgumentException(
                    "mm: expected two matrices, got "
                            + TensorAccess.describe(a)
                            + " and "
                            + TensorAccess.describe(b));
        }
        checkTypes("mm", a, b);
        if (TensorAccess.dims(a)[1] != TensorAccess.dims(b)[0]) {
            throw new IllegalArgumentException(
                    "mat1 and mat2 shapes cannot be multiplied (%s and %s)"
                            .formatted(
                                    Shapes.times(TensorAccess.dims(a)),
                                    Shapes.times(TensorAccess.dims(b))));
        }
        Tensor result =
                TensorAccess.fresh(
                        a.dtype(), new int[] {TensorAccess.dims(a)[0], TensorAccess.dims(b)[1]});
        multiply(a, b, result, false);
        return result;
    }

    /** Multiply two matrices into a third, or add the product to it. */
    static void multiply(Tensor a, Tensor b, Tensor result, boolean accumulate) {
        if (DeviceProducts.multiply(a, b, result, accumulate)) {
            return;
        }
        Operand left = Operand.of(layable(a));
        Operand right = Operand.of(layable(b));
        multiply(
                a.dtype(),
                left,
                right,
                TensorAccess.dims(a)[0],
                TensorAccess.dims(b)[1],
                TensorAccess.dims(a)[1],
                TensorAccess.base(result),
                TensorAccess.offset(result),
                accumulate);
    }

    private static void multiply(
            DType dtype,
            Operand a,
            Operand b,
            int m,
            int n,
            int k,
            Object result,
            int offset,
            boolean accumulate) {
        var shape =
                new MatrixProduct(
                        m,
                        n,
                        k,
                        a.transposed,
                        a.stride,
                        b.transposed,
                        b.stride,
                        Math.max(n, 1),
                        accumulate);
        MatrixMultiplication.multiply(
                DTypeAccess.elements(dtype),
                shape,
                a.base,
                a.offset,
                b.base,
                b.offset,
                result,
                offset);
    }

    /** Multiply pairs of matrices. */
    public static Tensor bmm(Tensor first, Tensor second) {
        checkBatches(first, second);
        Tensor a = layable(first);
        Tensor b = layable(second);
        int m = TensorAccess.dims(a)[1];
        int n = TensorAccess.dims(b)[2];
        Tensor result = TensorAccess.fresh(a.dtype(), new int[] {TensorAccess.dims(a)[0], m, n});
        if (DeviceProducts.multiply(a, b, result, false)) {
            return result;
        }
        for (int i = 0; i < TensorAccess.dims(a)[0]; i++) {
            multiply(
                    a.dtype(),
                    Operand.of(
                            a,
                            TensorAccess.offset(a) + i * TensorAccess.strides(a)[0],
                            TensorAccess.strides(a)[1],
                            TensorAccess.strides(a)[2]),
                    Operand.of(
                            b,
                            TensorAccess.offset(b) + i * TensorAccess.strides(b)[0],
                            TensorAccess.strides(b)[1],
                            TensorAccess.strides(b)[2]),
                    m,
                    n,
                    TensorAccess.dims(a)[2],
                    TensorAccess.base(result),
                    i * m * n,
                    false);
        }
        return result;
    }

    private static void checkBatches(Tensor a, Tensor b) {
        if (TensorAccess.dims(a).length != 3 || TensorAccess.dims(b).length != 3) {
            throw new IllegalArgumentException(
                    "batch1 must be a 3D tensor, and so must batch2: "
                            + TensorAccess.describe(a)
                            + " and "
                            + TensorAccess.describe(b));
        }
        checkTypes("bmm", a, b);
        if (TensorAccess.dims(a)[0] != TensorAccess.dims(b)[0]
                || TensorAccess.dims(a)[2] != TensorAccess.dims(b)[1]) {
            throw new IllegalArgumentException(
                    "Expected size for first two dimensions of batch2 tensor to be: [%d, %d] but got: [%d, %d]."
                            .formatted(
                                    TensorAccess.dims(a)[0],
                                    TensorAccess.dims(a)[2],
                                    TensorAccess.dims(b)[0],
                                    TensorAccess.dims(b)[1]));
        }
    }

    /** Multiply a matrix and a vector. */
    public static Tensor mv(Tensor matrix, Tensor vector) {
        if (TensorAccess.dims(matrix).length != 2 || TensorAccess.dims(vector).length != 1) {
            throw new IllegalArgumentException(
                    "mv: expected a matrix and a vector, got "
                            + TensorAccess.describe(matrix)
                            + " and "
                            + TensorAccess.describe(vector));
        }
        checkTypes("mv", matrix, vector);
        if (TensorAccess.dims(matrix)[1] != TensorAccess.dims(vector)[0]) {
            throw new IllegalArgumentException(
                    "size mismatch, got input (%d), mat (%s), vec (%d)"
                            .formatted(
                                    TensorAccess.dims(matrix)[0],
                                    Shapes.times(TensorAccess.dims(matrix)),
                                    TensorAccess.dims(vector)[0]));
        }
        Tensor column =
                TensorAccess.alias(
                        vector,
                        new int[] {TensorAccess.dims(vector)[0], 1},
                        with1(TensorAccess.strides(vector)[0]));
        return TensorAccess.viewAs(mm(matrix, column), TensorAccess.dims(matrix)[0]);
    }

    private static int[] with1(int stride) {
        return new int[] {stride, 1};
    }

    /** Multiply two vectors. */
    public static Tensor dot(Tensor a, Tensor b) {
        if (TensorAccess.dims(a).length != 1 || TensorAccess.dims(b).length != 1) {
            throw new IllegalArgumentException(
                    "1D tensors expected, but got %dD and %dD tensors"
                            .formatted(TensorAccess.dims(a).length, TensorAccess.dims(b).length));
        }
        checkTypes("dot", a, b);
        if (TensorAccess.dims(a)[0] != TensorAccess.dims(b)[0]) {
            throw new IllegalArgumentException(
                    "inconsistent tensor size, expected tensor [%d] and src [%d] to have the same number of elements, but got %d and %d elements respectively"
                            .formatted(
                                    TensorAccess.dims(a)[0],
                                    TensorAccess.dims(b)[0],
                                    TensorAccess.dims(a)[0],
                                    TensorAccess.dims(b)[0]));
        }
        if (a.dtype() == DType.BOOL) {
            throw new IllegalArgumentException(
                    "\"dot\" not implemented for 'Bool'; convert the operands with to(dtype)");
        }
        return ReductionRules.sumAsIs(MathRules.binary(Binary.MUL, a, b));
    }

    /**
     * Compute {@code x * w^T + b} over the last dimension of {@code x}, which a weight without rows
     * takes away.
     */
    public static Tensor linear(Tensor x, Tensor weight, @Nullable Tensor bias) {
        if (TensorAccess.dims(weight).length == 1
                && bias == null
                && TensorAccess.dims(x).length > 0) {
            Tensor column =
                    linear(x, TensorAccess.viewAs(weight, 1, TensorAccess.dims(weight)[0]), null);
            return TensorAccess.viewAs(
                    column, Arrays.copyOf(TensorAccess.dims(x), TensorAccess.dims(x).length - 1));
        }
        checkLinear(x, weight, bias);
        int out = TensorAccess.dims(weight)[0];
        Tensor rows = flattened(x);
        int[] shape = TensorAccess.dims(x).clone();
        shape[shape.length - 1] = out;
        Tensor result = TensorAccess.fresh(x.dtype(), new int[] {TensorAccess.dims(rows)[0], out});
        if (bias != null) {
            StridedLoops.copy(
                    DTypeAccess.elements(x.dtype()),
                    TensorAccess.strided(bias, TensorAccess.dims(result)),
                    TensorAccess.strided(result));
        }
        multiply(rows, TensorAccess.transposed(weight), result, bias != null);
        return TensorAccess.viewAs(result, shape);
    }

    private static void checkLinear(Tensor x, Tensor weight, @Nullable Tensor bias) {
        if (TensorAccess.dims(x).length == 0 || TensorAccess.dims(weight).length != 2) {
            throw new IllegalArgumentException(
                    "linear: expected rows and a weight matrix, got "
                            + TensorAccess.describe(x)
                            + " and "
                            + TensorAccess.describe(weight));
        }
        checkTypes("linear", x, weight);
        if (TensorAccess.dims(x)[TensorAccess.dims(x).length - 1] != TensorAccess.dims(weight)[1]) {
            throw new IllegalArgumentException(
                    "mat1 and mat2 shapes cannot be multiplied (%s and %dx%d)"
                            .formatted(
                                    Shapes.times(TensorAccess.dims(x)),
                                    TensorAccess.dims(weight)[1],
                                    TensorAccess.dims(weight)[0]));
        }
        if (bias != null) {
            checkTypes("linear", weight, bias);
        }
        if (bias != null
                && (TensorAccess.dims(bias).length != 1
                        || TensorAccess.dims(bias)[0] != TensorAccess.dims(weight)[0])) {
            throw new IllegalArgumentException(
                    "linear: expected a bias of %d elements for a weight of shape %s, got %s"
                            .formatted(
                                    TensorAccess.dims(weight)[0],
                                    Shapes.times(TensorAccess.dims(weight)),
                                    TensorAccess.describe(bias)));
        }
    }

    /** Return a tensor as a matrix whose rows are its last dimension. */
    public static Tensor flattened(Tensor x) {
        int last = TensorAccess.dims(x).length - 1;
        return TensorAccess.reshaped(
                x,
                Shapes.count(Arrays.copyOf(TensorAccess.dims(x), last)),
                TensorAccess.dims(x)[last]);
    }
}
