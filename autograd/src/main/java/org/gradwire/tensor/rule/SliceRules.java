package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** View rules of slicing and splitting along a dimension, and their gradients. */
public final class SliceRules {
    private SliceRules() {}

    public static Tensor narrow(Tensor x, int dim, int start, int length) {
        checkNarrowed(x);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int size = x.size(dim);
        int first = start < 0 ? start + size : start;
        if (first < 0 || length < 0 || first > size - length) {
            throw new IndexOutOfBoundsException(
                    "start (%d) + length (%d) exceeds dimension size (%d)."
                            .formatted(start, length, size));
        }
        int[] shape = TensorAccess.dims(x).clone();
        shape[d] = length;
        return TensorAccess.alias(
                x,
                shape,
                TensorAccess.strides(x),
                TensorAccess.offset(x) + first * TensorAccess.strides(x)[d]);
    }

    /** Check that a tensor has a dimension to narrow. */
    public static void checkNarrowed(Tensor x) {
        if (TensorAccess.dims(x).length == 0) {
            throw new IllegalArgumentException("narrow() cannot be applied to a 0-dim tensor.");
        }
    }

    /** Check that a tensor has a dimension to select from. */
    public static void checkSelected(Tensor x) {
        if (TensorAccess.dims(x).length == 0) {
            throw new IndexOutOfBoundsException("select() cannot be applied to a 0-dim tensor.");
        }
    }

    public static Tensor select(Tensor x, int dim, int index) {
        checkSelected(x);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int i = index < 0 ? index + TensorAccess.dims(x)[d] : index;
        if (i < 0 || i >= TensorAccess.dims(x)[d]) {
            throw new IndexOutOfBoundsException(
                    "select(): index %d out of range for tensor of size %s at dimension %d"
                            .formatted(index, Arrays.toString(TensorAccess.dims(x)), d));
        }
        return TensorAccess.alias(
                x,
                Shapes.without(TensorAccess.dims(x), d),
                Shapes.without(TensorAccess.strides(x), d),
                TensorAccess.offset(x) + i * TensorAccess.strides(x)[d]);
    }

    /** Return zeros with the gradient in the slice. */
    public static Tensor intoZeros(Tensor gradient, int[] shape, UnaryOperator<Tensor> part) {
        Tensor whole = Tensor.zeros(gradient.dtype(), shape);
        Elementwise.copyInto(part.apply(whole), gradient);
        return whole;
    }

    /** View a range of a dimension; out-of-range bounds are clamped, as in Python. */
    public static Tensor slice(Tensor x, int dim, int start, int end, int step) {
        if (TensorAccess.dims(x).length == 0) {
            throw new IndexOutOfBoundsException("slice() cannot be applied to a 0-dim tensor.");
        }
        if (step <= 0) {
            throw new IllegalArgumentException("slice step must be positive, got " + step);
        }
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int size = TensorAccess.dims(x)[d];
        int first = clipped(start, size);
        int length = Math.max(clipped(end, size) - first, 0);
        int[] shape = TensorAccess.dims(x).clone();
        int[] strides = TensorAccess.strides(x).clone();
        shape[d] = (int) (((long) length + step - 1) / step);
        strides[d] = shape[d] > 1 ? strides[d] * step : strides[d];
        return TensorAccess.alias(
                x,
                shape,
                strides,
                TensorAccess.offset(x) + (length == 0 ? 0 : first * TensorAccess.strides(x)[d]));
    }

    private static int clipped(int position, int size) {
        return Math.clamp(position < 0 ? (long) position + size : position, 0, size);
    }

    public static List<Tensor> split(Tensor x, int size, int dim) {
        requireDimension(x, "split");
        if (size <= 0) {
            throw new IllegalArgumentException(
                    "split expects splitSize be positive, but got splitSize=" + size);
        }
        int whole = x.size(dim);
        List<Tensor> parts = new ArrayList<>();
        for (int at = 0; at < whole || parts.isEmpty(); at += size) {
            parts.add(narrow(x, dim, at, Math.min(size, whole - at)));
        }
        return List.copyOf(parts);
    }

    public static @Nullable Tensor[] splitGradient(Saved saved, @Nullable Tensor[] gradients) {
        Tensor whole = Tensor.zeros(saved.dtype(0), saved.shape(0));
        int size = saved.args().integer(1);
        int dim = saved.args().integer(2);
        for (int i = 0; i < gradients.length; i++) {
            Tensor gradient = gradients[i];
            if (gradient != null) {
                int length = gradient.size(dim);
                Elementwise.copyInto(narrow(whole, dim, i * size, length), gradient);
            }
        }
        return new @Nullable Tensor[] {whole};
    }

