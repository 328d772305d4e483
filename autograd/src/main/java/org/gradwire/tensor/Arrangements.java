package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Indexed.Operand;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Strided;

import java.util.Arrays;

/** Forward rules that copy elements into another order, and the gradients of such. */
final class Arrangements {

    private Arrangements() {}

    static Tensor repeat(Tensor x, int[] repeats) {
        if (repeats.length < x.dims.length) {
            throw new IllegalArgumentException(
                    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: %s of %s"
                            .formatted(Arrays.toString(repeats), x.describe()));
        }
        int[] shape = new int[repeats.length];
        int[] dims = new int[2 * repeats.length];
        int[] strides = new int[dims.length];
        int added = repeats.length - x.dims.length;
        for (int d = 0; d < repeats.length; d++) {
            int size = d < added ? 1 : x.dims[d - added];
            shape[d] = repeated(x, size, repeats, d);
            dims[2 * d] = repeats[d];
            dims[2 * d + 1] = size;
            strides[2 * d + 1] = d < added ? 0 : x.strides[d - added];
        }
        Tensor result = Tensor.fresh(x.dtype(), shape);
        Loops.copy(x.dtype().elements(), x.alias(dims, strides).strided(), result.strided());
        return result;
    }

    private static int repeated(Tensor x, int size, int[] repeats, int d) {
        long extent = (long) repeats[d] * size;
        if (repeats[d] < 0 || extent > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "repeat: expected numbers of copies that are not negative and give extents of at most %d, got %s for %s"
                            .formatted(Integer.MAX_VALUE, Arrays.toString(repeats), x.describe()));
        }
        return (int) extent;
    }

    static Tensor repeatGradient(Saved saved, Tensor gradient) {
        int[] repeats = saved.args().integers(1);
        int[] shape = saved.shape(0);
        int[] dims = new int[2 * repeats.length];
        int[] copies = new int[repeats.length];
        int added = repeats.length - shape.length;
        for (int d = 0; d < repeats.length; d++) {
            dims[2 * d] = repeats[d];
            dims[2 * d + 1] = d < added ? 1 : shape[d - added];
            copies[d] = 2 * d;
        }
        if (repeats.length == 0) {
            return gradient;
        }
        Tensor sum = Ops.sum(gradient.reshaped(dims), copies, false);
        return Views.reshape(sum, shape);
    }

    static <A> Tensor flip(Tensor x, int[] dims) {
        boolean[] flipped = Shapes.selection(dims, x.dims.length);
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        Operand<A> from = Target.readable(x);
        int[] strides = from.strides().clone();
        int offset = from.offset();
        for (int d = 0; d < x.dims.length; d++) {
            if (flipped[d]) {
                offset += Math.max(x.dims[d] - 1, 0) * strides[d];
                strides[d] = -strides[d];
            }
        }
        Elements<A> elements = x.dtype().elements();
        Loops.copy(elements, new Strided(from.array(), offset, x.dims, strides), result.strided());
        return result;
    }

    static Tensor roll(Tensor x, int[] shifts, int[] dims) {
        if (shifts.length == 0) {
            throw new IllegalArgumentException("`shifts` required");
        }
        if (dims.length == 0 && shifts.length == 1) {
            return roll(x.reshaped(x.numel()), shifts[0], 0).viewAs(x.dims);
        }
        if (shifts.length != dims.length) {
            throw new IllegalArgumentException(
                    "shifts and dimensions must align. shifts: %d, dims:%d"
                            .formatted(shifts.length, dims.length));
        }
        Tensor result = x;
        for (int i = 0; i < dims.length; i++) {
            result = roll(result, shifts[i], Shapes.existing(dims[i], x.dims.length));
        }
        return result;
    }

    private static Tensor roll(Tensor x, int shift, int dim) {
        if (x.numel() == 0) {
            return Elementwise.copy(x);
        }
        int size = x.dims[dim];
        int ahead = Math.floorMod(shift, size);
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        move(x, 0, result, ahead, size - ahead, dim);
        move(x, size - ahead, result, 0, ahead, dim);
        return result;
    }

    private static void move(Tensor x, int from, Tensor result, int to, int length, int dim) {
        Loops.copy(
                x.dtype().elements(),
                Views.narrow(x, dim, from, length).strided(),
                Views.narrow(result, dim, to, length).strided());
    }

    static Tensor rollGradient(Saved saved, Tensor gradient) {
        int[] back = Arrays.stream(saved.args().integers(1)).map(shift -> -shift).toArray();
        return roll(gradient, back, saved.args().integers(2));
    }

    /**
     * Keep one side of a diagonal of each matrix.
     *
     * @param lower whether that is the diagonal and what is below
     */
    static <A> Tensor triangle(Tensor x, int diagonal, boolean lower) {
        int dims = x.dims.length;
        if (dims < 2) {
            throw new IllegalArgumentException(
                    "%s: input tensor must have at least 2 dimensions, got %s"
                            .formatted(lower ? "tril" : "triu", x.describe()));
        }
        int columns = x.dims[dims - 1];
        int rows = x.dims[dims - 2];
        Tensor result = Tensor.fresh(x.dtype(), x.dims);
        if (result.numel() == 0) {
            return result;
        }
        Elements<A> elements = x.dtype().elements();
        var at = new RowNumber(rows);
        Loops.rows(
                elements,
                columns,
                x.strided(),
                result.strided(),
                (a, ao, b, bo, n) -> {
                    long end = (long) at.next() + diagonal + (lower ? 1 : 0);
                    int border = Math.clamp(end, 0, n);
                    System.arraycopy(a, ao, b, bo, n);
                    int zeros = lower ? n - border : border;
                    elements.fill(b, lower ? bo + border : bo, zeros, 0);
                });
        return result;
    }

    /** Counts the rows of matrices that follow each other. */
    private static final class RowNumber {
        private final int rows;
        private int next;

        RowNumber(int rows) {
            this.rows = rows;
        }

        int next() {
            int row = next;
            next = row + 1 == rows ? 0 : row + 1;
            return row;
        }
    }
}
