package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Forward rules that pick parts or reorder dimensions, as views, and their gradients. */
final class Slices {

    private Slices() {}

    static Tensor permute(Tensor x, int[] dims) {
        if (dims.length != x.dims.length) {
            throw new IllegalArgumentException(
                    "permute: number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = %d is not equal to len(dims) = %d; %s by %s"
                            .formatted(
                                    x.dims.length,
                                    dims.length,
                                    x.describe(),
                                    Arrays.toString(dims)));
        }
        return x.permuted(order(dims));
    }

    private static int[] order(int[] dims) {
        int[] order = new int[dims.length];
        boolean[] seen = new boolean[dims.length];
        for (int i = 0; i < dims.length; i++) {
            order[i] = Shapes.dimension(dims[i], dims.length);
            if (seen[order[i]]) {
                throw new IllegalArgumentException(
                        "permute(): duplicate dims are not allowed: " + Arrays.toString(dims));
            }
            seen[order[i]] = true;
        }
        return order;
    }

    static Tensor permuteGradient(Saved saved, Tensor gradient) {
        int[] order = order(saved.args().integers(1));
        int[] inverse = new int[order.length];
        for (int d = 0; d < order.length; d++) {
            inverse[order[d]] = d;
        }
        return gradient.permuted(inverse);
    }

    /** {@return the order of dimensions that moves some to other places} */
    static int[] moved(int dims, int[] source, int[] destination) {
        if (source.length != destination.length) {
            throw new IllegalArgumentException(
                    "movedim: Invalid source or destination dims: source (%s dims) should contain the same number of dims as destination (%s dims)"
                            .formatted(Arrays.toString(source), Arrays.toString(destination)));
        }
        int[] order = new int[dims];
        Arrays.fill(order, -1);
        boolean[] taken = new boolean[dims];
        for (int i = 0; i < source.length; i++) {
            int from = Shapes.dimension(source[i], dims);
            int to = Shapes.dimension(destination[i], dims);
            if (dims > 0) {
                requireFirst(!taken[from], "source", source);
                requireFirst(order[to] < 0, "destination", destination);
                taken[from] = true;
                order[to] = from;
            }
        }
        int next = 0;
        for (int d = 0; d < dims; d++) {
            if (!taken[d]) {
                while (order[next] >= 0) {
                    next++;
                }
                order[next] = d;
            }
        }
        return order;
    }

    private static void requireFirst(boolean first, String name, int[] dims) {
        if (!first) {
            throw new IllegalArgumentException(
                    "movedim: repeated dim in `%s` (%s)".formatted(name, Arrays.toString(dims)));
        }
    }

    /** View a range of a dimension; what is out of range is cut off, as Python does. */
    static Tensor slice(Tensor x, int dim, int start, int end, int step) {
        if (x.dims.length == 0) {
            throw new IndexOutOfBoundsException("slice() cannot be applied to a 0-dim tensor.");
        }
        if (step <= 0) {
            throw new IllegalArgumentException("slice step must be positive, got " + step);
        }
        int d = Shapes.dimension(dim, x.dims.length);
        int size = x.dims[d];
        int first = clipped(start, size);
        int length = Math.max(clipped(end, size) - first, 0);
        int[] shape = x.dims.clone();
        int[] strides = x.strides.clone();
        shape[d] = (int) (((long) length + step - 1) / step);
        strides[d] = shape[d] > 1 ? strides[d] * step : strides[d];
        return x.alias(shape, strides, x.offset + (length == 0 ? 0 : first * x.strides[d]));
    }

    private static int clipped(int position, int size) {
        return Math.clamp(position < 0 ? (long) position + size : position, 0, size);
    }

    static Tensor squeeze(Tensor x) {
        int[] left = IntStream.range(0, x.dims.length).filter(d -> x.dims[d] != 1).toArray();
        int[] shape = Arrays.stream(left).map(d -> x.dims[d]).toArray();
        int[] strides = Arrays.stream(left).map(d -> x.strides[d]).toArray();
        return x.alias(shape, strides);
    }

    /** {@return a shape with a range of dimensions made one} */
    static int[] flattened(Tensor x, int startDim, int endDim) {
        int start = Shapes.dimension(startDim, x.dims.length);
        int end = Shapes.dimension(endDim, x.dims.length);
        if (start > end) {
            throw new IllegalArgumentException(
                    "flatten() has invalid args: start_dim cannot come after end_dim: %d, %d of %s"
                            .formatted(startDim, endDim, x.describe()));
        }
        if (x.dims.length == 0) {
            return new int[] {1};
        }
        int[] shape = new int[x.dims.length - (end - start)];
        System.arraycopy(x.dims, 0, shape, 0, start);
        shape[start] = Shapes.count(Arrays.copyOfRange(x.dims, start, end + 1));
        System.arraycopy(x.dims, end + 1, shape, start + 1, x.dims.length - end - 1);
        return shape;
    }

