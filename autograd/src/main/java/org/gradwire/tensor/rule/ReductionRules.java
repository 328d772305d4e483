package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.ColumnSoftmax;
import org.gradwire.tensor.kernel.DeviceLoops;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

/** Sum rules and softmax rules. */
public final class ReductionRules {

    private static final int LONG_ROW = 32;

    /** Minimum number of columns that are computed row by row. */
    private static final int NARROW = 16;

    private ReductionRules() {}

    /** Sum all elements; those of integers and bool as int64. */
    public static Tensor sum(Tensor x) {
        return sumAsIs(Elementwise.cast(x, DTypeAccess.ofSum(x.dtype())));
    }

    /** Sum some dimensions, as {@link #sum(Tensor)}; none given means all. */
    public static Tensor sum(Tensor x, int[] dims, boolean keepdim) {
        return sumAsIs(Elementwise.cast(x, DTypeAccess.ofSum(x.dtype())), dims, keepdim);
    }

    /** Sum all elements in their own type: for bool, whether any is set. */
    static Tensor sumAsIs(Tensor x) {
        Tensor result = TensorAccess.fresh(x.dtype(), new int[0]);
        sumAll(DTypeAccess.elements(x.dtype()), x, result);
        return result;
    }

    private static <A> void sumAll(Elements<A> elements, Tensor x, Tensor result) {
        if (TensorAccess.isPlainArray(x)
                && x.numel() <= BlockReader.BLOCK
                && TensorAccess.isPlainArray(result)) {
            A sum = elements.cast(TensorAccess.base(result));
            elements.sum(
                    elements.cast(TensorAccess.base(x)), TensorAccess.offset(x), x.numel(), sum, 0);
        } else {
            StridedLoops.sumRows(
                    elements, TensorAccess.strided(x), 1, x.numel(), TensorAccess.strided(result));
        }
    }

    static Tensor sumAsIs(Tensor x, int[] dims, boolean keepdim) {
        boolean[] reduced = Shapes.selection(dims, TensorAccess.dims(x).length);
        if (dims.length == 0) {
            java.util.Arrays.fill(reduced, true);
        }
        return sum(x, reduced, keepdim);
    }

    private static Tensor sum(Tensor x, boolean[] reduced, boolean keepdim) {
        int dims = TensorAccess.dims(x).length;
        boolean[] last = rowsToSumFirst(x, reduced);
        if (last != null) {
            return sum(sum(x, last, true), reduced, keepdim);
        }
        int[] kept = new int[dims];
        int[] order = new int[dims]; // kept dimensions first, then the reduced ones
        int keptCount = 0;
        int outDims = 0;
        for (int d = 0; d < dims; d++) {
            if (!reduced[d]) {
                order[keptCount++] = d;
            }
            if (!reduced[d] || keepdim) {
                kept[outDims++] = reduced[d] ? 1 : TensorAccess.dims(x)[d];
            }
        }
        int next = keptCount;
        for (int d = 0; d < dims; d++) {
            if (reduced[d]) {
                order[next++] = d;
            }
        }
        Tensor result = TensorAccess.fresh(x.dtype(), java.util.Arrays.copyOf(kept, outDims));
        sumInto(x, order, keptCount, result);
        return result;
    }

    /**
     * Return the last ones of the reduced dimensions, if these are rows on a device, and others are
     * before a dimension that stays: the sums of the rows are few, and rows are read faster.
     */
    private static boolean @Nullable [] rowsToSumFirst(Tensor x, boolean[] reduced) {
        if (x.device().isCpu() || !x.isContiguous()) {
            return null;
        }
        boolean[] last = new boolean[reduced.length];
        int length = 1;
        int d = reduced.length - 1;
        for (; d >= 0 && reduced[d]; d--) {
            last[d] = true;
            length *= TensorAccess.dims(x)[d];
        }
        boolean others = false;
        for (; d >= 0; d--) {
            others |= reduced[d];
        }
        return others && length >= LONG_ROW ? last : null;
    }

    private static void sumInto(Tensor x, int[] order, int keptCount, Tensor result) {
        int outputs = result.numel();
        int terms = 1;
        for (int i = keptCount; i < order.length; i++) {
            terms *= TensorAccess.dims(x)[order[i]];
        }
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        Tensor columns = TensorAccess.permuted(x, rotated(order, keptCount));
        boolean onHost = x.device().isCpu();
        if (onHost && terms > 0 && outputs > 1 && columns.isContiguous()) {
            StridedLoops.sumColumns(
                    elements,
                    TensorAccess.strided(columns),
                    terms,
                    outputs,
                    TensorAccess.strided(result));
        } else if (onHost
                && order.length == 3
                && keptCount == 2
                && order[2] == 1
                && x.isContiguous()) {
            sumMiddle(elements, x, result);
        } else {
            StridedLoops.sumRows(
                    elements,
                    TensorAccess.strided(TensorAccess.permuted(x, order)),
                    outputs,
                    terms,
                    TensorAccess.strided(result));
        }
    }

    private static int[] rotated(int[] order, int keptCount) {
        int[] rotated = new int[order.length];
        int reduced = order.length - keptCount;
        System.arraycopy(order, keptCount, rotated, 0, reduced);
        System.arraycopy(order, 0, rotated, reduced, keptCount);
        return rotated;
    }

