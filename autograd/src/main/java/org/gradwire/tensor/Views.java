package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Forward rules that arrange elements, and the gradients that need more than a line. */
final class Views {

    private Views() {}

    static Tensor transpose(Tensor x, int dim0, int dim1) {
        int a = Shapes.dimension(dim0, x.dims.length);
        int b = Shapes.dimension(dim1, x.dims.length);
        int[] order = new int[x.dims.length];
        Arrays.setAll(order, d -> d == a ? b : d == b ? a : d);
        return x.permuted(order);
    }

    static Tensor t(Tensor x) {
        if (x.dims.length > 2) {
            throw new IllegalArgumentException(
                    "t() expects a tensor with <= 2 dimensions, but self is "
                            + x.dims.length
                            + "D");
        }
        return x.dims.length < 2 ? x.detach() : x.transposed();
    }

    static Tensor view(Tensor x, int[] size) {
        int[] shape = Shapes.inferred(size, x.numel());
        int[] strides = Shapes.viewStrides(x.dims, x.strides, shape);
        if (strides == null) {
            throw new IllegalArgumentException(
                    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead; %s with strides %s as %s"
                            .formatted(
                                    x.describe(),
                                    Arrays.toString(x.strides),
                                    Arrays.toString(shape)));
        }
        return x.alias(shape, strides);
    }

    static Tensor reshape(Tensor x, int[] size) {
        return x.reshaped(Shapes.inferred(size, x.numel()));
    }

    static Tensor unsqueeze(Tensor x, int dim) {
        int d = Shapes.dimension(dim, x.dims.length + 1);
        int stride = d < x.dims.length ? x.strides[d] * x.dims[d] : 1;
        return x.alias(Shapes.with(x.dims, d, 1), Shapes.with(x.strides, d, stride));
    }

    static Tensor squeeze(Tensor x, int dim) {
        int d = Shapes.dimension(dim, x.dims.length);
        if (x.dims.length == 0 || x.dims[d] != 1) {
            return x.detach();
        }
        return x.alias(Shapes.without(x.dims, d), Shapes.without(x.strides, d));
    }

    static Tensor expand(Tensor x, int[] size) {
        int added = size.length - x.dims.length;
        if (added < 0) {
            throw new IllegalArgumentException(
                    "expand(%s, size=%s): the number of sizes provided (%d) must be greater or equal to the number of dimensions in the tensor (%d)"
                            .formatted(
                                    x.describe(),
                                    Arrays.toString(size),
                                    size.length,
                                    x.dims.length));
        }
        int[] shape = size.clone();
        for (int d = 0; d < shape.length; d++) {
            int own = d < added ? 1 : x.dims[d - added];
            boolean kept = size[d] == -1 && d >= added;
            shape[d] = kept ? own : size[d];
            if (shape[d] < 0 || (own != 1 && own != shape[d])) {
                throw expandError(x, size, d, own);
            }
        }
        return x.alias(shape, Shapes.expandedStrides(x, shape));
    }

    private static IllegalArgumentException expandError(Tensor x, int[] size, int dim, int own) {
        return new IllegalArgumentException(
                dim < size.length - x.dims.length
                        ? "The expanded size of the tensor (%d) isn't allowed in a leading, non-existing dimension %d.  Target sizes: %s.  Tensor sizes: %s"
                                .formatted(
                                        size[dim],
                                        dim,
                                        Arrays.toString(size),
                                        Arrays.toString(x.dims))
                        : "The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s"
                                .formatted(
                                        size[dim],
                                        own,
                                        dim,
                                        Arrays.toString(size),
                                        Arrays.toString(x.dims)));
    }

    static Tensor narrow(Tensor x, int dim, int start, int length) {
        checkNarrowed(x);
        int d = Shapes.dimension(dim, x.dims.length);
        int size = x.size(dim);
        int first = start < 0 ? start + size : start;
        if (first < 0 || length < 0 || first > size - length) {
            throw new IndexOutOfBoundsException(
                    "start (%d) + length (%d) exceeds dimension size (%d)."
                            .formatted(start, length, size));
        }
        int[] shape = x.dims.clone();
        shape[d] = length;
        return x.alias(shape, x.strides, x.offset + first * x.strides[d]);
    }

    /** Check that a tensor has a dimension of which a part can be taken. */
    static void checkNarrowed(Tensor x) {
        if (x.dims.length == 0) {
            throw new IllegalArgumentException("narrow() cannot be applied to a 0-dim tensor.");
        }
    }

    /** Check that a tensor has a dimension that can be taken away. */
    static void checkSelected(Tensor x) {
        if (x.dims.length == 0) {
            throw new IndexOutOfBoundsException("select() cannot be applied to a 0-dim tensor.");
        }
    }

    static Tensor select(Tensor x, int dim, int index) {
        checkSelected(x);
        int d = Shapes.dimension(dim, x.dims.length);
        int i = index < 0 ? index + x.dims[d] : index;
        if (i < 0 || i >= x.dims[d]) {
            throw new IndexOutOfBoundsException(
                    "select(): index %d out of range for tensor of size %s at dimension %d"
                            .formatted(index, Arrays.toString(x.dims), d));
        }
        return x.alias(
                Shapes.without(x.dims, d),
                Shapes.without(x.strides, d),
                x.offset + i * x.strides[d]);
    }