    /** {@return a shape with one dimension made several} */
    static int[] unflattened(Tensor x, int dim, int[] sizes) {
        int d = Shapes.existing(dim, x.dims.length);
        if (sizes.length == 0) {
            throw new IllegalArgumentException("unflatten: sizes must be non-empty");
        }
        int size = x.dims[d];
        int[] parts;
        try {
            parts = Shapes.inferred(sizes, size);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "unflatten: Provided sizes %s don't multiply up to the size of dim %d (%d) in the input tensor"
                            .formatted(Arrays.toString(sizes), d, size),
                    e);
        }
        int after = Math.max(x.dims.length - d - 1, 0);
        int[] shape = new int[d + parts.length + after];
        System.arraycopy(x.dims, 0, shape, 0, d);
        System.arraycopy(parts, 0, shape, d, parts.length);
        System.arraycopy(x.dims, x.dims.length - after, shape, d + parts.length, after);
        return shape;
    }

    static List<Tensor> split(Tensor x, int[] sizes, int dim) {
        requireDimension(x, "split");
        int size = x.size(dim);
        long sum = 0;
        for (int part : sizes) {
            sum += part;
            if (part < 0) {
                throw new IllegalArgumentException(
                        "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes="
                                + Arrays.toString(sizes));
            }
        }
        if (sum != size) {
            throw new IllegalArgumentException(
                    "split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at dimension %d), but got split_sizes=%s"
                            .formatted(size, dim, Arrays.toString(sizes)));
        }
        List<Tensor> parts = new ArrayList<>(sizes.length);
        int at = 0;
        for (int part : sizes) {
            parts.add(Views.narrow(x, dim, at, part));
            at += part;
        }
        return List.copyOf(parts);
    }

    static void requireDimension(Tensor x, String name) {
        if (x.dims.length == 0) {
            throw new IllegalArgumentException(name + " expects at least a 1-dimensional tensor");
        }
    }

    static @Nullable Tensor[] splitGradient(Saved saved, @Nullable Tensor[] gradients) {
        Tensor whole = Tensor.zeros(saved.dtype(0), saved.shape(0));
        int[] sizes = saved.args().integers(1);
        int at = 0;
        for (int i = 0; i < gradients.length; i++) {
            Tensor gradient = gradients[i];
            if (gradient != null) {
                Elementwise.copyInto(
                        Views.narrow(whole, saved.args().integer(2), at, sizes[i]), gradient);
            }
            at += sizes[i];
        }
        return new @Nullable Tensor[] {whole};
    }

    static List<Tensor> chunk(Tensor x, int chunks, int dim) {
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

    static List<Tensor> unbind(Tensor x, int dim) {
        int size = x.size(dim);
        List<Tensor> parts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            parts.add(Views.select(x, dim, i));
        }
        return List.copyOf(parts);
    }

    static @Nullable Tensor[] unbindGradient(Saved saved, @Nullable Tensor[] gradients) {
        Tensor whole = Tensor.zeros(saved.dtype(0), saved.shape(0));
        for (int i = 0; i < gradients.length; i++) {
            Tensor gradient = gradients[i];
            if (gradient != null) {
                Elementwise.copyInto(Views.select(whole, saved.args().integer(1), i), gradient);
            }
        }
        return new @Nullable Tensor[] {whole};
    }

    static Tensor diagonal(Tensor x, int offset, int dim1, int dim2) {
        int row = Shapes.dimension(dim1, x.dims.length);
        int column = Shapes.dimension(dim2, x.dims.length);
        if (row == column) {
            throw new IllegalArgumentException(
                    "diagonal dimensions cannot be identical %d, %d".formatted(dim1, dim2));
        }
        long down = offset < 0 ? -(long) offset : 0;
        long right = Math.max(offset, 0);
        long length = Math.max(Math.min(x.dims[row] - down, x.dims[column] - right), 0);
        long skipped = down * x.strides[row] + right * x.strides[column];
        return x.alias(
                diagonalLast(x.dims, row, column, (int) length),
                diagonalLast(x.strides, row, column, x.strides[row] + x.strides[column]),
                x.offset + (length == 0 ? 0 : (int) skipped));
    }

    private static int[] diagonalLast(int[] all, int row, int column, int last) {
        int[] rest =
                Shapes.without(Shapes.without(all, Math.max(row, column)), Math.min(row, column));
        return Shapes.with(rest, rest.length, last);
    }

    static List<Tensor> broadcast(List<Tensor> tensors) {
        int[] shape = {};
        for (Tensor tensor : tensors) {
            shape = Shapes.broadcast(shape, tensor.dims);
        }
        List<Tensor> results = new ArrayList<>(tensors.size());
        for (Tensor tensor : tensors) {
            results.add(Ops.expand(tensor, shape));
        }
        return List.copyOf(results);
    }
}