    public static List<Tensor> splitWithSizes(Tensor x, int[] sizes, int dim) {
        requireDimension(x, "split");
        int size = x.size(dim);
        long sum = 0;
        for (int part : sizes) {
            sum += part;
            if (part < 0) {
                throw new IllegalArgumentException(
                        "split_with_sizes expects splitSizes have only non-negative entries, but got splitSizes="
                                + Arrays.toString(sizes));
            }
        }
        if (sum != size) {
            throw new IllegalArgumentException(
                    "split_with_sizes expects splitSizes to sum exactly to %d (input tensor's size at dimension %d), but got splitSizes=%s"
                            .formatted(size, dim, Arrays.toString(sizes)));
        }
        List<Tensor> parts = new ArrayList<>(sizes.length);
        int at = 0;
        for (int part : sizes) {
            parts.add(narrow(x, dim, at, part));
            at += part;
        }
        return List.copyOf(parts);
    }

    public static @Nullable Tensor[] splitWithSizesGradient(
            Saved saved, @Nullable Tensor[] gradients) {
        Tensor whole = Tensor.zeros(saved.dtype(0), saved.shape(0));
        int[] sizes = saved.args().integers(1);
        int at = 0;
        for (int i = 0; i < gradients.length; i++) {
            Tensor gradient = gradients[i];
            if (gradient != null) {
                Elementwise.copyInto(
                        narrow(whole, saved.args().integer(2), at, sizes[i]), gradient);
            }
            at += sizes[i];
        }
        return new @Nullable Tensor[] {whole};
    }

    static void requireDimension(Tensor x, String name) {
        if (TensorAccess.dims(x).length == 0) {
            throw new IllegalArgumentException(name + " expects at least a 1-dimensional tensor");
        }
    }

    public static List<Tensor> chunk(Tensor x, int chunks, int dim) {
        requireDimension(x, "chunk");
        if (chunks <= 0) {
            throw new IllegalArgumentException(
                    "chunk expects `chunks` to be greater than 0, got: " + chunks);
        }
        int size = x.size(dim);
        return size == 0
                ? Ops.split(x, new int[chunks], dim)
                : Ops.split(x, (int) (((long) size + chunks - 1) / chunks), dim);
    }

    public static List<Tensor> unbind(Tensor x, int dim) {
        int size = x.size(dim);
        List<Tensor> parts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            parts.add(select(x, dim, i));
        }
        return List.copyOf(parts);
    }

    public static @Nullable Tensor[] unbindGradient(Saved saved, @Nullable Tensor[] gradients) {
        Tensor whole = Tensor.zeros(saved.dtype(0), saved.shape(0));
        for (int i = 0; i < gradients.length; i++) {
            Tensor gradient = gradients[i];
            if (gradient != null) {
                Elementwise.copyInto(select(whole, saved.args().integer(1), i), gradient);
            }
        }
        return new @Nullable Tensor[] {whole};
    }

    public static Tensor diagonal(Tensor x, int offset, int dim1, int dim2) {
        int row = Shapes.dimension(dim1, TensorAccess.dims(x).length);
        int column = Shapes.dimension(dim2, TensorAccess.dims(x).length);
        if (row == column) {
            throw new IllegalArgumentException(
                    "diagonal dimensions cannot be identical %d, %d".formatted(dim1, dim2));
        }
        long down = offset < 0 ? -(long) offset : 0;
        long right = Math.max(offset, 0);
        long length =
                Math.max(
                        Math.min(
                                TensorAccess.dims(x)[row] - down,
                                TensorAccess.dims(x)[column] - right),
                        0);
        long skipped =
                down * TensorAccess.strides(x)[row] + right * TensorAccess.strides(x)[column];
        return TensorAccess.alias(
                x,
                diagonalLast(TensorAccess.dims(x), row, column, (int) length),
                diagonalLast(
                        TensorAccess.strides(x),
                        row,
                        column,
                        TensorAccess.strides(x)[row] + TensorAccess.strides(x)[column]),
                TensorAccess.offset(x) + (length == 0 ? 0 : (int) skipped));
    }

    private static int[] diagonalLast(int[] all, int row, int column, int last) {
        int[] rest =
                Shapes.without(Shapes.without(all, Math.max(row, column)), Math.min(row, column));
        return Shapes.with(rest, rest.length, last);
    }
}
