package org.gradwire.device.cuda;

import org.gradwire.device.cuda.Cublas.Matrix;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.jspecify.annotations.Nullable;

/**
 * Matrix products by cuBLAS, whose matrices are column-major: the transposed product is computed,
 * with the operands in the other order.
 */
final class ProductKernels {

    private ProductKernels() {}

    static boolean has(ElementType type) {
        return type.isFloating() && Cublas.exists();
    }

    /** Run a product; false for matrices without a contiguous dimension. */
    static boolean run(
            CudaDevice device,
            boolean tf32,
            Operand result,
            Operand a,
            Operand b,
            boolean accumulate) {
        int batch = result.sizes()[0];
        int rows = result.sizes()[1];
        int columns = result.sizes()[2];
        int inner = a.sizes()[2];
        CudaStream stream = device.stream();
        Matrix left = matrix(a, stream);
        Matrix right = matrix(b, stream);
        Matrix product = matrix(result, stream);
        if (left == null
                || right == null
                || product == null
                || product.transposed()
                || inner == 0) {
            return false;
        }
        CublasHandle products = stream.products();
        synchronized (products) {
            device.enter();
            products.multiply(
                    result.type(),
                    tf32,
                    accumulate,
                    columns,
                    rows,
                    inner,
                    batch,
                    right,
                    left,
                    product);
        }
        return true;
    }

    private static @Nullable Matrix matrix(Operand operand, CudaStream stream) {
        int rows = operand.sizes()[1];
        int columns = operand.sizes()[2];
        int rowStride = operand.strides()[1];
        int columnStride = operand.strides()[2];
        long address = Launch.address(operand, stream);
        int batchStep = operand.strides()[0];
        if (isByRows(rows, columns, rowStride, columnStride)) {
            int step = Math.max(rows <= 1 ? columns : rowStride, 1);
            return new Matrix(address, false, step, batchStep);
        }
        if (isByRows(columns, rows, columnStride, rowStride)) {
            int step = Math.max(columns <= 1 ? rows : columnStride, 1);
            return new Matrix(address, true, step, batchStep);
        }
        return null;
    }

    private static boolean isByRows(int rows, int columns, int rowStride, int columnStride) {
        return (columns <= 1 || columnStride == 1)
                && (rows <= 1 || rowStride >= Math.max(columns, 1));
    }
}
