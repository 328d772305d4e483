package org.gradwire.tensor.kernel;

import org.gradwire.spi.device.ElementType;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.NativeBroadcast;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.kernel.element.StridedCopy;
import org.gradwire.tensor.kernel.element.Unary;

import java.lang.foreign.MemorySegment;

/** Loops of kernels over strided operands, block by block. */
public final class StridedLoops {
    private static final int BLOCK = BlockReader.BLOCK;

    private StridedLoops() {}

    /** A kernel over a block of one operand. */
    private interface Step<A> {
        void apply(A x, int xo, A y, int yo, int n);
    }

    /** Apply a function of one number. */
    public static <A> void unary(Elements<A> elements, Unary function, Strided x, Strided y) {
        if (DeviceLoops.run(function.kernel(), elements, y, x)) {
            return;
        }
        MemorySegment from = x.nativeRun(elements);
        MemorySegment to = y.nativeRun(elements);
        if (from != null && to != null && elements.unaryNative(function, from, to, y.count())) {
            return;
        }
        map(elements, x, y, (a, ao, b, bo, n) -> elements.unary(function, a, ao, b, bo, n));
    }

    /** Raise to a power. */
    public static <A> void pow(Elements<A> elements, Strided x, double exponent, Strided y) {
        if (DeviceLoops.run("pow", elements, exponent, y, x)) {
            return;
        }
        MemorySegment from = x.nativeRun(elements);
        MemorySegment to = y.nativeRun(elements);
        if (from != null && to != null && elements.powNative(from, exponent, to, y.count())) {
            return;
        }
        map(elements, x, y, (a, ao, b, bo, n) -> elements.pow(a, ao, exponent, b, bo, n));
    }

    /** Copy from one layout to another. */
    public static <A> void copy(Elements<A> elements, Strided x, Strided y) {
        if (!DeviceLoops.run("copy", elements, y, x) && !StridedCopy.copy(elements, x, y)) {
            map(elements, x, y, (a, ao, b, bo, n) -> System.arraycopy(a, ao, b, bo, n));
        }
    }

    private static <A> void map(Elements<A> elements, Strided x, Strided y, Step<A> step) {
        int count = y.count();
        int longest = Math.min(count, BLOCK);
        var reader = new BlockReader<>(elements, x, longest);
        var writer = new BlockWriter<>(elements, y, longest);
        int block = reader.direct() && writer.direct() ? count : BLOCK;
        for (int start = 0; start < count; start += block) {
            int n = Math.min(block, count - start);
            reader.load(start, n);
            step.apply(reader.array(), reader.offset(), writer.array(), writer.offset(start), n);
            writer.store(start, n);
        }
    }

    /** Apply a function of two numbers. */
    public static <A> void binary(
            Elements<A> elements, Binary function, Strided a, Strided b, Strided y) {
        if (DeviceLoops.run(function.kernel(), elements, y, a, b)) {
            return;
        }
        if (binaryNative(elements, function, a, b, y)) {
            return;
        }
        int count = y.count();
        int longest = Math.min(count, BLOCK);
        var left = new BlockReader<>(elements, a, longest);
        var right = new BlockReader<>(elements, b, longest);
        var writer = new BlockWriter<>(elements, y, longest);
        int block = left.direct() && right.direct() && writer.direct() ? count : BLOCK;
        for (int start = 0; start < count; start += block) {
            int n = Math.min(block, count - start);
            left.load(start, n);
            right.load(start, n);
            elements.binary(
                    function,
                    left.array(),
                    left.offset(),
                    right.array(),
                    right.offset(),
                    writer.array(),
                    writer.offset(start),
                    n);
            writer.store(start, n);
        }
    }

    private static <A> boolean binaryNative(
            Elements<A> elements, Binary function, Strided a, Strided b, Strided y) {
        MemorySegment to = y.nativeRun(elements);
        MemorySegment first = a.nativeRun(elements);
        MemorySegment second = b.nativeRun(elements);
        if (to == null) {
            return false;
        }
        return (first != null && second != null)
                ? elements.binaryNative(function, first, second, to, y.count())
                : NativeBroadcast.apply(elements, function, a, b, y);
    }

    /** Add a multiple in place: {@code y += alpha * x}. */
    public static <A> void addScaled(Elements<A> elements, Number alpha, Strided x, Strided y) {
        boolean exact = elements.type().isFloating() || alpha.doubleValue() == alpha.intValue();
        if (exact && DeviceLoops.run("add_scaled", elements, alpha.doubleValue(), y, y, x)) {
            return;
        }
        if (alpha.doubleValue() == 1 && binaryNative(elements, Binary.ADD, y, x, y)) {
            return;
        }
        int count = y.count();
        int longest = Math.min(count, BLOCK);
        var reader = new BlockReader<>(elements, x, longest);
        var target = new BlockReader<>(elements, y, longest);
        var writer = new BlockWriter<>(elements, y, 0);
        int block = reader.direct() && target.direct() ? count : BLOCK;
        for (int start = 0; start < count; start += block) {
            int n = Math.min(block, count - start);
            reader.load(start, n);
            target.load(start, n);
            elements.addScaled(
                    alpha, reader.array(), reader.offset(), target.array(), target.offset(), n);
            if (!writer.direct()) {
                y.write(elements, start, target.array(), n);
            }
        }
    }

