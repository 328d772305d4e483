package org.gradwire.tensor.sparse;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.SparseStorage;
import org.gradwire.tensor.storage.Storage;

import java.util.Arrays;
import java.util.function.BiPredicate;

/** Construction, coalescing and conversion of sparse tensors. Without history. */
public final class SparseTensors {
    private static final int POSITION_BITS = 32;

    private SparseTensors() {}

    /** Return a sparse tensor of a user's indices and values; see {@link Tensor#sparseCoo}. */
    public static Tensor sparseCoo(Tensor indices, Tensor values, boolean coalesced, int[] shape) {
        int[] dims = shape.clone();
        Shapes.count(dims);
        checkShapes(indices, values, dims);
        checkRange(indices, dims);
        return TensorAccess.over(
                new SparseStorage(indices.detach(), values.detach(), coalesced), dims);
    }

    private static void checkShapes(Tensor indices, Tensor values, int[] shape) {
        checkMatrix(indices, values);
        int sparseDim = TensorAccess.dims(indices)[0];
        int denseDim = TensorAccess.dims(values).length - 1;
        if (sparseDim + denseDim != shape.length) {
            throw new IllegalArgumentException(
                    "number of dimensions must be sparseDim (%d) + denseDim (%d), but got %d: shape %s"
                            .formatted(sparseDim, denseDim, shape.length, Arrays.toString(shape)));
        }
        int[] expected = valueShape(TensorAccess.dims(indices)[1], shape, sparseDim);
        if (!Arrays.equals(expected, TensorAccess.dims(values))) {
            throw new IllegalArgumentException(
                    "values has incorrect size, expected %s, got %s"
                            .formatted(
                                    Arrays.toString(expected),
                                    Arrays.toString(TensorAccess.dims(values))));
        }
    }

