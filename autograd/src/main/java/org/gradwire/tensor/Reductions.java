package org.gradwire.tensor;

import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;

/** Forward rules that bring many elements down to one, and those of rows of scores. */
final class Reductions {

    private Reductions() {}

    /** Sum all elements; those of whole numbers and bool as int64. */
    static Tensor sum(Tensor x) {
        return sumAsIs(Elementwise.cast(x, x.dtype().ofSum()));
    }

    /** Sum some dimensions, as {@link #sum(Tensor)}; none given means all. */
    static Tensor sum(Tensor x, int[] dims, boolean keepdim) {
        return sumAsIs(Elementwise.cast(x, x.dtype().ofSum()), dims, keepdim);
    }

    /** Sum all elements in their own type: for bool, whether any is set. */
    static Tensor sumAsIs(Tensor x) {
        Tensor result = Tensor.fresh(x.dtype(), new int[0]);
        sumAll(x.dtype().elements(), x, result);
        return result;
    }

    private static <A> void sumAll(Elements<A> elements, Tensor x, Tensor result) {
        if (x.isPlainArray() && x.numel() <= BlockReader.BLOCK && result.isPlainArray()) {
            A sum = elements.cast(result.base());
            elements.sum(elements.cast(x.base()), x.offset, x.numel(), sum, 0);
        } else {
            Loops.sumRows(elements, x.strided(), 1, x.numel(), result.strided());
        }
    }

    static Tensor sumAsIs(Tensor x, int[] dims, boolean keepdim) {
        boolean[] reduced = Shapes.selection(dims, x.dims.length);
        if (dims.length == 0) {
            java.util.Arrays.fill(reduced, true);
        }
        return sum(x, reduced, keepdim);
    }

    private static Tensor sum(Tensor x, boolean[] reduced, boolean keepdim) {
        int dims = x.dims.length;
        int[] kept = new int[dims];
        int[] order = new int[dims]; // kept dimensions first, then the reduced ones
        int keptCount = 0;
        int outDims = 0;
        for (int d = 0; d < dims; d++) {
            if (!reduced[d]) {
                order[keptCount++] = d;
            }
            if (!reduced[d] || keepdim) {
                kept[outDims++] = reduced[d] ? 1 : x.dims[d];
            }
        }
        int next = keptCount;
        for (int d = 0; d < dims; d++) {
            if (reduced[d]) {
                order[next++] = d;
            }
        }
        Tensor result = Tensor.fresh(x.dtype(), java.util.Arrays.copyOf(kept, outDims));
        sumInto(x, order, keptCount, result);
        return result;
    }

    private static void sumInto(Tensor x, int[] order, int keptCount, Tensor result) {
        int outputs = result.numel();
        int terms = 1;
        for (int i = keptCount; i < order.length; i++) {
            terms *= x.dims[order[i]];
        }
        Elements<?> elements = x.dtype().elements();
        Tensor columns = x.permuted(rotated(order, keptCount));
        if (terms > 0 && outputs > 1 && columns.isContiguous()) {
            Loops.sumColumns(elements, columns.strided(), terms, outputs, result.strided());
        } else if (order.length == 3 && keptCount == 2 && order[2] == 1 && x.isContiguous()) {
            sumMiddle(elements, x, result);
        } else {
            Loops.sumRows(elements, x.permuted(order).strided(), outputs, terms, result.strided());
        }
    }

    private static int[] rotated(int[] order, int keptCount) {
        int[] rotated = new int[order.length];
        int reduced = order.length - keptCount;
        System.arraycopy(order, keptCount, rotated, 0, reduced);
        System.arraycopy(order, 0, rotated, reduced, keptCount);
        return rotated;
    }

    /** Sum over the middle one of three dimensions, one slice after the other. */
    private static void sumMiddle(Elements<?> elements, Tensor x, Tensor result) {
        int rows = x.dims[1];
        int columns = x.dims[2];
        for (int i = 0; i < x.dims[0]; i++) {
            var slice = Strided.contiguous(x.base(), x.offset + i * rows * columns, rows * columns);
            var sums = Strided.contiguous(result.base(), i * columns, columns);
            Loops.sumColumns(elements, slice, rows, columns, sums);
        }
    }

    /** Sum what was broadcast, so that the result has a shape again. */
    static Tensor sumTo(Tensor x, int[] shape) {
        int added = x.dims.length - shape.length;
        boolean[] reduced = new boolean[x.dims.length];
        for (int d = 0; d < reduced.length; d++) {
            reduced[d] = d < added || (shape[d - added] == 1 && x.dims[d] != 1);
        }
        return sum(x, reduced, true).viewAs(shape);
    }

    /** A function of rows of scores. */
    private interface RowFunction {
        <A> void apply(Elements<A> elements, A x, int xo, A y, int yo, int n);
    }

    static Tensor softmax(Tensor x, int dim) {
        return rows(x, dim, Elements::softmax);
    }

    static Tensor logSoftmax(Tensor x, int dim) {
        return rows(x, dim, Elements::logSoftmax);
    }

    private static Tensor rows(Tensor scores, int dim, RowFunction function) {
        Tensor x = Elementwise.cast(scores, scores.dtype().orFloating());
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        applyToRows(x.dtype().elements(), x, result, dim, function);
        return result;
    }

    private static <A> void applyToRows(
            Elements<A> elements, Tensor x, Tensor result, int dim, RowFunction function) {
        int[] order = lastDimension(x, dim);
        Loops.rows(
                elements,
                rowLength(x, dim),
                x.permuted(order).strided(),
                result.permuted(order).strided(),
                (a, ao, b, bo, n) -> function.apply(elements, a, ao, b, bo, n));
    }

    static Tensor softmaxGradient(Tensor gradient, Tensor output, int dim) {
        return softmaxGradient(gradient, output, dim, false);
    }

    static Tensor logSoftmaxGradient(Tensor gradient, Tensor output, int dim) {
        return softmaxGradient(gradient, output, dim, true);
    }

    private static <A> Tensor softmaxGradient(
            Tensor gradient, Tensor output, int dim, boolean logarithmic) {
        Elements<A> elements = output.dtype().elements();
        Tensor result = Tensor.fresh(output.dtype(), output.dims);
        int[] order = lastDimension(output, dim);
        Loops.RowStep2<A> step =
                logarithmic
                        ? (g, go, y, yo, x, xo, n) ->
                                elements.logSoftmaxGradient(g, go, y, yo, x, xo, n)
                        : (g, go, y, yo, x, xo, n) ->
                                elements.softmaxGradient(g, go, y, yo, x, xo, n);
        Loops.rows(
                elements,
                rowLength(output, dim),
                gradient.permuted(order).strided(),
                output.permuted(order).strided(),
                result.permuted(order).strided(),
                step);
        return result;
    }

    private static int rowLength(Tensor x, int dim) {
        return x.dims.length == 0 ? 1 : x.dims[Shapes.dimension(dim, x.dims.length)];
    }

    /** {@return the order of dimensions in which one comes last} */
    static int[] lastDimension(Tensor x, int dim) {
        int dims = x.dims.length;
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
