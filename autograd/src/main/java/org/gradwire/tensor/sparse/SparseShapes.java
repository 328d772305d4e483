package org.gradwire.tensor.sparse;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.JoinRules;
import org.gradwire.tensor.rule.SliceRules;
import org.gradwire.tensor.rule.ViewRules;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.SparseStorage;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Slices and concatenations of sparse tensors. Without history. */
public final class SparseShapes {

    private SparseShapes() {}

    /** Add a dimension of extent 1, which is sparse where it can be. */
    static Tensor unsqueeze(Tensor x, int d) {
        return unsqueeze(x, d, d > SparseStorage.of(x, "unsqueeze").sparseDim());
    }

    private static Tensor unsqueeze(Tensor x, int d, boolean dense) {
        SparseStorage held = SparseStorage.of(x, "unsqueeze");
        int[] shape = Shapes.with(TensorAccess.dims(x), d, 1);
        if (dense) {
            Tensor values = ViewRules.unsqueeze(held.values(), valueDim(d, held));
            return TensorAccess.over(
                    new SparseStorage(held.indices(), values, held.coalesced()), shape);
        }
        Tensor row = Tensor.zeros(DType.INT64, 1, held.nnz());
        Tensor indices =
                JoinRules.cat(
                        List.of(
                                SliceRules.narrow(held.indices(), 0, 0, d),
                                row,
                                SliceRules.narrow(held.indices(), 0, d, held.sparseDim() - d)),
                        0);
        return TensorAccess.over(
                new SparseStorage(indices, held.values(), held.coalesced()), shape);
    }

    /** {@return which dimension of the values a dense dimension is} */
    private static int valueDim(int dim, SparseStorage held) {
        return dim - held.sparseDim() + 1;
    }

    public static Tensor stack(List<Tensor> tensors, int dim) {
        checkAllSparse(tensors);
        Tensor first = tensors.getFirst();
        int d = Shapes.dimension(dim, TensorAccess.dims(first).length + 1);
        List<Tensor> slices = new ArrayList<>();
        for (int i = 0; i < tensors.size(); i++) {
            Tensor tensor = tensors.get(i);
            if (!Arrays.equals(TensorAccess.dims(first), TensorAccess.dims(tensor))) {
                throw new IllegalArgumentException(
                        "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d"
                                .formatted(
                                        Arrays.toString(TensorAccess.dims(first)),
                                        Arrays.toString(TensorAccess.dims(tensor)),
                                        i));
            }
            slices.add(unsqueeze(tensor, d));
        }
        return cat(slices, d);
    }

    private static void checkAllSparse(List<Tensor> tensors) {
        for (int i = 0; i < tensors.size(); i++) {
            if (!tensors.get(i).isSparse()) {
                throw new IllegalArgumentException(
                        "Concatenating sparse tensors, but a dense tensor was found at position %d."
                                .formatted(i));
            }
        }
    }

    public static Tensor cat(List<Tensor> tensors, int dim) {
        checkAllSparse(tensors);
        Tensor first = tensors.getFirst();
        JoinRules.checkJoined(tensors);
        int d = Shapes.dimension(dim, TensorAccess.dims(first).length);
        int sparseDim = SparseStorage.of(first, "cat").sparseDim();
        int[] shape = TensorAccess.dims(first).clone();
        shape[d] = 0;
        for (int i = 0; i < tensors.size(); i++) {
            Tensor tensor = tensors.get(i);
            shape[d] += JoinRules.checkedSize(tensor, i, TensorAccess.dims(first), d);
            if (SparseStorage.of(tensor, "cat").sparseDim() != sparseDim) {
                throw new IllegalArgumentException(
                        "All tensors must have the same number of sparseDim as the first tensor, %d; the one at position %d has %d"
                                .formatted(sparseDim, i, tensor.sparseDim()));
            }
        }
        Shapes.count(shape);
        List<Tensor> indices = new ArrayList<>();
        List<Tensor> values = new ArrayList<>();
        int start = 0;
        for (Tensor tensor : tensors) {
            SparseStorage held = SparseStorage.of(tensor, "cat");
            indices.add(d < sparseDim ? shifted(held.indices(), d, start) : held.indices());
            values.add(
                    d < sparseDim
                            ? held.values()
                            : padded(held.values(), valueDim(d, held), start, shape[d]));
            start += TensorAccess.dims(tensor)[d];
        }
        return TensorAccess.over(
                new SparseStorage(JoinRules.cat(indices, 1), JoinRules.cat(values, 0), false),
                shape);
    }

    /** {@return indices with a number added to those of one dimension} */
    private static Tensor shifted(Tensor indices, int dim, int by) {
        Tensor moved = Elementwise.copy(indices);
        Tensor row = SliceRules.select(moved, 0, dim);
        Elementwise.addInPlace(row, Tensor.scalar((long) by), 1);
        return moved;
    }

    /** {@return values as a part of a wider dimension, which is zero otherwise} */
    private static Tensor padded(Tensor values, int dim, int start, int size) {
        int[] shape = TensorAccess.dims(values).clone();
        shape[dim] = size;
        Tensor wide = Tensor.zeros(values.dtype(), shape);
        Elementwise.copyInto(
                SliceRules.narrow(wide, dim, start, TensorAccess.dims(values)[dim]), values);
        return wide;
    }

