package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Indexed;
import org.gradwire.tensor.kernel.Indexed.Operand;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Forward rules that find elements by an int64 index. A scalar counts as a vector of one. */
final class Indexing {
    /** Rows of so many elements are moved as a whole. */
    private static final int WIDE_ROW = 8;

    private Indexing() {}

    /** {@return a view with at least one dimension} */
    private static Tensor dimensioned(Tensor x) {
        return x.dims.length == 0 ? x.viewAs(1) : x;
    }

    /** {@return the numbers of an index, each of which is inside of a dimension} */
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
                            .formatted(name, index.describe()));
        }
    }

    // ---- One number of the index for each row.

    static Tensor select(Tensor self, int dim, Tensor index) {
        requireIndexType("index_select", index);
        if (index.dims.length > 1) {
            throw new IllegalArgumentException(
                    "index_select(): Index is supposed to be a vector, got " + index.describe());
        }
        Tensor x = dimensioned(self);
        int d = Shapes.dimension(dim, x.dims.length);
        long[] numbers = checked(index, d, x.dims[d], "index out of range in self: ");
        if (self.dims.length == 0 && numbers.length != 1) {
            throw new IllegalArgumentException(
                    "index_select(): Index to scalar can have only 1 value, got %d value(s)"
                            .formatted(numbers.length));
        }
        Tensor rows = rows(x, d, numbers);
        return self.dims.length == 0 ? rows.viewAs() : rows;
    }

    private static <A> Tensor rows(Tensor x, int dim, long[] numbers) {
        int[] shape = x.dims.clone();
        shape[dim] = numbers.length;
        int width = width(shape, dim);
        if (x.isContiguous() && width >= WIDE_ROW) {
            return wideRows(x, dim, numbers, shape, width);
        }
        Target<A> result = Target.fresh(x.dtype(), shape);
        Indexed.TAKE.apply(
                x.dtype().elements(),
                shape,
                dim,
                rowIndex(numbers, dim, shape),
                Target.readable(x),
                result.operand());
        return result.done();
    }

    /** {@return the product of the extents after a dimension} */
    private static int width(int[] shape, int dim) {
        return Shapes.count(Arrays.copyOfRange(shape, dim + 1, shape.length));
    }

    private static Operand<long[]> rowIndex(long[] numbers, int dim, int[] shape) {
        int[] strides = new int[shape.length];
        strides[dim] = 1;
        return new Operand<>(numbers, 0, strides);
    }

    private static Tensor wideRows(Tensor x, int dim, long[] numbers, int[] shape, int width) {
        Tensor result = Tensor.fresh(x.dtype(), shape);
        boolean arrays = x.isPlainArray() && result.isPlainArray();
        int blocks = numbers.length == 0 ? 0 : result.numel() / width / numbers.length;
        int to = 0;
        for (int block = 0; block < blocks; block++) {
            int first = x.offset + block * x.dims[dim] * width;
            for (long number : numbers) {
                int from = first + (int) number * width;
                if (arrays) {
                    System.arraycopy(x.base(), from, result.base(), to, width);
                } else {
                    copyNative(x, from, result, to, width);
                }
                to += width;
            }
        }
        return result;
    }

    private static void copyNative(Tensor x, int from, Tensor result, int to, int n) {
        long bytes = x.dtype().bytes();
        MemorySegment.copy(
                x.storage().bytes(), from * bytes, result.storage().bytes(), to * bytes, n * bytes);
    }

    static Tensor addRows(Tensor self, int dim, Tensor index, Tensor source, Number alpha) {
        Tensor x = dimensioned(self);
        Tensor rows = dimensioned(source);
        int d = Shapes.dimension(dim, x.dims.length);
        checkRows(self, d, index, source);
        if (!self.dtype().isFloating() && self.dtype().promote(alpha).isFloating()) {
            throw new IllegalArgumentException(
                    "For integral input tensors, argument alpha must not be a floating point number: %s for %s"
                            .formatted(alpha, self.describe()));
        }
        long[] numbers = checked(index, d, x.dims[d], "index out of range in self: ");
        Tensor result = addRows(x, d, numbers, rows, alpha);
        return self.dims.length == 0 ? result.viewAs() : result;
    }

    private static void checkRows(Tensor self, int dim, Tensor index, Tensor source) {
        requireIndexType("index_add", index);
        if (index.dims.length > 1) {
            throw new IndexOutOfBoundsException(
                    "index_add(): Index is supposed to be a vector, but got dim: %d with size: %s"
                            .formatted(index.dims.length, Arrays.toString(index.dims)));
        }
        if (self.dtype() != source.dtype()) {
            throw new IllegalArgumentException(
                    "index_add(): self (%s) and source (%s) must have the same scalar type"
                            .formatted(self.describe(), source.describe()));
        }
        Tensor x = dimensioned(self);
        Tensor rows = dimensioned(source);
        boolean alike = x.dims.length == rows.dims.length;
        for (int d = 0; alike && d < x.dims.length; d++) {
            alike = d == dim || x.dims[d] == rows.dims[d];
        }
        if (!alike) {
            throw new IllegalArgumentException(
                    "index_add(): Source shape must match self shape, excluding the specified dimension %d. Got self.shape = %s source.shape = %s"
                            .formatted(
                                    dim, Arrays.toString(self.dims), Arrays.toString(source.dims)));
        }
        if (rows.dims[dim] != index.numel()) {
            throw new IllegalArgumentException(
                    "index_add(): Number of indices (%d) should be equal to source.size(dim): (%d), for dim: %d"
                            .formatted(index.numel(), rows.dims[dim], dim));
        }
    }

    private static <A> Tensor addRows(
            Tensor x, int dim, long[] numbers, Tensor rows, Number alpha) {
        Target<A> result = Target.copyOf(x);
        Elements<A> elements = x.dtype().elements();
        int width = width(x.dims, dim);
        if (width >= WIDE_ROW) {
            Operand<A> from = Target.readable(Elementwise.contiguous(rows));
            int at = from.offset();
            int blocks = numbers.length == 0 ? 0 : rows.numel() / width / numbers.length;
            for (int block = 0; block < blocks; block++) {
                int first = block * x.dims[dim] * width;
                for (long number : numbers) {
                    int to = first + (int) number * width;
                    elements.addScaled(alpha, from.array(), at, result.array(), to, width);
                    at += width;
                }
            }
        } else {
            Tensor scaled =
                    alpha.doubleValue() == 1 ? rows : Elementwise.binary(Binary.MUL, rows, alpha);
            Indexed.ADD.apply(
                    elements,
                    rows.dims,
                    dim,
                    rowIndex(numbers, dim, rows.dims),
                    result.operand(),
                    Target.readable(Elementwise.cast(scaled, x.dtype())));
        }
        return result.done();
    }

    static Tensor rowGradient(Saved saved, Tensor gradient) {
        Tensor rows = select(gradient, saved.args().integer(1), saved.input(1));
        Tensor scaled = Elementwise.binary(Binary.MUL, rows, saved.args().number(4));
        return Views.reshape(scaled, saved.shape(2));
    }

    // ---- One number of the index for each element.

    static <A> Tensor gather(Tensor self, int dim, Tensor index) {
        requireIndexType("gather", index);
        int d = Shapes.dimension(dim, self.dims.length);
        if (index.numel() == 0) {
            return Tensor.fresh(self.dtype(), index.dims);
        }
        Tensor x = dimensioned(self);
        Tensor at = dimensioned(index);
        if (x.dims.length != at.dims.length) {
            throw new IllegalArgumentException(
                    "Index tensor must have the same number of dimensions as input tensor: %s, %s"
                            .formatted(index.describe(), self.describe()));
        }
        for (int i = 0; i < x.dims.length; i++) {
            if (i != d && at.dims[i] > x.dims[i]) {
                throw new IllegalArgumentException(
                        "Size does not match at dimension %d expected index %s to be smaller than self %s apart from dimension %d"
                                .formatted(i, shape(index), shape(self), d));
            }
        }
        Target<A> result = Target.fresh(x.dtype(), at.dims);
        Indexed.TAKE.apply(
                x.dtype().elements(),
                at.dims,
                d,
                elementIndex(at, d, x.dims[d]),
                Target.readable(x),
                result.operand());
        return index.dims.length == 0 ? result.done().viewAs() : result.done();
    }

    private static String shape(Tensor x) {
        return Arrays.toString(x.dims);
    }

    private static Operand<long[]> elementIndex(Tensor index, int dim, int size) {
        return new Operand<>(checked(index, dim, size, ""), 0, Shapes.strides(index.dims));
    }

    /** Put a number at the places that an index names. */
    static Tensor scatter(Tensor self, int dim, Tensor index, Number value) {
        Tensor one = Tensor.full(self.dtype(), value);
        Tensor everywhere = one.alias(index.dims, new int[index.dims.length]);
        return scatter(Indexed.PUT, self, dim, index, everywhere);
    }

    /** Put or add elements at the places that an index names. */
    static <A> Tensor scatter(Indexed way, Tensor self, int dim, Tensor index, Tensor source) {
        requireIndexType("scatter", index);
        if (self.dtype() != source.dtype()) {
            throw new IllegalArgumentException(
                    "scatter(): Expected self.dtype to be equal to src.dtype, got %s and %s"
                            .formatted(self.describe(), source.describe()));
        }
        int d = Shapes.dimension(dim, self.dims.length);
        if (index.numel() == 0) {
            return Elementwise.copy(self);
        }
        Tensor x = dimensioned(self);
        Tensor at = dimensioned(index);
        Tensor from = dimensioned(source);
        checkScatter(self, d, index, source);
        Target<A> result = Target.copyOf(x);
        way.apply(
                x.dtype().elements(),
                at.dims,
                d,
                elementIndex(at, d, x.dims[d]),
                result.operand(),
                Target.readable(from));
        return self.dims.length == 0 ? result.done().viewAs() : result.done();
    }

    private static void checkScatter(Tensor self, int dim, Tensor index, Tensor source) {
        Tensor x = dimensioned(self);
        Tensor at = dimensioned(index);
        Tensor from = dimensioned(source);
        boolean ranks = at.dims.length == x.dims.length && at.dims.length == from.dims.length;
        if (!ranks) {
            throw new IllegalArgumentException(
                    "Index tensor must have the same number of dimensions as self and src tensor: %s, %s, %s"
                            .formatted(index.describe(), self.describe(), source.describe()));
        }
        for (int i = 0; i < at.dims.length; i++) {
            if (at.dims[i] > from.dims[i] || (i != dim && at.dims[i] > x.dims[i])) {
                throw new IllegalArgumentException(
                        "Expected index %s to be smaller than self %s apart from dimension %d and to be smaller size than src %s"
                                .formatted(shape(index), shape(self), dim, shape(source)));
            }
        }
    }

    /** Return the gradient of what was put or added: zero where the index did not reach. */
    static Tensor sourceGradient(Saved saved, Tensor gradient) {
        Tensor index = saved.input(1);
        Tensor reached = gather(gradient, saved.args().integer(1), index);
        int[] shape = saved.shape(2);
        if (Arrays.equals(shape, reached.dims)) {
            return reached;
        }
        return Views.intoZeros(
                Views.reshape(reached, dimensioned(index).dims),
                shape,
                whole -> corner(dimensioned(whole), dimensioned(index).dims));
    }

    private static Tensor corner(Tensor x, int[] shape) {
        return x.alias(shape, x.strides);
    }

    /** {@return an index in which negative numbers, counted from the end, are replaced} */
    static Tensor wrapped(Tensor index, int dim, int size) {
        if (index.dtype() != DType.INT64) {
            throw new IndexOutOfBoundsException(
                    "tensors used as indices must be long, got " + index.describe());
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
