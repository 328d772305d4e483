package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.GatherScatter;
import org.gradwire.tensor.kernel.GatherScatter.Bounds;
import org.gradwire.tensor.kernel.GatherScatter.Operand;
import org.gradwire.tensor.kernel.RowAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceTables;
import org.gradwire.tensor.storage.Shapes;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Gather, scatter and index rules. A scalar counts as a vector of one. */
public final class GatherScatterRules {
    /** Minimum row length for whole-row copies. */
    private static final int WIDE_ROW = 8;

    private GatherScatterRules() {}

    /** {@return a view with at least one dimension} */
    private static Tensor dimensioned(Tensor x) {
        return TensorAccess.dims(x).length == 0 ? TensorAccess.viewAs(x, 1) : x;
    }

    private static Bounds bounds(Tensor x, int dim) {
        int size = TensorAccess.dims(x)[dim];
        return new Bounds(size, number -> outOfBounds("", number, dim, size));
    }

    /** Check an index that a kernel of a device does not check. */
    private static void checkOnDevice(Tensor index, int dim, int size) {
        if (!index.device().isCpu()) {
            checked(index, dim, size, "");
        }
    }

    /** {@return the values of an index, checked against a dimension} */
    private static long[] checked(Tensor index, int dim, int size, String prefix) {
        long[] numbers = index.toLongArray();
        for (long number : numbers) {
            if (number < 0 || number >= size) {
                throw outOfBounds(prefix, number, dim, size);
            }
        }
        return numbers;
    }

    private static IndexOutOfBoundsException outOfBounds(
            String prefix, long number, int dim, int size) {
        return new IndexOutOfBoundsException(
                "%sindex %d is out of bounds for dimension %d with size %d"
                        .formatted(prefix, number, dim, size));
    }

    private static void requireIndexType(String name, Tensor index) {
        if (index.dtype() != DType.INT64) {
            throw new IllegalArgumentException(
                    "%s(): Expected dtype int64 for index, got %s"
                            .formatted(name, TensorAccess.describe(index)));
        }
    }

    // ---- One index for each row.

    public static Tensor select(Tensor self, int dim, Tensor index) {
        requireIndexType("index_select", index);
        if (TensorAccess.dims(index).length > 1) {
            throw new IllegalArgumentException(
                    "index_select(): Index is supposed to be a vector, got "
                            + TensorAccess.describe(index));
        }
        Tensor x = dimensioned(self);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        long[] numbers = checked(index, d, TensorAccess.dims(x)[d], "index out of range in self: ");
        if (TensorAccess.dims(self).length == 0 && numbers.length != 1) {
            throw new IllegalArgumentException(
                    "index_select(): Index to scalar can have only 1 value, got %d value(s)"
                            .formatted(numbers.length));
        }
        Tensor there = DeviceTables.slices(x, d, index);
        Tensor rows = there == null ? rows(x, d, numbers) : there;
        return TensorAccess.dims(self).length == 0 ? TensorAccess.viewAs(rows) : rows;
    }

    private static Operand operand(Tensor x) {
        return new Operand(TensorAccess.base(x), TensorAccess.offset(x), TensorAccess.strides(x));
    }

    private static Tensor rows(Tensor x, int dim, long[] numbers) {
        int[] shape = TensorAccess.dims(x).clone();
        shape[dim] = numbers.length;
        int width = width(shape, dim);
        if (x.isContiguous() && width >= WIDE_ROW) {
            return wideRows(x, dim, numbers, shape, width);
        }
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        GatherScatter.TAKE.apply(
                DTypeAccess.elements(x.dtype()),
                shape,
                dim,
                bounds(x, dim),
                rowIndex(numbers, dim, shape),
                operand(x),
                operand(result));
        return result;
    }

    /** {@return the product of the extents after a dimension} */
    private static int width(int[] shape, int dim) {
        return Shapes.count(Arrays.copyOfRange(shape, dim + 1, shape.length));
    }

    private static Operand rowIndex(long[] numbers, int dim, int[] shape) {
        int[] strides = new int[shape.length];
        strides[dim] = 1;
        return new Operand(numbers, 0, strides);
    }

    private static Tensor wideRows(Tensor x, int dim, long[] numbers, int[] shape, int width) {
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        copyRows(x, dim, numbers, result, width);
        return result;
    }