    public static Tensor narrow(Tensor x, int dim, int start, int length) {
        SparseStorage held = SparseStorage.of(x, "narrow");
        SliceRules.checkNarrowed(x);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int first = start < 0 ? start + TensorAccess.dims(x)[d] : start;
        if (first < 0 || length < 0 || first > TensorAccess.dims(x)[d] - length) {
            throw new IndexOutOfBoundsException(
                    "start (%d) + length (%d) exceeds dimension size (%d)."
                            .formatted(start, length, TensorAccess.dims(x)[d]));
        }
        int[] shape = TensorAccess.dims(x).clone();
        shape[d] = length;
        if (d >= held.sparseDim()) {
            Tensor values = SliceRules.narrow(held.values(), valueDim(d, held), first, length);
            return TensorAccess.over(
                    new SparseStorage(held.indices(), values, held.coalesced()), shape);
        }
        SparseStorage part = within(held, d, first, length);
        Tensor indices = shifted(part.indices(), d, -first);
        return TensorAccess.over(
                new SparseStorage(indices, part.values(), held.coalesced()), shape);
    }

    /** {@return the columns whose index of a dimension is in a range} */
    private static SparseStorage within(SparseStorage held, int dim, int first, int length) {
        long[] row = SliceRules.select(held.indices(), 0, dim).toLongArray();
        int[] chosen = new int[row.length];
        int count = 0;
        for (int i = 0; i < row.length; i++) {
            if (row[i] >= first && row[i] < first + length) {
                chosen[count++] = i;
            }
        }
        int[] columns = Arrays.copyOf(chosen, count);
        Tensor transposed = TensorAccess.transposed(held.indices());
        Tensor indices =
                SparseTensors.gathered(transposed, columns, new int[] {count, held.sparseDim()});
        int[] shape = TensorAccess.dims(held.values()).clone();
        shape[0] = count;
        Tensor values = SparseTensors.gathered(held.values(), columns, shape);
        return new SparseStorage(TensorAccess.transposed(indices), values, held.coalesced());
    }

    public static Tensor select(Tensor x, int dim, int index) {
        SparseStorage held = SparseStorage.of(x, "select");
        SliceRules.checkSelected(x);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int i = index < 0 ? index + TensorAccess.dims(x)[d] : index;
        if (i < 0 || i >= TensorAccess.dims(x)[d]) {
            throw new IndexOutOfBoundsException(
                    "select(): index %d out of range for tensor of size %s at dimension %d"
                            .formatted(index, Arrays.toString(TensorAccess.dims(x)), d));
        }
        int[] shape = Shapes.without(TensorAccess.dims(x), d);
        if (d >= held.sparseDim()) {
            Tensor values = SliceRules.select(held.values(), valueDim(d, held), i);
            return TensorAccess.over(
                    new SparseStorage(held.indices(), values, held.coalesced()), shape);
        }
        SparseStorage part = within(held, d, i, 1);
        return TensorAccess.over(
                new SparseStorage(withoutRow(part.indices(), d), part.values(), held.coalesced()),
                shape);
    }

    private static Tensor withoutRow(Tensor indices, int row) {
        int after = row + 1;
        return JoinRules.cat(
                List.of(
                        SliceRules.narrow(indices, 0, 0, row),
                        SliceRules.narrow(
                                indices, 0, after, TensorAccess.dims(indices)[0] - after)),
                0);
    }

    /** Return zeros of a shape in which a part of one dimension, from an index on, is a tensor. */
    static Tensor intoZeros(Tensor part, int[] shape, int dim, int start) {
        SparseStorage held = SparseStorage.of(part, "narrow");
        if (dim < held.sparseDim()) {
            Tensor indices = shifted(held.indices(), dim, start);
            return TensorAccess.over(
                    new SparseStorage(indices, held.values(), held.coalesced()), shape);
        }
        Tensor values = padded(held.values(), valueDim(dim, held), start, shape[dim]);
        return TensorAccess.over(
                new SparseStorage(held.indices(), values, held.coalesced()), shape);
    }

    public static Tensor narrowGradient(Saved saved, Tensor gradient) {
        int[] shape = saved.shape(0);
        int dim = Shapes.dimension(saved.args().integer(1), shape.length);
        int start = saved.args().integer(2);
        return intoZeros(gradient, shape, dim, start < 0 ? start + shape[dim] : start);
    }

    public static Tensor selectGradient(Saved saved, Tensor gradient) {
        int[] shape = saved.shape(0);
        int dim = Shapes.dimension(saved.args().integer(1), shape.length);
        int index = saved.args().integer(2);
        boolean dense = dim >= saved.input(0).sparseDim();
        Tensor slice = unsqueeze(gradient, dim, dense);
        return intoZeros(slice, shape, dim, index < 0 ? index + shape[dim] : index);
    }

    public static @Nullable Tensor[] stackGradients(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[saved.inputs()];
        Tensor gradient = gradients[0];
        for (int i = 0; i < results.length && gradient != null; i++) {
            results[i] = saved.needs(i) ? select(gradient, saved.args().integer(1), i) : null;
        }
        return results;
    }

    public static @Nullable Tensor[] catGradients(Saved saved, @Nullable Tensor[] gradients) {
        var results = new @Nullable Tensor[saved.inputs()];
        Tensor gradient = gradients[0];
        int dim = Shapes.dimension(saved.args().integer(1), saved.shape(0).length);
        int start = 0;
        for (int i = 0; i < results.length && gradient != null; i++) {
            int size = saved.shape(i)[dim];
            results[i] = saved.needs(i) ? narrow(gradient, dim, start, size) : null;
            start += size;
        }
        return results;
    }
}
