package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Matrices;
import org.gradwire.tensor.kernel.MatrixProduct;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Forward rules of products of matrices. Transposed operands are not copied. */
final class Products {

    private Products() {}

    /**
     * A matrix as a kernel takes it.
     *
     * @param transposed whether its columns lie one after the other, not its rows
     * @param stride elements from one stored row to the next
     */
    private record Operand(Object base, int offset, boolean transposed, int stride) {

        static Operand of(Tensor x, int first, int rowStride, int columnStride) {
            int rows = x.dims[x.dims.length - 2];
            int columns = x.dims[x.dims.length - 1];
            if (isByRows(rows, columns, rowStride, columnStride)) {
                return new Operand(
                        x.base(), first, false, Math.max(rows <= 1 ? columns : rowStride, 1));
            }
            if (isByRows(columns, rows, columnStride, rowStride)) {
                return new Operand(
                        x.base(), first, true, Math.max(columns <= 1 ? rows : columnStride, 1));
            }
            throw new AssertionError("not a matrix that kernels take: " + x.describe());
        }

        static Operand of(Tensor matrix) {
            return of(matrix, matrix.offset, matrix.strides[0], matrix.strides[1]);
        }
    }

    /** {@return whether kernels take a matrix whose rows lie one after the other} */
    private static boolean isByRows(int rows, int columns, int rowStride, int columnStride) {
        return (columns <= 1 || columnStride == 1)
                && (rows <= 1 || rowStride >= Math.max(columns, 1));
    }