    private static void checkMatrix(Tensor indices, Tensor values) {
        if (indices.isSparse() || values.isSparse()) {
            throw new IllegalArgumentException(
                    "expected dense indices and values; got %s and %s"
                            .formatted(indices.layout(), values.layout()));
        }
        if (indices.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "indices must be an int64 tensor, but got: " + TensorAccess.describe(indices));
        }
        if (TensorAccess.dims(indices).length != 2) {
            throw new IllegalArgumentException(
                    "indices must be sparseDim x nnz, but got: "
                            + Arrays.toString(TensorAccess.dims(indices)));
        }
        if (TensorAccess.dims(values).length == 0
                || TensorAccess.dims(values)[0] != TensorAccess.dims(indices)[1]) {
            throw new IllegalArgumentException(
                    "indices and values must have same nnz, but got nnz from indices: %d, values of shape %s"
                            .formatted(
                                    TensorAccess.dims(indices)[1],
                                    Arrays.toString(TensorAccess.dims(values))));
        }
    }

    private static void checkRange(Tensor indices, int[] shape) {
        long[] all = indices.toLongArray();
        int nnz = TensorAccess.dims(indices)[1];
        for (int i = 0; i < all.length; i++) {
            int dim = i / nnz;
            if (all[i] < 0) {
                throw new IllegalArgumentException(
                        "found negative index %d for dim %d".formatted(all[i], dim));
            }
            if (all[i] >= shape[dim]) {
                throw new IllegalArgumentException(
                        "size is inconsistent with indices: for dim %d, size is %d but found index %d"
                                .formatted(dim, shape[dim], all[i]));
            }
        }
    }

    /** {@return the smallest shape that contains some indices} */
    public static int[] smallestShape(Tensor indices, Tensor values) {
        checkMatrix(indices, values);
        int sparseDim = TensorAccess.dims(indices)[0];
        int nnz = TensorAccess.dims(indices)[1];
        int[] shape = new int[sparseDim + TensorAccess.dims(values).length - 1];
        System.arraycopy(
                TensorAccess.dims(values),
                1,
                shape,
                sparseDim,
                TensorAccess.dims(values).length - 1);
        long[] all = indices.toLongArray();
        for (int i = 0; i < all.length; i++) {
            shape[i / nnz] = Math.max(shape[i / nnz], Math.toIntExact(all[i] + 1));
        }
        return shape;
    }

    /** {@return a sparse tensor without elements} */
    public static Tensor empty(DType dtype, int[] shape, int sparseDim) {
        Tensor indices = Tensor.zeros(DType.INT64, sparseDim, 0);
        Tensor values = Tensor.zeros(dtype, valueShape(0, shape, sparseDim));
        return TensorAccess.over(new SparseStorage(indices, values, true), shape);
    }

    public static int[] valueShape(int nnz, int[] shape, int sparseDim) {
        int[] dims = new int[1 + shape.length - sparseDim];
        dims[0] = nnz;
        System.arraycopy(shape, sparseDim, dims, 1, dims.length - 1);
        return dims;
    }

    /** {@return a contiguous tensor over an array, which it owns} */
    static Tensor over(DType dtype, Object array, int... shape) {
        Storage storage = Storage.ofArray(dtype, array, Shapes.count(shape));
        return TensorAccess.view(storage, 0, shape, Shapes.strides(shape));
    }

    /** {@return the shape of the sparse dimensions} */
    static int[] sparseShape(Tensor x, SparseStorage held) {
        return Arrays.copyOf(TensorAccess.dims(x), held.sparseDim());
    }

    /** {@return the key of each column of indices: its row-major position in the shape} */
    public static int[] keys(Tensor indices, int[] shape) {
        long[] all = indices.toLongArray();
        int[] keys = new int[TensorAccess.dims(indices)[1]];
        for (int d = 0; d < TensorAccess.dims(indices)[0]; d++) {
            int row = d * keys.length;
            for (int i = 0; i < keys.length; i++) {
                keys[i] = keys[i] * shape[d] + (int) all[row + i];
            }
        }
        return keys;
    }

    static int[] keys(Tensor x, SparseStorage held) {
        return keys(held.indices(), TensorAccess.dims(x));
    }

    /** {@return the indices of keys; the inverse of {@link #keys(Tensor, int[])}} */
    static Tensor indices(int[] keys, int[] shape) {
        long[] all = new long[shape.length * keys.length];
        int[] rest = keys.clone();
        for (int d = shape.length - 1; d >= 0; d--) {
            int row = d * keys.length;
            for (int i = 0; i < keys.length; i++) {
                all[row + i] = rest[i] % shape[d];
                rest[i] /= shape[d];
            }
        }
        return over(DType.INT64, all, shape.length, keys.length);
    }

    public static Tensor coalesce(Tensor x) {
        SparseStorage held = SparseStorage.of(x, "coalesce");
        return held.coalesced() ? x : TensorAccess.over(merged(x, held), TensorAccess.dims(x));
    }

    /** Sort the columns by one number each, and sum the values of those that are equal. */
    private static SparseStorage merged(Tensor x, SparseStorage held) {
        long[] order = sorted(keys(x, held));
        int[] distinct = new int[order.length];
        int count = 0;
        for (long each : order) {
            int key = (int) (each >>> POSITION_BITS);
            if (count == 0 || distinct[count - 1] != key) {
                distinct[count++] = key;
            }
        }
        int[] keys = Arrays.copyOf(distinct, count);
        return new SparseStorage(
                indices(keys, sparseShape(x, held)),
                summed(held, order, valueShape(count, TensorAccess.dims(x), held.sparseDim())),
                true);
    }

    /** {@return keys in ascending order, each with its position in the lower half} */
    private static long[] sorted(int[] keys) {
        long[] order = new long[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = ((long) keys[i] << POSITION_BITS) | i;
        }
        Arrays.sort(order);
        return order;
    }

    private static <A> Tensor summed(SparseStorage held, long[] order, int[] shape) {
        Elements<A> elements = DTypeAccess.elements(held.dtype());
        int width = held.width();
        var rows = new BlockReader<>(elements, TensorAccess.strided(held.values()), width);
        A sums = elements.array(shape[0] * width);
        int at = -width;
        long before = -1;
        for (long each : order) {
            long key = each >>> POSITION_BITS;
            rows.load((int) each * width, width);
            if (key == before) {
                elements.addScaled(1, rows.array(), rows.offset(), sums, at, width);
            } else {
                at += width;
                System.arraycopy(rows.array(), rows.offset(), sums, at, width);
            }
            before = key;
        }
        return over(held.dtype(), sums, shape);
    }

    public static Tensor toDense(Tensor x) {
        SparseStorage held = SparseStorage.of(x, "toDense");
        Tensor dense = Tensor.zeros(x.dtype(), TensorAccess.dims(x));
        SparseArithmetic.addInto(dense, x, held, 1);
        return dense;
    }

    /** Convert to sparse: keep the nonzero elements, or the blocks of dense dimensions with one. */
    public static <A> Tensor toSparse(Tensor x, int sparseDim) {
        if (sparseDim == 0 && TensorAccess.dims(x).length > 0) {
            throw new IllegalArgumentException(
                    "sparseDim must be >0 if dimensionality > 0; got " + sparseDim);
        }
        if (sparseDim < 0 || sparseDim > TensorAccess.dims(x).length) {
            throw new IllegalArgumentException(
                    "sparseDim must be less than or equal to self.dim() (%d) and not negative; got %d"
                            .formatted(TensorAccess.dims(x).length, sparseDim));
        }
        int[] shape = Arrays.copyOf(TensorAccess.dims(x), sparseDim);
        int blocks = Shapes.count(shape);
        int width = blocks == 0 ? 0 : x.numel() / blocks;
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        var rows = new BlockReader<>(elements, TensorAccess.strided(x), width);
        int[] found = new int[blocks];
        int count = 0;
        for (int block = 0; block < blocks; block++) {
            rows.load(block * width, width);
            if (anyOther(elements, rows, width)) {
                found[count++] = block;
            }
        }
        int[] keys = Arrays.copyOf(found, count);
        Tensor values = gathered(x, keys, valueShape(count, TensorAccess.dims(x), sparseDim));
        return TensorAccess.over(
                new SparseStorage(indices(keys, shape), values, true), TensorAccess.dims(x));
    }

    private static <A> boolean anyOther(Elements<A> elements, BlockReader<A> rows, int width) {
        for (int i = 0; i < width; i++) {
            if (elements.getDouble(rows.array(), rows.offset() + i) != 0) {
                return true;
            }
        }
        return false;
    }

    /** {@return blocks of a dense tensor, of equal size, by keys; negative keys yield zeros} */
    static <A> Tensor gathered(Tensor dense, int[] keys, int[] shape) {
        int width = 1;
        for (int d = 1; d < shape.length; d++) {
            width *= shape[d];
        }
        Elements<A> elements = DTypeAccess.elements(dense.dtype());
        var rows = new BlockReader<>(elements, TensorAccess.strided(dense), width);
        A all = elements.array(keys.length * width);
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] >= 0) {
                rows.load(keys[i] * width, width);
                System.arraycopy(rows.array(), rows.offset(), all, i * width, width);
            }
        }
        return over(dense.dtype(), all, shape);
    }

    /** {@return the elements of a dense tensor at the indices of a sparse one, coalesced} */
    public static Tensor masked(Tensor dense, Tensor mask) {
        Tensor at = coalesce(mask);
        SparseStorage held = SparseStorage.of(at, "mask");
        return TensorAccess.over(
                new SparseStorage(held.indices(), at(dense, TensorAccess.dims(at), held), true),
                TensorAccess.dims(at));
    }

    /** {@return the elements of a dense tensor, broadcast to a shape, at indices} */
    static Tensor at(Tensor dense, int[] shape, SparseStorage held) {
        Tensor whole = Ops.expand(dense.detach(), shape);
        return gathered(
                whole,
                keys(held.indices(), shape),
                valueShape(held.nnz(), shape, held.sparseDim()));
    }

    /** {@return the values of a sparse tensor at keys of its sparse dimensions; zero elsewhere} */
    public static Tensor valuesAt(Tensor x, int[] keys) {
        Tensor sorted = coalesce(x);
        SparseStorage held = SparseStorage.of(sorted, "values");
        int[] own = keys(sorted, held);
        int[] positions = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            positions[i] = Arrays.binarySearch(own, keys[i]);
        }
        return gathered(
                held.values(),
                positions,
                valueShape(keys.length, TensorAccess.dims(x), held.sparseDim()));
    }

    /** {@return a coalesced tensor with the indices of another one} */
    public static Tensor withValues(Tensor coalesced, Tensor values) {
        SparseStorage held = SparseStorage.of(coalesced, "values");
        return TensorAccess.over(
                new SparseStorage(held.indices(), values, true), TensorAccess.dims(coalesced));
    }

    public static void checkCoalesced(SparseStorage held, String name) {
        if (!held.coalesced()) {
            throw new IllegalStateException(
                    "Cannot get %s on an uncoalesced tensor, please call .coalesce() first"
                            .formatted(name));
        }
    }

    /** {@return a gradient that may be sparse as a dense one} */
    public static Tensor densified(Tensor x) {
        return x.isSparse() ? toDense(x) : x;
    }

    /** Compare two tensors, of which one is sparse, coalesced. */
    public static boolean close(Tensor a, Tensor b, BiPredicate<Tensor, Tensor> same) {
        if (a.layout() != b.layout()) {
            return false;
        }
        SparseStorage left = SparseStorage.of(coalesce(a), "equal");
        SparseStorage right = SparseStorage.of(coalesce(b), "equal");
        return left.indices().equal(right.indices()) && same.test(left.values(), right.values());
    }
}
