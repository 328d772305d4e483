package org.gradwire.tensor.sparse;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.RowAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Promotion;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.SparseStorage;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Arithmetic of sparse tensors, with each other and with dense ones. Without history. */
public final class SparseArithmetic {

    private SparseArithmetic() {}

    /** Apply a zero-preserving function to all values. */
    public static Tensor map(Tensor x, UnaryOperator<Tensor> function) {
        SparseStorage held = SparseStorage.of(x, "map");
        Tensor values = function.apply(held.values());
        return TensorAccess.over(
                new SparseStorage(held.indices(), values, held.coalesced()), TensorAccess.dims(x));
    }

    public static Tensor cast(Tensor x, DType dtype) {
        return x.dtype() == dtype ? x : map(x, values -> Elementwise.cast(values, dtype));
    }

    public static Tensor copy(Tensor x) {
        SparseStorage held = SparseStorage.of(x, "copy");
        Tensor indices = Elementwise.copy(held.indices());
        Tensor values = Elementwise.copy(held.values());
        return TensorAccess.over(
                new SparseStorage(indices, values, held.coalesced()), TensorAccess.dims(x));
    }

    /** Add a multiple of a sparse tensor to another one, as if the columns of both were sorted. */
    public static Tensor add(Tensor a, Tensor b, Number alpha) {
        if (!a.isSparse()) {
            return addToCopy(a, b, alpha);
        }
        if (!b.isSparse()) {
            throw new IllegalArgumentException(
                    "add(sparse, dense) is not supported. Use add(dense, sparse) instead.");
        }
        if (!Arrays.equals(TensorAccess.dims(a), TensorAccess.dims(b))) {
            throw new IllegalArgumentException(
                    "add: expected sizes of 'self' and 'other' to match, but %s != %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(a)),
                                    Arrays.toString(TensorAccess.dims(b))));
        }
        DType dtype = Promotion.of(a, b);
        Tensor left = cast(a, dtype);
        Tensor right = cast(b, dtype);
        SparseStorage first = SparseStorage.of(left, "add");
        SparseStorage second = SparseStorage.of(right, "add");
        checkDensity("add", first, second);
        return TensorAccess.over(merged(left, first, right, second, alpha), TensorAccess.dims(a));
    }

    /** Subtract a sparse tensor. */
    public static Tensor sub(Tensor a, Tensor b) {
        var _ = Promotion.of(Binary.SUB, a, b); // which refuses bool
        return add(a, b, -1);
    }

    private static void checkDensity(String name, SparseStorage a, SparseStorage b) {
        if (a.sparseDim() != b.sparseDim()) {
            throw new IllegalArgumentException(
                    "%s: expected 'self' and 'other' to have same density, but 'self' has %d sparse dimensions while 'other' has %d sparse dimensions"
                            .formatted(name, a.sparseDim(), b.sparseDim()));
        }
    }

    private static Tensor addToCopy(Tensor dense, Tensor sparse, Number alpha) {
        DType dtype = Promotion.of(dense, sparse);
        Tensor sum =
                dense.dtype() == dtype ? Elementwise.copy(dense) : Elementwise.cast(dense, dtype);
        addInto(sum, sparse, SparseStorage.of(sparse, "add"), alpha);
        return sum;
    }

    /** Intersection of the columns of two sparse tensors, by a merge. */
    private static final class Walk {
        final int[] keys;
        final int[] fromA; // position in a, or -1
        final int[] fromB;
        int count;

        Walk(int most) {
            keys = new int[most];
            fromA = new int[most];
            fromB = new int[most];
        }

        static Walk along(int[] a, int[] b) {
            var walk = new Walk(a.length + b.length);
            int i = 0;
            int j = 0;
            while (i < a.length || j < b.length) {
                boolean takeA = j == b.length || (i < a.length && a[i] <= b[j]);
                boolean takeB = i == a.length || (j < b.length && b[j] <= a[i]);
                walk.keys[walk.count] = takeA ? a[i] : b[j];
                walk.fromA[walk.count] = takeA ? i++ : -1;
                walk.fromB[walk.count++] = takeB ? j++ : -1;
            }
            return walk;
        }
    }

    private static SparseStorage merged(
            Tensor a, SparseStorage first, Tensor b, SparseStorage second, Number alpha) {
        Walk walk = Walk.along(SparseTensors.keys(a, first), SparseTensors.keys(b, second));
        int[] keys = Arrays.copyOf(walk.keys, walk.count);
        return new SparseStorage(
                SparseTensors.indices(keys, SparseTensors.sparseShape(a, first)),
                sums(
                        walk,
                        first,
                        second,
                        alpha,
                        SparseTensors.valueShape(
                                walk.count, TensorAccess.dims(a), first.sparseDim())),
                first.coalesced() && second.coalesced());
    }

    private static <A> Tensor sums(
            Walk walk, SparseStorage a, SparseStorage b, Number alpha, int[] shape) {
        Elements<A> elements = DTypeAccess.elements(a.dtype());
        int width = a.width();
        var left = new BlockReader<>(elements, TensorAccess.strided(a.values()), width);
        var right = new BlockReader<>(elements, TensorAccess.strided(b.values()), width);
        A sums = elements.array(walk.count * width);
        for (int i = 0, at = 0; i < walk.count; i++, at += width) {
            if (walk.fromA[i] >= 0) {
                left.load(walk.fromA[i] * width, width);
                System.arraycopy(left.array(), left.offset(), sums, at, width);
            }
            if (walk.fromB[i] >= 0) {
                right.load(walk.fromB[i] * width, width);
                elements.addScaled(alpha, right.array(), right.offset(), sums, at, width);
            }
        }
        return SparseTensors.over(a.dtype(), sums, shape);
    }

    /** Add a multiple of a sparse tensor to a dense one in place. */
    public static <A> void addInto(Tensor dense, Tensor sparse, SparseStorage held, Number alpha) {
        if (!Arrays.equals(TensorAccess.dims(dense), TensorAccess.dims(sparse))) {
            throw new IllegalArgumentException(
                    "add: expected 'self' and 'other' to have same size, but self has size %s while other has size %s (FYI: dense-sparse addition does not currently support broadcasting)"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(dense)),
                                    Arrays.toString(TensorAccess.dims(sparse))));
        }
        Elements<A> elements = DTypeAccess.elements(dense.dtype());
        int width = held.width();
        Tensor values = Elementwise.cast(held.values(), dense.dtype());
        var rows = new BlockReader<>(elements, TensorAccess.strided(values), width);
        var target = new RowAccess<>(elements, TensorAccess.strided(dense), width);
        int[] keys = SparseTensors.keys(sparse, held);
        for (int i = 0; i < keys.length; i++) {
            rows.load(i * width, width);
            target.add(alpha, rows.array(), rows.offset(), keys[i]);
        }
        TensorAccess.storage(dense).changed();
    }

    /** Multiply sparse tensors, or a sparse one and one that broadcasts to its shape. */
    public static Tensor mul(Tensor a, Tensor b) {
        if (a.isSparse() && b.isSparse()) {
            return mulSparse(a, b);
        }
        Tensor sparse = a.isSparse() ? a : b;
        Tensor dense = a.isSparse() ? b : a;
        if (!Arrays.equals(
                Shapes.broadcast(TensorAccess.dims(dense), TensorAccess.dims(sparse)),
                TensorAccess.dims(sparse))) {
            throw new IllegalArgumentException(
                    "mul: a dense factor must broadcast to the shape of the sparse one; the shapes are %s and %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(dense)),
                                    Arrays.toString(TensorAccess.dims(sparse))));
        }
        SparseStorage held = SparseStorage.of(sparse, "mul");
        if (TensorAccess.dims(dense).length == 0) {
            return map(sparse, values -> Elementwise.binary(Binary.MUL, values, dense));
        }
        Tensor factors = SparseTensors.at(dense, TensorAccess.dims(sparse), held);
        return map(sparse, values -> Elementwise.binary(Binary.MUL, values, factors));
    }

    private static Tensor mulSparse(Tensor a, Tensor b) {
        if (!Arrays.equals(TensorAccess.dims(a), TensorAccess.dims(b))) {
            throw new IllegalArgumentException(
                    "mul: expected 'self' and 'other' to have same sizes, but %s != %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(a)),
                                    Arrays.toString(TensorAccess.dims(b))));
        }
        Tensor left = SparseTensors.coalesce(a);
        Tensor right = SparseTensors.coalesce(b);
        SparseStorage first = SparseStorage.of(left, "mul");
        SparseStorage second = SparseStorage.of(right, "mul");
        checkDensity("mul", first, second);
        Walk walk = Walk.along(SparseTensors.keys(left, first), SparseTensors.keys(right, second));
        int common = 0;
        for (int i = 0; i < walk.count; i++) {
            if (walk.fromA[i] >= 0 && walk.fromB[i] >= 0) {
                walk.keys[common] = walk.keys[i];
                walk.fromA[common] = walk.fromA[i];
                walk.fromB[common++] = walk.fromB[i];
            }
        }
        int[] shape = SparseTensors.valueShape(common, TensorAccess.dims(a), first.sparseDim());
        Tensor values =
                Elementwise.binary(
                        Binary.MUL,
                        SparseTensors.gathered(
                                first.values(), Arrays.copyOf(walk.fromA, common), shape),
                        SparseTensors.gathered(
                                second.values(), Arrays.copyOf(walk.fromB, common), shape));
        Tensor indices =
                SparseTensors.indices(
                        Arrays.copyOf(walk.keys, common), SparseTensors.sparseShape(a, first));
        return TensorAccess.over(new SparseStorage(indices, values, true), TensorAccess.dims(a));
    }
}