    /**
     * Return the tensor, or a copy when kernels cannot take its last two dimensions as they lie.
     */
    private static Tensor layable(Tensor x) {
        int d = x.dims.length;
        int rows = x.dims[d - 2];
        int columns = x.dims[d - 1];
        int rowStride = x.strides[d - 2];
        int columnStride = x.strides[d - 1];
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
    static Tensor mm(Tensor a, Tensor b) {
        if (a.dims.length != 2 || b.dims.length != 2) {
            throw new IllegalArgumentException(
                    "mm: expected two matrices, got " + a.describe() + " and " + b.describe());
        }
        checkTypes("mm", a, b);
        if (a.dims[1] != b.dims[0]) {
            throw new IllegalArgumentException(
                    "mat1 and mat2 shapes cannot be multiplied (%s and %s)"
                            .formatted(Shapes.times(a.dims), Shapes.times(b.dims)));
        }
        Tensor result = Tensor.fresh(a.dtype(), new int[] {a.dims[0], b.dims[1]});
        multiply(a, b, result, false);
        return result;
    }

    /** Multiply two matrices into a third, or add the product to it. */
    static void multiply(Tensor a, Tensor b, Tensor result, boolean accumulate) {
        Operand left = Operand.of(layable(a));
        Operand right = Operand.of(layable(b));
        multiply(
                a.dtype(),
                left,
                right,
                a.dims[0],
                b.dims[1],
                a.dims[1],
                result.base(),
                result.offset,
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
        if (!OwnKernels.multiply(
                dtype, shape, a.base, a.offset, b.base, b.offset, result, offset)) {
            Matrices.multiply(
                    dtype.elements(), shape, a.base, a.offset, b.base, b.offset, result, offset);
        }
    }

    /** Multiply pairs of matrices. */
    static Tensor bmm(Tensor first, Tensor second) {
        checkBatches(first, second);
        Tensor a = layable(first);
        Tensor b = layable(second);
        int m = a.dims[1];
        int n = b.dims[2];
        Tensor result = Tensor.fresh(a.dtype(), new int[] {a.dims[0], m, n});
        for (int i = 0; i < a.dims[0]; i++) {
            multiply(
                    a.dtype(),
                    Operand.of(a, a.offset + i * a.strides[0], a.strides[1], a.strides[2]),
                    Operand.of(b, b.offset + i * b.strides[0], b.strides[1], b.strides[2]),
                    m,
                    n,
                    a.dims[2],
                    result.base(),
                    i * m * n,
                    false);
        }
        return result;
    }

    private static void checkBatches(Tensor a, Tensor b) {
        if (a.dims.length != 3 || b.dims.length != 3) {
            throw new IllegalArgumentException(
                    "batch1 must be a 3D tensor, and so must batch2: "
                            + a.describe()
                            + " and "
                            + b.describe());
        }
        checkTypes("bmm", a, b);
        if (a.dims[0] != b.dims[0] || a.dims[2] != b.dims[1]) {
            throw new IllegalArgumentException(
                    "Expected size for first two dimensions of batch2 tensor to be: [%d, %d] but got: [%d, %d]."
                            .formatted(a.dims[0], a.dims[2], b.dims[0], b.dims[1]));
        }
    }

    /** Multiply a matrix and a vector. */
    static Tensor mv(Tensor matrix, Tensor vector) {
        if (matrix.dims.length != 2 || vector.dims.length != 1) {
            throw new IllegalArgumentException(
                    "mv: expected a matrix and a vector, got "
                            + matrix.describe()
                            + " and "
                            + vector.describe());
        }
        checkTypes("mv", matrix, vector);
        if (matrix.dims[1] != vector.dims[0]) {
            throw new IllegalArgumentException(
                    "size mismatch, got input (%d), mat (%s), vec (%d)"
                            .formatted(matrix.dims[0], Shapes.times(matrix.dims), vector.dims[0]));
        }
        Tensor column = vector.alias(new int[] {vector.dims[0], 1}, with1(vector.strides[0]));
        return mm(matrix, column).viewAs(matrix.dims[0]);
    }

    private static int[] with1(int stride) {
        return new int[] {stride, 1};
    }

    /** Multiply two vectors. */
    static Tensor dot(Tensor a, Tensor b) {
        if (a.dims.length != 1 || b.dims.length != 1) {
            throw new IllegalArgumentException(
                    "1D tensors expected, but got %dD and %dD tensors"
                            .formatted(a.dims.length, b.dims.length));
        }
        checkTypes("dot", a, b);
        if (a.dims[0] != b.dims[0]) {
            throw new IllegalArgumentException(
                    "inconsistent tensor size, expected tensor [%d] and src [%d] to have the same number of elements, but got %d and %d elements respectively"
                            .formatted(a.dims[0], b.dims[0], a.dims[0], b.dims[0]));
        }
        if (a.dtype() == DType.BOOL) {
            throw new IllegalArgumentException(
                    "\"dot\" not implemented for 'Bool'; convert the operands with to(dtype)");
        }
        return Reductions.sumAsIs(MathRules.binary(Binary.MUL, a, b));
    }

    /**
     * Compute {@code x * w^T + b} over the last dimension of {@code x}, which a weight without rows
     * takes away.
     */
    static Tensor linear(Tensor x, Tensor weight, @Nullable Tensor bias) {
        if (weight.dims.length == 1 && bias == null && x.dims.length > 0) {
            Tensor column = linear(x, weight.viewAs(1, weight.dims[0]), null);
            return column.viewAs(Arrays.copyOf(x.dims, x.dims.length - 1));
        }
        checkLinear(x, weight, bias);
        int out = weight.dims[0];
        Tensor rows = flattened(x);
        int[] shape = x.dims.clone();
        shape[shape.length - 1] = out;
        Tensor result = Tensor.fresh(x.dtype(), new int[] {rows.dims[0], out});
        if (bias != null) {
            Loops.copy(x.dtype().elements(), bias.strided(result.dims), result.strided());
        }
        multiply(rows, weight.transposed(), result, bias != null);
        return result.viewAs(shape);
    }

    private static void checkLinear(Tensor x, Tensor weight, @Nullable Tensor bias) {
        if (x.dims.length == 0 || weight.dims.length != 2) {
            throw new IllegalArgumentException(
                    "linear: expected rows and a weight matrix, got "
                            + x.describe()
                            + " and "
                            + weight.describe());
        }
        checkTypes("linear", x, weight);
        if (x.dims[x.dims.length - 1] != weight.dims[1]) {
            throw new IllegalArgumentException(
                    "mat1 and mat2 shapes cannot be multiplied (%s and %dx%d)"
                            .formatted(Shapes.times(x.dims), weight.dims[1], weight.dims[0]));
        }
        if (bias != null) {
            checkTypes("linear", weight, bias);
        }
        if (bias != null && (bias.dims.length != 1 || bias.dims[0] != weight.dims[0])) {
            throw new IllegalArgumentException(
                    "linear: expected a bias of %d elements for a weight of shape %s, got %s"
                            .formatted(weight.dims[0], Shapes.times(weight.dims), bias.describe()));
        }
    }

    /** Return a tensor as a matrix whose rows are its last dimension. */
    static Tensor flattened(Tensor x) {
        int last = x.dims.length - 1;
        return x.reshaped(Shapes.count(Arrays.copyOf(x.dims, last)), x.dims[last]);
    }
}
