package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Concatenation rules, {@code stack} and {@code cat}, and their gradients. */
public final class JoinRules {
    public static Tensor stack(List<Tensor> tensors, int dim) {
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException("stack expects a non-empty TensorList");
        }
        int[] shape = TensorAccess.dims(tensors.getFirst());
        int d = Shapes.dimension(dim, shape.length + 1);
        DType dtype = commonType(tensors);
        Tensor result = TensorAccess.fresh(dtype, Shapes.with(shape, d, tensors.size()));
        for (int i = 0; i < tensors.size(); i++) {
            Tensor tensor = tensors.get(i);
            if (!Arrays.equals(shape, TensorAccess.dims(tensor))) {
                throw new IllegalArgumentException(
                        "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d"
                                .formatted(
                                        Arrays.toString(shape),
                                        Arrays.toString(TensorAccess.dims(tensor)),
                                        i));
            }
            Elementwise.copyInto(SliceRules.select(result, d, i), tensor);
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

    public static @Nullable Tensor[] stackGradients(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[saved.inputs()];
        Tensor gradient = gradients[0];
        int dim = saved.args().integer(1);
        for (int i = 0; i < results.length && gradient != null; i++) {
            results[i] = saved.needs(i) ? SliceRules.select(gradient, dim, i) : null;
        }
        return results;
    }

    public static Tensor cat(List<Tensor> tensors, int dim) {
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException("cat: expected a non-empty list of tensors");
        }
        checkJoined(tensors);
        int[] first = joined(tensors);
        if (isPassedOver(first)) {
            return TensorAccess.fresh(commonType(tensors), first);
        }
        int d = Shapes.dimension(dim, first.length);
        int[] shape = first.clone();
        shape[d] = 0;
        for (int i = 0; i < tensors.size(); i++) {
            int[] dims = TensorAccess.dims(tensors.get(i));
            shape[d] += isPassedOver(dims) ? 0 : checkedSize(tensors.get(i), i, first, d);
        }
        Tensor result = TensorAccess.fresh(commonType(tensors), shape);
        int at = 0;
        for (Tensor tensor : tensors) {
            if (!isPassedOver(TensorAccess.dims(tensor))) {
                Elementwise.copyInto(
                        SliceRules.narrow(result, d, at, TensorAccess.dims(tensor)[d]), tensor);
                at += TensorAccess.dims(tensor)[d];
            }
        }
        return result;
    }

    /** {@return whether concatenation skips a tensor, as PyTorch does with empty vectors} */
    private static boolean isPassedOver(int[] shape) {
        return shape.length == 1 && shape[0] == 0;
    }

    /** {@return the first shape that is not skipped; that of an empty vector if all are} */
    private static int[] joined(List<Tensor> tensors) {
        for (Tensor tensor : tensors) {
            if (!isPassedOver(TensorAccess.dims(tensor))) {
                return TensorAccess.dims(tensor);
            }
        }
        return TensorAccess.dims(tensors.getFirst());
    }

    /** Check that tensors have dimensions to concatenate along. */
    public static void checkJoined(List<Tensor> tensors) {
        for (int i = 0; i < tensors.size(); i++) {
            if (TensorAccess.dims(tensors.get(i)).length == 0) {
                throw new IllegalArgumentException(
                        "zero-dimensional tensor (at position %d) cannot be concatenated"
                                .formatted(i));
            }
        }
    }

    public static int checkedSize(Tensor tensor, int position, int[] first, int dim) {
        boolean fits = TensorAccess.dims(tensor).length == first.length;
        for (int d = 0; d < first.length && fits; d++) {
            fits = d == dim || TensorAccess.dims(tensor)[d] == first[d];
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "Sizes of tensors must match except in dimension %d. Expected %s but got %s for tensor number %d in the list."
                            .formatted(
                                    dim,
                                    Arrays.toString(first),
                                    Arrays.toString(TensorAccess.dims(tensor)),
                                    position));
        }
        return TensorAccess.dims(tensor)[dim];
    }

    public static @Nullable Tensor[] catGradients(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[saved.inputs()];
        Tensor gradient = gradients[0];
        int at = 0;
        for (int i = 0; i < results.length && gradient != null; i++) {
            if (isPassedOver(saved.shape(i))) {
                results[i] = saved.needs(i) ? Tensor.zeros(gradient.dtype(), 0) : null;
                continue;
            }
            int dim = Shapes.dimension(saved.args().integer(1), TensorAccess.dims(gradient).length);
            int size = saved.shape(i)[dim];
            results[i] = saved.needs(i) ? SliceRules.narrow(gradient, dim, at, size) : null;
            at += size;
        }
        return results;
    }

    private JoinRules() {}
}