    /**
     * Copy rows of a contiguous tensor to another, which has as many as there are numbers.
     *
     * @param dim the dimension whose numbers are given
     * @param width the elements from one number of the dimension to the next
     */
    public static void copyRows(Tensor x, int dim, long[] numbers, Tensor result, int width) {
        boolean arrays = TensorAccess.isPlainArray(x) && TensorAccess.isPlainArray(result);
        Object from = arrays ? TensorAccess.base(x) : TensorAccess.storage(x).bytes();
        Object to = arrays ? TensorAccess.base(result) : TensorAccess.storage(result).bytes();
        int blocks = result.numel() == 0 ? 0 : result.numel() / width / numbers.length;
        int at = 0;
        for (int block = 0; block < blocks; block++) {
            int first = TensorAccess.offset(x) + block * TensorAccess.dims(x)[dim] * width;
            for (long number : numbers) {
                copy(x.dtype(), from, first + (int) number * width, to, at, width);
                at += width;
            }
        }
    }

    private static void copy(DType dtype, Object x, int from, Object y, int to, int n) {
        if (x instanceof MemorySegment source && y instanceof MemorySegment target) {
            long bytes = dtype.bytes();
            MemorySegment.copy(source, from * bytes, target, to * bytes, n * bytes);
        } else {
            System.arraycopy(x, from, y, to, n);
        }
    }

    public static Tensor addRows(Tensor self, int dim, Tensor index, Tensor source, Number alpha) {
        Tensor x = dimensioned(self);
        Tensor rows = dimensioned(source);
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        checkRows(self, d, index, source);
        if (!self.dtype().isFloating() && DTypeAccess.promote(self.dtype(), alpha).isFloating()) {
            throw new IllegalArgumentException(
                    "For integral input tensors, argument alpha must not be a floating point number: %s for %s"
                            .formatted(alpha, TensorAccess.describe(self)));
        }
        long[] numbers = checked(index, d, TensorAccess.dims(x)[d], "index out of range in self: ");
        Tensor there = DeviceTables.slicesAdded(x, d, numbers, rows, alpha);
        Tensor result = there == null ? addRows(x, d, numbers, rows, alpha) : there;
        return TensorAccess.dims(self).length == 0 ? TensorAccess.viewAs(result) : result;
    }

    private static void checkRows(Tensor self, int dim, Tensor index, Tensor source) {
        requireIndexType("index_add", index);
        if (TensorAccess.dims(index).length > 1) {
            throw new IndexOutOfBoundsException(
                    "index_add(): Index is supposed to be a vector, but got dim: %d with size: %s"
                            .formatted(
                                    TensorAccess.dims(index).length,
                                    Arrays.toString(TensorAccess.dims(index))));
        }
        if (self.dtype() != source.dtype()) {
            throw new IllegalArgumentException(
                    "index_add(): self (%s) and source (%s) must have the same scalar type"
                            .formatted(TensorAccess.describe(self), TensorAccess.describe(source)));
        }
        Tensor x = dimensioned(self);
        Tensor rows = dimensioned(source);
        boolean alike = TensorAccess.dims(x).length == TensorAccess.dims(rows).length;
        for (int d = 0; alike && d < TensorAccess.dims(x).length; d++) {
            alike = d == dim || TensorAccess.dims(x)[d] == TensorAccess.dims(rows)[d];
        }
        if (!alike) {
            throw new IllegalArgumentException(
                    "index_add(): Source shape must match self shape, excluding the specified dimension %d. Got self.shape = %s source.shape = %s"
                            .formatted(
                                    dim,
                                    Arrays.toString(TensorAccess.dims(self)),
                                    Arrays.toString(TensorAccess.dims(source))));
        }
        if (TensorAccess.dims(rows)[dim] != index.numel()) {
            throw new IllegalArgumentException(
                    "index_add(): Number of indices (%d) should be equal to source.size(dim): (%d), for dim: %d"
                            .formatted(index.numel(), TensorAccess.dims(rows)[dim], dim));
        }
    }

    private static Tensor addRows(Tensor x, int dim, long[] numbers, Tensor rows, Number alpha) {
        Tensor result = Elementwise.copy(x);
        addRowsInto(result, dim, numbers, rows, alpha);
        return result;
    }

    /** Return the gradient of {@link #select}: that of the result, added where it came from. */
    public static Tensor selectGradient(Saved saved, Tensor gradient) {
        Tensor result = Tensor.zeros(gradient.dtype(), saved.shape(0));
        Tensor index = saved.input(1);
        int dim = saved.args().integer(1);
        if (!result.device().isCpu() || saved.shape(0).length == 0) {
            return addRows(result, dim, index, gradient, 1);
        }
        int d = Shapes.dimension(dim, saved.shape(0).length);
        addRowsInto(result, d, index.toLongArray(), gradient, 1);
        return result;
    }

