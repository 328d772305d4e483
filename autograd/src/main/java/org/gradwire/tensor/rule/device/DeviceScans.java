package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.rule.ReductionRules;
import org.jspecify.annotations.Nullable;

/**
 * Running sums and products by a device's kernels. A block scans a row; where rows are few and
 * long, it scans a chunk of one, from the total of the chunks before it.
 */
public final class DeviceScans {
    private static final int CHUNK = 4096;
    private static final int LONG = 4 * CHUNK; // row from which on chunks are faster
    private static final int FEW = 256; // rows that do not fill a device

    private final String function; // "sum" or "product"
    private final boolean backwards;

    private DeviceScans(String function, boolean backwards) {
        this.function = function;
        this.backwards = backwards;
    }

    /**
     * Write the running sums along a dimension.
     *
     * @param y of the type and the shape of x
     * @return whether the device has a kernel
     */
    public static boolean sums(Tensor x, Tensor y, int dim, boolean backwards) {
        return new DeviceScans("sum", backwards).scan(x, y, dim);
    }

    /** {@return the running products along a dimension; null where the device has no kernel} */
    public static @Nullable Tensor products(Tensor x, int dim, DType dtype) {
        if (x.device().isCpu() || x.numel() == 0 || TensorAccess.dims(x).length == 0) {
            return null;
        }
        Tensor result = TensorAccess.fresh(dtype, TensorAccess.dims(x));
        return new DeviceScans("product", false).scan(x, result, dim) ? result : null;
    }

    private boolean scan(Tensor x, Tensor y, int dim) {
        String kernel = "cumulative_" + function;
        if (!DeviceCall.isPossible(kernel, elements(y), TensorAccess.strided(y))) {
            return false;
        }
        int length = TensorAccess.dims(y)[dim];
        if (length >= LONG && y.numel() / length < FEW) {
            return scanChunks(x, y, dim);
        }
        return call(kernel, y, rows(y, dim))
                .with(elements(x), rows(x, dim))
                .with(backwards ? 1L : 0L)
                .with((long) length)
                .run();
    }

    private boolean scanChunks(Tensor x, Tensor y, int dim) {
        int length = TensorAccess.dims(y)[dim];
        int[] shape = {y.numel() / length, (length - 1) / CHUNK + 1};
        DType wide = y.dtype().isFloating() ? DType.FLOAT64 : y.dtype();
        Tensor totals = TensorAccess.fresh(wide, shape);
        Tensor starts = TensorAccess.fresh(wide, shape);
        return call("chunk_" + function, totals, TensorAccess.strided(totals))
                        .with(elements(x), rows(x, dim))
                        .with(backwards ? 1L : 0L)
                        .with((long) length)
                        .with((long) CHUNK)
                        .run()
                && new DeviceScans(function, false).scan(totals, starts, 1)
                && call("chunked_" + function, y, rows(y, dim))
                        .with(elements(x), rows(x, dim))
                        .with(elements(starts), TensorAccess.strided(starts))
                        .with(backwards ? 1L : 0L)
                        .with((long) length)
                        .with((long) CHUNK)
                        .run();
    }

    /**
     * Return the gradient of running products; null where the device has no kernel.
     *
     * @param gradient of the products
     */
    public static @Nullable Tensor productsGradient(Tensor gradient, Tensor x, int dim) {
        Tensor products = products(x, dim, DType.FLOAT64);
        if (products == null) {
            return null;
        }
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        boolean done =
                call("cumulative_product_gradient", result, rows(result, dim))
                        .with(elements(gradient), rows(gradient, dim))
                        .with(elements(x), rows(x, dim))
                        .with(elements(products), rows(products, dim))
                        .with((long) TensorAccess.dims(x)[dim])
                        .run();
        TensorAccess.storage(products).giveBack();
        return done ? result : null;
    }

    private static DeviceCall call(String kernel, Tensor result, Strided rows) {
        return new DeviceCall(kernel, elements(result), rows);
    }

    private static Elements<?> elements(Tensor x) {
        return DTypeAccess.elements(x.dtype());
    }

    private static Strided rows(Tensor x, int dim) {
        int[] order = ReductionRules.lastDimension(x, dim);
        return TensorAccess.strided(TensorAccess.permuted(x, order));
    }
}