    /** Return zeros in which the part that was taken holds the gradient. */
    static Tensor intoZeros(Tensor gradient, int[] shape, UnaryOperator<Tensor> part) {
        Tensor whole = Tensor.zeros(gradient.dtype(), shape);
        Elementwise.copyInto(part.apply(whole), gradient);
        return whole;
    }

    static Tensor stack(List<Tensor> tensors, int dim) {
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException("stack expects a non-empty TensorList");
        }
        int[] shape = tensors.getFirst().dims;
        int d = Shapes.dimension(dim, shape.length + 1);
        DType dtype = commonType(tensors);
        Tensor result = Tensor.fresh(dtype, Shapes.with(shape, d, tensors.size()));
        for (int i = 0; i < tensors.size(); i++) {
            Tensor tensor = tensors.get(i);
            if (!Arrays.equals(shape, tensor.dims)) {
                throw new IllegalArgumentException(
                        "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d"
                                .formatted(
                                        Arrays.toString(shape), Arrays.toString(tensor.dims), i));
            }
            Elementwise.copyInto(select(result, d, i), tensor);
        }
        return result;
    }

    private static DType commonType(List<Tensor> tensors) {
        DType dtype = tensors.getFirst().dtype();
        for (Tensor tensor : tensors) {
            dtype = dtype.promote(tensor.dtype());
        }
        return dtype;
    }

    static @Nullable Tensor[] stackGradients(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[saved.inputs()];
        Tensor gradient = gradients[0];
        int dim = saved.args().integer(1);
        for (int i = 0; i < results.length && gradient != null; i++) {
            results[i] = saved.needs(i) ? select(gradient, dim, i) : null;
        }
        return results;
    }

    static Tensor cat(List<Tensor> tensors, int dim) {
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException("torch.cat(): expected a non-empty list of Tensors");
        }
        checkJoined(tensors);
        int[] first = joined(tensors);
        if (isPassedOver(first)) {
            return Tensor.fresh(commonType(tensors), first);
        }
        int d = Shapes.dimension(dim, first.length);
        int[] shape = first.clone();
        shape[d] = 0;
        for (int i = 0; i < tensors.size(); i++) {
            int[] dims = tensors.get(i).dims;
            shape[d] += isPassedOver(dims) ? 0 : checkedSize(tensors.get(i), i, first, d);
        }
        Tensor result = Tensor.fresh(commonType(tensors), shape);
        int at = 0;
        for (Tensor tensor : tensors) {
            if (!isPassedOver(tensor.dims)) {
                Elementwise.copyInto(narrow(result, d, at, tensor.dims[d]), tensor);
                at += tensor.dims[d];
            }
        }
        return result;
    }

    /** {@return whether joining passes a tensor over, as PyTorch does with empty vectors} */
    private static boolean isPassedOver(int[] shape) {
        return shape.length == 1 && shape[0] == 0;
    }

    /** {@return the first shape that is not passed over; that of an empty vector if all are} */
    private static int[] joined(List<Tensor> tensors) {
        for (Tensor tensor : tensors) {
            if (!isPassedOver(tensor.dims)) {
                return tensor.dims;
            }
        }
        return tensors.getFirst().dims;
    }

    /** Check that tensors have dimensions along which they can be joined. */
    static void checkJoined(List<Tensor> tensors) {
        for (int i = 0; i < tensors.size(); i++) {
            if (tensors.get(i).dims.length == 0) {
                throw new IllegalArgumentException(
                        "zero-dimensional tensor (at position %d) cannot be concatenated"
                                .formatted(i));
            }
        }
    }

    static int checkedSize(Tensor tensor, int position, int[] first, int dim) {
        boolean fits = tensor.dims.length == first.length;
        for (int d = 0; d < first.length && fits; d++) {
            fits = d == dim || tensor.dims[d] == first[d];
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "Sizes of tensors must match except in dimension %d. Expected %s but got %s for tensor number %d in the list."
                            .formatted(
                                    dim,
                                    Arrays.toString(first),
                                    Arrays.toString(tensor.dims),
                                    position));
        }
        return tensor.dims[dim];
    }

    static @Nullable Tensor[] catGradients(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[saved.inputs()];
        Tensor gradient = gradients[0];
        int at = 0;
        for (int i = 0; i < results.length && gradient != null; i++) {
            if (isPassedOver(saved.shape(i))) {
                results[i] = saved.needs(i) ? Tensor.zeros(gradient.dtype(), 0) : null;
                continue;
            }
            int dim = Shapes.dimension(saved.args().integer(1), gradient.dims.length);
            int size = saved.shape(i)[dim];
            results[i] = saved.needs(i) ? narrow(gradient, dim, at, size) : null;
            at += size;
        }
        return results;
    }

    static List<Tensor> split(Tensor x, int size, int dim) {
        Slices.requireDimension(x, "split");
        if (size <= 0) {
            throw new IllegalArgumentException(
                    "split expects split_size be positive, but got split_size=" + size);
        }
        int whole = x.size(dim);
        List<Tensor> parts = new ArrayList<>();
        for (int at = 0; at < whole || parts.isEmpty(); at += size) {
            parts.add(narrow(x, dim, at, Math.min(size, whole - at)));
        }
        return List.copyOf(parts);
    }

    static @Nullable Tensor[] splitGradient(Saved saved, @Nullable Tensor[] gradients) {
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
}