    private static <A> void addRowsInto(
            Tensor result, int dim, long[] numbers, Tensor rows, Number alpha) {
        Elements<A> elements = DTypeAccess.elements(result.dtype());
        int width = width(TensorAccess.dims(result), dim);
        if (width >= WIDE_ROW) {
            var from = new RowAccess<>(elements, TensorAccess.strided(rows), width);
            var to = new RowAccess<>(elements, TensorAccess.strided(result), width);
            int blocks = numbers.length == 0 ? 0 : rows.numel() / width / numbers.length;
            for (int block = 0; block < blocks; block++) {
                for (int i = 0; i < numbers.length; i++) {
                    BlockReader<A> row = from.row(block * numbers.length + i);
                    int at = block * TensorAccess.dims(result)[dim] + (int) numbers[i];
                    to.add(alpha, row.array(), row.offset(), at);
                }
            }
        } else {
            Tensor scaled =
                    alpha.doubleValue() == 1 ? rows : Elementwise.binary(Binary.MUL, rows, alpha);
            GatherScatter.ADD.apply(
                    elements,
                    TensorAccess.dims(rows),
                    dim,
                    bounds(result, dim),
                    rowIndex(numbers, dim, TensorAccess.dims(rows)),
                    operand(result),
                    operand(Elementwise.cast(scaled, result.dtype())));
        }
    }

    public static Tensor rowGradient(Saved saved, Tensor gradient) {
        Tensor rows = select(gradient, saved.args().integer(1), saved.input(1));
        Tensor scaled = Elementwise.binary(Binary.MUL, rows, saved.args().number(4));
        return ViewRules.reshape(scaled, saved.shape(2));
    }

    // ---- One index for each element.

    public static Tensor gather(Tensor self, int dim, Tensor index) {
        requireIndexType("gather", index);
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        if (index.numel() == 0) {
            return TensorAccess.fresh(self.dtype(), TensorAccess.dims(index));
        }
        Tensor x = dimensioned(self);
        Tensor at = dimensioned(index);
        if (TensorAccess.dims(x).length != TensorAccess.dims(at).length) {
            throw new IllegalArgumentException(
                    "Index tensor must have the same number of dimensions as input tensor: %s, %s"
                            .formatted(TensorAccess.describe(index), TensorAccess.describe(self)));
        }
        for (int i = 0; i < TensorAccess.dims(x).length; i++) {
            if (i != d && TensorAccess.dims(at)[i] > TensorAccess.dims(x)[i]) {
                throw new IllegalArgumentException(
                        "Size does not match at dimension %d expected index %s to be smaller than self %s apart from dimension %d"
                                .formatted(i, shape(index), shape(self), d));
            }
        }
        checkOnDevice(at, d, TensorAccess.dims(x)[d]);
        Tensor there = DeviceTables.gathered(x, d, at);
        Tensor result = there == null ? gathered(x, d, at) : there;
        return TensorAccess.dims(index).length == 0 ? TensorAccess.viewAs(result) : result;
    }

