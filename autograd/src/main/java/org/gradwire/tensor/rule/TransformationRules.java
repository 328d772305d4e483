package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceReductions;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;

/** Rules of copying transformations: repeat, flip, roll and triangles, and their gradients. */
public final class TransformationRules {

    private TransformationRules() {}

    public static Tensor repeat(Tensor x, int[] repeats) {
        if (repeats.length < TensorAccess.dims(x).length) {
            throw new IllegalArgumentException(
                    "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: %s of %s"
                            .formatted(Arrays.toString(repeats), TensorAccess.describe(x)));
        }
        int[] shape = new int[repeats.length];
        int[] dims = new int[2 * repeats.length];
        int[] strides = new int[dims.length];
        int added = repeats.length - TensorAccess.dims(x).length;
        for (int d = 0; d < repeats.length; d++) {
            int size = d < added ? 1 : TensorAccess.dims(x)[d - added];
            shape[d] = repeated(x, size, repeats, d);
            dims[2 * d] = repeats[d];
            dims[2 * d + 1] = size;
            strides[2 * d + 1] = d < added ? 0 : TensorAccess.strides(x)[d - added];
        }
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        StridedLoops.copy(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(TensorAccess.alias(x, dims, strides)),
                TensorAccess.strided(result));
        return result;
    }

    private static int repeated(Tensor x, int size, int[] repeats, int d) {
        long extent = (long) repeats[d] * size;
        if (repeats[d] < 0 || extent > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "repeat: expected numbers of copies that are not negative and give extents of at most %d, got %s for %s"
                            .formatted(
                                    Integer.MAX_VALUE,
                                    Arrays.toString(repeats),
                                    TensorAccess.describe(x)));
        }
        return (int) extent;
    }

    public static Tensor repeatGradient(Saved saved, Tensor gradient) {
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
        Tensor sum = Ops.sum(TensorAccess.reshaped(gradient, dims), copies, false);
        return ViewRules.reshape(sum, shape);
    }

    public static <A> Tensor flip(Tensor x, int[] dims) {
        boolean[] flipped = Shapes.selection(dims, TensorAccess.dims(x).length);
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        StridedLoops.copy(elements, flipped(x, flipped), TensorAccess.strided(result));
        return result;
    }

    private static Strided flipped(Tensor x, boolean[] flipped) {
        int[] shape = TensorAccess.dims(x);
        int[] strides = TensorAccess.strides(x);
        int[] backwards = strides.clone();
        int last = TensorAccess.offset(x);
        for (int d = 0; d < shape.length; d++) {
            if (flipped[d]) {
                last += Math.max(shape[d] - 1, 0) * strides[d];
                backwards[d] = -strides[d];
            }
        }
        return new Strided(TensorAccess.storage(x).operandBase(), last, shape, backwards);
    }

    public static Tensor roll(Tensor x, int[] shifts, int[] dims) {
        if (shifts.length == 0) {
            throw new IllegalArgumentException("`shifts` required");
        }
        if (dims.length == 0 && shifts.length == 1) {
            return TensorAccess.viewAs(
                    roll(TensorAccess.reshaped(x, x.numel()), shifts[0], 0), TensorAccess.dims(x));
        }
        if (shifts.length != dims.length) {
            throw new IllegalArgumentException(
                    "shifts and dimensions must align. shifts: %d, dims:%d"
                            .formatted(shifts.length, dims.length));
        }
        Tensor result = x;
        for (int i = 0; i < dims.length; i++) {
            result = roll(result, shifts[i], Shapes.existing(dims[i], TensorAccess.dims(x).length));
        }
        return result;
    }

    private static Tensor roll(Tensor x, int shift, int dim) {
        if (x.numel() == 0) {
            return Elementwise.copy(x);
        }
        int size = TensorAccess.dims(x)[dim];
        int ahead = Math.floorMod(shift, size);
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        move(x, 0, result, ahead, size - ahead, dim);
        move(x, size - ahead, result, 0, ahead, dim);
        return result;
    }

    private static void move(Tensor x, int from, Tensor result, int to, int length, int dim) {
        StridedLoops.copy(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(SliceRules.narrow(x, dim, from, length)),
                TensorAccess.strided(SliceRules.narrow(result, dim, to, length)));
    }

    public static Tensor rollGradient(Saved saved, Tensor gradient) {
        int[] back = Arrays.stream(saved.args().integers(1)).map(shift -> -shift).toArray();
        return roll(gradient, back, saved.args().integers(2));
    }

    /**
     * Keep one triangle of each matrix.
     *
     * @param lower whether it is the lower triangle
     */
    public static <A> Tensor triangle(Tensor x, int diagonal, boolean lower) {
        int dims = TensorAccess.dims(x).length;
        if (dims < 2) {
            throw new IllegalArgumentException(
                    "%s: input tensor must have at least 2 dimensions, got %s"
                            .formatted(lower ? "tril" : "triu", TensorAccess.describe(x)));
        }
        int columns = TensorAccess.dims(x)[dims - 1];
        int rows = TensorAccess.dims(x)[dims - 2];
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        if (result.numel() == 0
                || DeviceReductions.triangle(lower ? "tril" : "triu", x, diagonal, result)) {
            return result;
        }
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        var at = new RowNumber(rows);
        StridedLoops.rows(
                elements,
                columns,
                TensorAccess.strided(x),
                TensorAccess.strided(result),
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