    /** Sum over the middle one of three dimensions, slice by slice. */
    private static void sumMiddle(Elements<?> elements, Tensor x, Tensor result) {
        int rows = TensorAccess.dims(x)[1];
        int columns = TensorAccess.dims(x)[2];
        for (int i = 0; i < TensorAccess.dims(x)[0]; i++) {
            var slice =
                    Strided.contiguous(
                            TensorAccess.base(x),
                            TensorAccess.offset(x) + i * rows * columns,
                            rows * columns);
            var sums = Strided.contiguous(TensorAccess.base(result), i * columns, columns);
            StridedLoops.sumColumns(elements, slice, rows, columns, sums);
        }
    }

    /** Sum over broadcast dimensions, to a shape. */
    public static Tensor sumTo(Tensor x, int[] shape) {
        int added = TensorAccess.dims(x).length - shape.length;
        boolean[] reduced = new boolean[TensorAccess.dims(x).length];
        for (int d = 0; d < reduced.length; d++) {
            reduced[d] = d < added || (shape[d - added] == 1 && TensorAccess.dims(x)[d] != 1);
        }
        return TensorAccess.viewAs(sum(x, reduced, true), shape);
    }

    /** A softmax function of rows. */
    private interface RowFunction {
        <A> void apply(Elements<A> elements, A x, int xo, A y, int yo, int n);
    }

    public static Tensor softmax(Tensor x, int dim) {
        return rows("softmax", x, dim, Elements::softmax);
    }

    public static Tensor logSoftmax(Tensor x, int dim) {
        return rows("log_softmax", x, dim, Elements::logSoftmax);
    }

    private static Tensor rows(String name, Tensor scores, int dim, RowFunction function) {
        Tensor x = Elementwise.cast(scores, DTypeAccess.orFloating(scores.dtype()));
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        applyToRows(name, DTypeAccess.elements(x.dtype()), x, result, dim, function);
        return result;
    }

    private static <A> void applyToRows(
            String name,
            Elements<A> elements,
            Tensor x,
            Tensor result,
            int dim,
            RowFunction function) {
        int[] order = lastDimension(x, dim);
        int length = rowLength(x, dim);
        Strided from = TensorAccess.strided(TensorAccess.permuted(x, order));
        Strided to = TensorAccess.strided(TensorAccess.permuted(result, order));
        if (DeviceLoops.run(name, elements, length, to, from)) {
            return;
        }
        int inner = columns(x, dim);
        if (inner >= NARROW && x.isContiguous()) {
            new ColumnSoftmax<>(elements, length, inner, name.equals("log_softmax"))
                    .apply(TensorAccess.strided(x), TensorAccess.strided(result));
        } else {
            StridedLoops.rows(
                    elements,
                    length,
                    from,
                    to,
                    (a, ao, b, bo, n) -> function.apply(elements, a, ao, b, bo, n));
        }
    }

    public static Tensor softmaxGradient(Tensor gradient, Tensor output, int dim) {
        return softmaxGradient(gradient, output, dim, false);
    }

    public static Tensor logSoftmaxGradient(Tensor gradient, Tensor output, int dim) {
        return softmaxGradient(gradient, output, dim, true);
    }

    private static <A> Tensor softmaxGradient(
            Tensor gradient, Tensor output, int dim, boolean logarithmic) {
        Elements<A> elements = DTypeAccess.elements(output.dtype());
        Tensor result = TensorAccess.fresh(output.dtype(), TensorAccess.dims(output));
        int[] order = lastDimension(output, dim);
        StridedLoops.RowStep2<A> step =
                logarithmic
                        ? (g, go, y, yo, x, xo, n) ->
                                elements.logSoftmaxGradient(g, go, y, yo, x, xo, n)
                        : (g, go, y, yo, x, xo, n) ->
                                elements.softmaxGradient(g, go, y, yo, x, xo, n);
        int length = rowLength(output, dim);
        Strided flow = TensorAccess.strided(TensorAccess.permuted(gradient, order));
        Strided from = TensorAccess.strided(TensorAccess.permuted(output, order));
        Strided to = TensorAccess.strided(TensorAccess.permuted(result, order));
        String name = logarithmic ? "log_softmax_gradient" : "softmax_gradient";
        if (DeviceLoops.run(name, elements, length, to, flow, from)) {
            return result;
        }
        int inner = columns(output, dim);
        if (inner >= NARROW && output.isContiguous() && gradient.isContiguous()) {
            new ColumnSoftmax<>(elements, length, inner, logarithmic)
                    .gradient(
                            TensorAccess.strided(gradient),
                            TensorAccess.strided(output),
                            TensorAccess.strided(result));
        } else {
            StridedLoops.rows(elements, length, flow, from, to, step);
        }
        return result;
    }

    /** {@return the product of the extents after a dimension} */
    private static int columns(Tensor x, int dim) {
        int[] dims = TensorAccess.dims(x);
        int columns = 1;
        for (int d = dims.length - 1; d > Shapes.dimension(dim, dims.length); d--) {
            columns *= dims[d];
        }
        return columns;
    }

    private static int rowLength(Tensor x, int dim) {
        return TensorAccess.dims(x).length == 0
                ? 1
                : TensorAccess.dims(x)[Shapes.dimension(dim, TensorAccess.dims(x).length)];
    }

    /** {@return the order of dimensions in which one comes last} */
    public static int[] lastDimension(Tensor x, int dim) {
        int dims = TensorAccess.dims(x).length;
        int chosen = Shapes.dimension(dim, dims);
        int[] order = new int[dims];
        for (int d = 0, i = 0; d < dims; d++) {
            if (d != chosen) {
                order[i++] = d;
            }
        }
        if (dims > 0) {
            order[dims - 1] = chosen;
        }
        return order;
    }
}