    /** Copy, turning numbers of one element type into those of another. */
    public static <A, B> void convert(Elements<A> from, Strided x, Elements<B> to, Strided y) {
        if (DeviceLoops.convert(from, x, to, y)
                || (from.type() == to.type() && StridedCopy.copy(to, x, y))) {
            return;
        }
        int count = y.count();
        int longest = Math.min(count, BLOCK);
        var reader = new BlockReader<>(from, x, longest);
        var writer = new BlockWriter<>(to, y, longest);
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            reader.load(start, n);
            Conversions.convert(
                    from,
                    reader.array(),
                    reader.offset(),
                    to,
                    writer.array(),
                    writer.offset(start),
                    n);
            writer.store(start, n);
        }
    }

    /** Write one number everywhere. */
    public static <A> void fill(Elements<A> elements, Number value, Strided y) {
        if (y.device() != null) {
            A one = elements.array(1);
            elements.set(one, 0, value);
            if (DeviceLoops.run("copy", elements, y, Strided.contiguous(one, 0, 1))) {
                return;
            }
        }
        int count = y.count();
        var writer = new BlockWriter<>(elements, y, Math.min(count, BLOCK));
        int block = writer.direct() ? count : BLOCK;
        for (int start = 0; start < count; start += block) {
            int n = Math.min(block, count - start);
            elements.fill(writer.array(), writer.offset(start), n, value);
            writer.store(start, n);
        }
    }

    /** Sum each row of a matrix: {@code y[r]} is the sum of {@code x[r, :]}. */
    public static <A> void sumRows(
            Elements<A> elements, Strided x, int rows, int columns, Strided y) {
        if (DeviceLoops.run("sum", elements, y, x)) {
            return;
        }
        boolean isMask = elements.type() == ElementType.BOOL && columns > 0;
        if (isMask && DeviceLoops.run("row_max", elements, columns, y, x)) {
            return; // whether any is set
        }
        MemorySegment run = x.nativeRun(elements);
        var reader = new BlockReader<>(elements, x, Math.min(x.count(), BLOCK));
        A sums = elements.array(rows);
        A parts = elements.array((columns + BLOCK - 1) / BLOCK);
        for (int row = 0; row < rows; row++) {
            int blocks = 0;
            for (int start = 0; start < columns; start += BLOCK) {
                int n = Math.min(BLOCK, columns - start);
                int at = row * columns + start;
                if (run == null || !elements.sumNative(run, at, n, parts, blocks)) {
                    reader.load(at, n);
                    elements.sum(reader.array(), reader.offset(), n, parts, blocks);
                }
                blocks++;
            }
            elements.sum(parts, 0, blocks, sums, row);
        }
        copy(elements, Strided.contiguous(sums, 0, rows), y);
    }

    /** Sum each column of a matrix: {@code y[c]} is the sum of {@code x[:, c]}. */
    public static <A> void sumColumns(
            Elements<A> elements, Strided x, int rows, int columns, Strided y) {
        var sums = new ColumnSums<>(elements, columns);
        MemorySegment run = x.nativeRun(elements);
        if (run == null || !sums.addNative(run, rows)) {
            addRows(elements, x, rows, columns, sums);
        }
        copy(elements, Strided.contiguous(sums.total(), 0, columns), y);
    }

    private static <A> void addRows(
            Elements<A> elements, Strided x, int rows, int columns, ColumnSums<A> sums) {
        var reader = new BlockReader<>(elements, x, Math.min(x.count(), BLOCK));
        int block = reader.direct() ? Math.max(columns, 1) : BLOCK;
        for (int row = 0; row < rows; row++) {
            for (int start = 0; start < columns; start += block) {
                int n = Math.min(block, columns - start);
                reader.load(row * columns + start, n);
                sums.add(start, reader.array(), reader.offset(), n);
            }
            sums.endRow();
        }
    }

    /** A kernel over a row of one operand. */
    public interface RowStep<A> {
        /** Read a row of {@code x}, write one of {@code y}. */
        void apply(A x, int xo, A y, int yo, int n);
    }

    /** A kernel over a row of two operands. */
    public interface RowStep2<A> {
        /** Read a row of {@code a} and {@code b}, write one of {@code y}. */
        void apply(A a, int ao, A b, int bo, A y, int yo, int n);
    }

    /** Apply a function to each row of a matrix. */
    public static <A> void rows(
            Elements<A> elements, int columns, Strided x, Strided y, RowStep<A> step) {
        var reader = new BlockReader<>(elements, x, columns);
        var writer = new BlockWriter<>(elements, y, columns);
        for (int start = 0; start < y.count(); start += columns) {
            reader.load(start, columns);
            step.apply(
                    reader.array(), reader.offset(), writer.array(), writer.offset(start), columns);
            writer.store(start, columns);
        }
    }

    /** Apply a function to each pair of rows of two matrices. */
    public static <A> void rows(
            Elements<A> elements, int columns, Strided a, Strided b, Strided y, RowStep2<A> step) {
        var left = new BlockReader<>(elements, a, columns);
        var right = new BlockReader<>(elements, b, columns);
        var writer = new BlockWriter<>(elements, y, columns);
        for (int start = 0; start < y.count(); start += columns) {
            left.load(start, columns);
            right.load(start, columns);
            step.apply(
                    left.array(),
                    left.offset(),
                    right.array(),
                    right.offset(),
                    writer.array(),
                    writer.offset(start),
                    columns);
            writer.store(start, columns);
        }
    }

    /** {@return a copy of all elements in an array, row-major} */
    public static <A> A toArray(Elements<A> elements, Strided x) {
        A all = elements.array(x.count());
        if (x.count() > 0) {
            x.read(elements, 0, all, x.count());
        }
        return all;
    }
}
