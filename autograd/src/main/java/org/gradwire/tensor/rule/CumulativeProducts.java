package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.device.DeviceScans;
import org.gradwire.tensor.storage.Shapes;

import java.util.ArrayList;
import java.util.List;

/** Cumulative products and their gradient. */
public final class CumulativeProducts {
    private CumulativeProducts() {}

    /** Return the cumulative product along a dimension. */
    public static Tensor runningProduct(Tensor x, int dim) {
        DType dtype = DTypeAccess.ofSum(x.dtype());
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        Tensor there = DeviceScans.products(x.detach(), d, dtype);
        if (there != null) {
            return there;
        }
        return dtype.isFloating()
                ? alongRows(x, x, dim, CumulativeProducts::multiplyUp)
                : wholeProducts(x, d);
    }

    private static Tensor wholeProducts(Tensor x, int dim) {
        if (TensorAccess.dims(x).length == 0) {
            return Elementwise.cast(x.detach(), DType.INT64);
        }
        List<Tensor> parts = new ArrayList<>();
        Tensor product = null;
        for (int i = 0; i < TensorAccess.dims(x)[dim]; i++) {
            Tensor slice = Elementwise.cast(x.detach().narrow(dim, i, 1), DType.INT64);
            product = product == null ? slice : product.mul(slice);
            parts.add(product);
        }
        return parts.isEmpty()
                ? Tensor.zeros(DType.INT64, TensorAccess.dims(x))
                : Ops.cat(parts, dim);
    }

    /** Return the gradient of the elements from that of their cumulative products. */
    public static Tensor runningProductGradient(Tensor gradient, Tensor x, int dim) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        Tensor there = DeviceScans.productsGradient(gradient.detach(), x.detach(), d);
        return there == null ? alongRows(x, gradient, dim, CumulativeProducts::flowDown) : there;
    }

    /** Computes one row: of elements, and of a second tensor's. */
    private interface RowRule {
        void apply(double[] x, double[] g, double[] y, int start, int length);
    }

    private static void multiplyUp(double[] x, double[] g, double[] y, int start, int length) {
        double product = 1;
        for (int i = start; i < start + length; i++) {
            product *= x[i];
            y[i] = product;
        }
    }

    /**
     * Compute {@code before[i] * flow[i]}, where {@code before} is the product of the elements
     * before and {@code flow[i] = g[i] + x[i + 1] * flow[i + 1]}: without a division, so that zeros
     * need no special case.
     */
    private static void flowDown(double[] x, double[] g, double[] y, int start, int length) {
        double flow = 0;
        for (int i = start + length - 1; i >= start; i--) {
            flow = g[i] + (i + 1 < start + length ? x[i + 1] * flow : 0);
            y[i] = flow;
        }
        double before = 1;
        for (int i = start; i < start + length; i++) {
            y[i] *= before;
            before *= x[i];
        }
    }

    private static Tensor alongRows(Tensor x, Tensor gradient, int dim, RowRule rule) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int[] order =
                TensorAccess.dims(x).length == 0 ? new int[0] : ReductionRules.lastDimension(x, d);
        double[] elements = TensorAccess.permuted(x.detach(), order).toDoubleArray();
        double[] flows = TensorAccess.permuted(gradient.detach(), order).toDoubleArray();
        double[] results = new double[elements.length];
        int length = TensorAccess.dims(x).length == 0 ? 1 : TensorAccess.dims(x)[d];
        for (int start = 0; start < results.length; start += length) {
            rule.apply(elements, flows, results, start, length);
        }
        int[] rows = new int[order.length];
        int[] back = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            rows[i] = TensorAccess.dims(x)[order[i]];
            back[order[i]] = i;
        }
        Tensor result = Elementwise.cast(Tensor.of(results, rows), x.dtype());
        return Elementwise.contiguous(TensorAccess.permuted(result, back));
    }
}
