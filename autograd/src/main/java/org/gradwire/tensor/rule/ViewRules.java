package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.storage.Shapes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** View rules: dimensions reordered, reshaped, added, removed or expanded over the same memory. */
public final class ViewRules {
    private ViewRules() {}

    public static Tensor transpose(Tensor x, int dim0, int dim1) {
        int a = Shapes.dimension(dim0, TensorAccess.dims(x).length);
        int b = Shapes.dimension(dim1, TensorAccess.dims(x).length);
        int[] order = new int[TensorAccess.dims(x).length];
        Arrays.setAll(order, d -> d == a ? b : d == b ? a : d);
        return TensorAccess.permuted(x, order);
    }

    public static Tensor permute(Tensor x, int[] dims) {
        if (dims.length != TensorAccess.dims(x).length) {
            throw new IllegalArgumentException(
                    "permute: the tensor has %d dimensions, but the order has %d; %s by %s"
                            .formatted(
                                    TensorAccess.dims(x).length,
                                    dims.length,
                                    TensorAccess.describe(x),
                                    Arrays.toString(dims)));
        }
        return TensorAccess.permuted(x, order(dims));
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

    public static Tensor permuteGradient(Saved saved, Tensor gradient) {
        int[] order = order(saved.args().integers(1));
        int[] inverse = new int[order.length];
        for (int d = 0; d < order.length; d++) {
            inverse[order[d]] = d;
        }
        return TensorAccess.permuted(gradient, inverse);
    }

    /** {@return the permutation that moves some dimensions} */
    public static int[] movedimOrder(int dims, int[] source, int[] destination) {
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

    public static Tensor t(Tensor x) {
        if (TensorAccess.dims(x).length > 2) {
            throw new IllegalArgumentException(
                    "t() expects a tensor with <= 2 dimensions, but self is "
                            + TensorAccess.dims(x).length
                            + "D");
        }
        return TensorAccess.dims(x).length < 2 ? x.detach() : TensorAccess.transposed(x);
    }

    public static Tensor view(Tensor x, int[] size) {
        int[] shape = Shapes.inferred(size, x.numel());
        int[] strides = Shapes.viewStrides(TensorAccess.dims(x), TensorAccess.strides(x), shape);
        if (strides == null) {
            throw new IllegalArgumentException(
                    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead; %s with strides %s as %s"
                            .formatted(
                                    TensorAccess.describe(x),
                                    Arrays.toString(TensorAccess.strides(x)),
                                    Arrays.toString(shape)));
        }
        return TensorAccess.alias(x, shape, strides);
    }

    public static Tensor reshape(Tensor x, int[] size) {
        return TensorAccess.reshaped(x, Shapes.inferred(size, x.numel()));
    }

    /** {@return the shape after flattening a range of dimensions} */
    public static int[] flattened(Tensor x, int startDim, int endDim) {
        int start = Shapes.dimension(startDim, TensorAccess.dims(x).length);
        int end = Shapes.dimension(endDim, TensorAccess.dims(x).length);
        if (start > end) {
            throw new IllegalArgumentException(
                    "flatten() has invalid args: startDim cannot come after endDim: %d, %d of %s"
                            .formatted(startDim, endDim, TensorAccess.describe(x)));
        }
        if (TensorAccess.dims(x).length == 0) {
            return new int[] {1};
        }
        int[] shape = new int[TensorAccess.dims(x).length - (end - start)];
        System.arraycopy(TensorAccess.dims(x), 0, shape, 0, start);
        shape[start] = Shapes.count(Arrays.copyOfRange(TensorAccess.dims(x), start, end + 1));
        System.arraycopy(
                TensorAccess.dims(x),
                end + 1,
                shape,
                start + 1,
                TensorAccess.dims(x).length - end - 1);
        return shape;
    }

    /** {@return the shape after unflattening a dimension} */
    public static int[] unflattened(Tensor x, int dim, int[] sizes) {
        int d = Shapes.existing(dim, TensorAccess.dims(x).length);
        if (sizes.length == 0) {
            throw new IllegalArgumentException("unflatten: sizes must be non-empty");
        }
        int size = TensorAccess.dims(x)[d];
        int[] parts;
        try {
            parts = Shapes.inferred(sizes, size);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "unflatten: Provided sizes %s don't multiply up to the size of dim %d (%d) in the input tensor"
                            .formatted(Arrays.toString(sizes), d, size),
                    e);
        }
        int after = Math.max(TensorAccess.dims(x).length - d - 1, 0);
        int[] shape = new int[d + parts.length + after];
        System.arraycopy(TensorAccess.dims(x), 0, shape, 0, d);
        System.arraycopy(parts, 0, shape, d, parts.length);
        System.arraycopy(
                TensorAccess.dims(x),
                TensorAccess.dims(x).length - after,
                shape,
                d + parts.length,
                after);
        return shape;
    }

    public static Tensor unsqueeze(Tensor x, int dim) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length + 1);
        int stride =
                d < TensorAccess.dims(x).length
                        ? TensorAccess.strides(x)[d] * TensorAccess.dims(x)[d]
                        : 1;
        return TensorAccess.alias(
                x,
                Shapes.with(TensorAccess.dims(x), d, 1),
                Shapes.with(TensorAccess.strides(x), d, stride));
    }

    public static Tensor squeeze(Tensor x, int dim) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        if (TensorAccess.dims(x).length == 0 || TensorAccess.dims(x)[d] != 1) {
            return x.detach();
        }
        return TensorAccess.alias(
                x,
                Shapes.without(TensorAccess.dims(x), d),
                Shapes.without(TensorAccess.strides(x), d));
    }

    public static Tensor squeeze(Tensor x) {
        int[] left =
                IntStream.range(0, TensorAccess.dims(x).length)
                        .filter(d -> TensorAccess.dims(x)[d] != 1)
                        .toArray();
        int[] shape = Arrays.stream(left).map(d -> TensorAccess.dims(x)[d]).toArray();
        int[] strides = Arrays.stream(left).map(d -> TensorAccess.strides(x)[d]).toArray();
        return TensorAccess.alias(x, shape, strides);
    }

    public static Tensor expand(Tensor x, int[] size) {
        int added = size.length - TensorAccess.dims(x).length;
        if (added < 0) {
            throw new IllegalArgumentException(
                    "expand(%s, size=%s): the number of sizes provided (%d) must be greater or equal to the number of dimensions in the tensor (%d)"
                            .formatted(
                                    TensorAccess.describe(x),
                                    Arrays.toString(size),
                                    size.length,
                                    TensorAccess.dims(x).length));
        }
        int[] shape = size.clone();
        for (int d = 0; d < shape.length; d++) {
            int own = d < added ? 1 : TensorAccess.dims(x)[d - added];
            boolean kept = size[d] == -1 && d >= added;
            shape[d] = kept ? own : size[d];
            if (shape[d] < 0 || (own != 1 && own != shape[d])) {
                throw expandError(x, size, d, own);
            }
        }
        return TensorAccess.alias(
                x,
                shape,
                Shapes.expandedStrides(TensorAccess.dims(x), TensorAccess.strides(x), shape));
    }

    private static IllegalArgumentException expandError(Tensor x, int[] size, int dim, int own) {
        return new IllegalArgumentException(
                dim < size.length - TensorAccess.dims(x).length
                        ? "The expanded size of the tensor (%d) isn't allowed in a leading, non-existing dimension %d.  Target sizes: %s.  Tensor sizes: %s"
                                .formatted(
                                        size[dim],
                                        dim,
                                        Arrays.toString(size),
                                        Arrays.toString(TensorAccess.dims(x)))
                        : "The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s"
                                .formatted(
                                        size[dim],
                                        own,
                                        dim,
                                        Arrays.toString(size),
                                        Arrays.toString(TensorAccess.dims(x))));
    }

    public static List<Tensor> broadcast(List<Tensor> tensors) {
        int[] shape = {};
        for (Tensor tensor : tensors) {
            shape = Shapes.broadcast(shape, TensorAccess.dims(tensor));
        }
        List<Tensor> results = new ArrayList<>(tensors.size());
        for (Tensor tensor : tensors) {
            results.add(Ops.expand(tensor, shape));
        }
        return List.copyOf(results);
    }
}