    private static Tensor gathered(Tensor x, int dim, Tensor index) {
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(index));
        GatherScatter.TAKE.apply(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.dims(index),
                dim,
                bounds(x, dim),
                operand(index),
                operand(x),
                operand(result));
        return result;
    }

    private static String shape(Tensor x) {
        return Arrays.toString(TensorAccess.dims(x));
    }

    /** Scatter a number. */
    public static Tensor scatter(Tensor self, int dim, Tensor index, Number value) {
        Tensor one = Tensor.full(self.dtype(), value);
        Tensor everywhere =
                TensorAccess.alias(
                        one, TensorAccess.dims(index), new int[TensorAccess.dims(index).length]);
        return scatter(GatherScatter.PUT, self, dim, index, everywhere);
    }

    /** Scatter or scatter-add elements. */
    public static Tensor scatter(
            GatherScatter way, Tensor self, int dim, Tensor index, Tensor source) {
        requireIndexType("scatter", index);
        if (self.dtype() != source.dtype()) {
            throw new IllegalArgumentException(
                    "scatter(): Expected self.dtype to be equal to src.dtype, got %s and %s"
                            .formatted(TensorAccess.describe(self), TensorAccess.describe(source)));
        }
        int d = Shapes.dimension(dim, TensorAccess.dims(self).length);
        if (index.numel() == 0) {
            return Elementwise.copy(self);
        }
        Tensor x = dimensioned(self);
        Tensor at = dimensioned(index);
        Tensor from = dimensioned(source);
        checkScatter(self, d, index, source);
        checkOnDevice(at, d, TensorAccess.dims(x)[d]);
        Tensor there = DeviceTables.scattered(x, d, at, from, way == GatherScatter.ADD);
        Tensor result = there == null ? scattered(way, x, d, at, from) : there;
        return TensorAccess.dims(self).length == 0 ? TensorAccess.viewAs(result) : result;
    }

    private static Tensor scattered(
            GatherScatter way, Tensor x, int dim, Tensor index, Tensor from) {
        Tensor result = Elementwise.copy(x);
        scatterInto(way, result, dim, index, from);
        return result;
    }

    private static void scatterInto(
            GatherScatter way, Tensor result, int dim, Tensor index, Tensor from) {
        way.apply(
                DTypeAccess.elements(result.dtype()),
                TensorAccess.dims(index),
                dim,
                bounds(result, dim),
                operand(index),
                operand(result),
                operand(from));
    }

    /** Return the gradient of {@link #gather}: that of the result, added where it came from. */
    public static Tensor gatherGradient(Saved saved, Tensor gradient) {
        Tensor result = Tensor.zeros(gradient.dtype(), saved.shape(0));
        Tensor index = saved.input(1);
        int dim = saved.args().integer(1);
        if (!result.device().isCpu()) {
            return scatter(GatherScatter.ADD, result, dim, index, gradient);
        }
        if (index.numel() > 0) {
            int d = Shapes.dimension(dim, saved.shape(0).length);
            Tensor from = dimensioned(gradient);
            scatterInto(GatherScatter.ADD, dimensioned(result), d, dimensioned(index), from);
        }
        return result;
    }

    private static void checkScatter(Tensor self, int dim, Tensor index, Tensor source) {
        Tensor x = dimensioned(self);
        Tensor at = dimensioned(index);
        Tensor from = dimensioned(source);
        boolean ranks =
                TensorAccess.dims(at).length == TensorAccess.dims(x).length
                        && TensorAccess.dims(at).length == TensorAccess.dims(from).length;
        if (!ranks) {
            throw new IllegalArgumentException(
                    "Index tensor must have the same number of dimensions as self and src tensor: %s, %s, %s"
                            .formatted(
                                    TensorAccess.describe(index),
                                    TensorAccess.describe(self),
                                    TensorAccess.describe(source)));
        }
        for (int i = 0; i < TensorAccess.dims(at).length; i++) {
            if (TensorAccess.dims(at)[i] > TensorAccess.dims(from)[i]
                    || (i != dim && TensorAccess.dims(at)[i] > TensorAccess.dims(x)[i])) {
                throw new IllegalArgumentException(
                        "Expected index %s to be smaller than self %s apart from dimension %d and to be smaller size than src %s"
                                .formatted(shape(index), shape(self), dim, shape(source)));
            }
        }
    }

    /** Return the gradient of the scattered values: zero where no index points. */
    public static Tensor sourceGradient(Saved saved, Tensor gradient) {
        Tensor index = saved.input(1);
        Tensor reached = gather(gradient, saved.args().integer(1), index);
        int[] shape = saved.shape(2);
        if (Arrays.equals(shape, TensorAccess.dims(reached))) {
            return reached;
        }
        return SliceRules.intoZeros(
                ViewRules.reshape(reached, TensorAccess.dims(dimensioned(index))),
                shape,
                whole -> corner(dimensioned(whole), TensorAccess.dims(dimensioned(index))));
    }

    private static Tensor corner(Tensor x, int[] shape) {
        return TensorAccess.alias(x, shape, TensorAccess.strides(x));
    }

    /** {@return an index in which negative numbers, counted from the end, are replaced} */
    static Tensor wrapped(Tensor index, int dim, int size) {
        if (index.dtype() != DType.INT64) {
            throw new IndexOutOfBoundsException(
                    "a tensor used as an index must be of int64, but is "
                            + TensorAccess.describe(index));
        }
        long[] numbers = index.toLongArray();
        for (int i = 0; i < numbers.length; i++) {
            long number = numbers[i];
            if (number < -size || number >= size) {
                throw outOfBounds("", number, dim, size);
            }
            numbers[i] = number < 0 ? number + size : number;
        }
        return Tensor.of(numbers);
    }
}
