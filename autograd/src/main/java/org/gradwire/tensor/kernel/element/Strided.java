package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Strided elements in an array, in native memory or on a device.
 *
 * <p>Adjacent dimensions that are contiguous are merged on construction, so that runs are as long
 * as possible.
 */
public final class Strided {
    private Object base; // a DeviceBase until a kernel of the host asks for the elements
    private final int offset;
    private final int count;
    private final int[] sizes;
    private final int[] strides;
    private final int dims;

    /**
     * Describe a layout.
     *
     * @param base an array, a native segment, or a {@link DeviceBase}
     * @param offset index of the first element
     * @param shape extent of each dimension
     * @param strides elements from one index of a dimension to the next; 0 repeats the same ones
     */
    public Strided(Object base, int offset, int[] shape, int[] strides) {
        this.base = base;
        this.offset = offset;
        int elements = 1;
        for (int size : shape) {
            elements *= size;
        }
        this.count = elements;
        this.sizes = new int[shape.length + 1];
        this.strides = new int[shape.length + 1];
        this.dims = merge(shape, strides);
    }

    /** Describe contiguous elements. */
    public static Strided contiguous(Object base, int offset, int count) {
        return new Strided(base, offset, new int[] {count}, new int[] {1});
    }

    private int merge(int[] shape, int[] from) {
        int last = -1;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == 1) {
                continue;
            }
            if (last >= 0 && strides[last] == from[d] * shape[d]) {
                sizes[last] *= shape[d];
                strides[last] = from[d];
            } else {
                last++;
                sizes[last] = shape[d];
                strides[last] = from[d];
            }
        }
        if (last < 0) {
            last = 0;
            sizes[0] = 1;
            strides[0] = 1;
        }
        return last + 1;
    }

    /** {@return the array or the native segment; for memory of a device a copy of it} */
    Object base() {
        if (base instanceof DeviceBase device) {
            base = device.onHost();
        }
        return base;
    }

    /** {@return the memory on a device; null when the elements are on the host} */
    public @Nullable DeviceBase device() {
        return base instanceof DeviceBase device ? device : null;
    }

    /** {@return an operand of a device's kernel; null for elements of the host other than one} */
    public <A> @Nullable Operand operand(Elements<A> elements) {
        if (base instanceof DeviceBase device) {
            return operand(device.readable(), elements.type());
        }
        if (!uniform() || count == 0) {
            return null;
        }
        A one = elements.array(1);
        copyRun(elements, this, offset, 0, one, 0, 1);
        return elements.type().isFloating()
                ? Operand.number(elements.type(), elements.getDouble(one, 0))
                : Operand.number(elements.type(), elements.getLong(one, 0));
    }

    /** {@return an operand over the memory under these elements} */
    public Operand operand(DeviceMemory memory, ElementType type) {
        return Operand.of(
                memory, type, offset, Arrays.copyOf(sizes, dims), Arrays.copyOf(strides, dims));
    }

    int offset() {
        return offset;
    }

    int dims() {
        return dims;
    }

    int size(int dim) {
        return sizes[dim];
    }

    int stride(int dim) {
        return strides[dim];
    }

    public int count() {
        return count;
    }

    /** {@return whether the elements are contiguous} */
    boolean contiguous() {
        return count == 0 || (dims == 1 && (strides[0] == 1 || count == 1));
    }

    /** {@return the elements, if they are contiguous in native memory} */
    public <A> @Nullable MemorySegment nativeRun(Elements<A> elements) {
        if (!contiguous() || !(base() instanceof MemorySegment segment)) {
            return null;
        }
        long bytes = elements.bytes();
        return segment.asSlice(offset * bytes, count * bytes);
    }

    /** {@return whether all elements are the same one} */
    boolean uniform() {
        return dims == 1 && (strides[0] == 0 || count == 1);
    }

    /** Copy the {@code n} elements from the {@code start}th on to the front of an array. */
    public <A> void read(Elements<A> elements, int start, A to, int n) {
        int inner = dims - 1;
        for (int done = 0; done < n; ) {
            int index = start + done;
            int column = index % sizes[inner];
            int run = Math.min(n - done, sizes[inner] - column);
            int at = position(index, column);
            copyRun(elements, this, at, strides[inner], to, done, run);
            done += run;
        }
    }

    /** Copy {@code n} elements from the front of an array to the {@code start}th and following. */
    public <A> void write(Elements<A> elements, int start, A from, int n) {
        int inner = dims - 1;
        for (int done = 0; done < n; ) {
            int index = start + done;
            int column = index % sizes[inner];
            int run = Math.min(n - done, sizes[inner] - column);
            storeRun(elements, position(index, column), strides[inner], from, done, run);
            done += run;
        }
    }

    private int position(int index, int column) {
        int at = offset + column * strides[dims - 1];
        int rest = index / sizes[dims - 1];
        for (int d = dims - 2; d >= 0 && rest > 0; d--) {
            at += rest % sizes[d] * strides[d];
            rest /= sizes[d];
        }
        return at;
    }

    static <A> void copyRun(
            Elements<A> elements, Strided from, int at, int stride, A to, int toOffset, int n) {
        copyRun(elements, from.base(), at, stride, to, toOffset, n);
    }

    /**
     * Copy elements of an array or a native segment to a range of an array.
     *
     * @param at index of the first element
     */
    public static <A> void copyRun(
            Elements<A> elements, Object from, int at, int stride, A to, int toOffset, int n) {
        if (from instanceof MemorySegment segment) {
            copyNative(elements, segment, at, stride, to, toOffset, n);
        } else if (stride == 1) {
            System.arraycopy(from, at, to, toOffset, n);
        } else {
            elements.gather(elements.cast(from), at, stride, to, toOffset, n);
        }
    }

    private static <A> void copyNative(
            Elements<A> elements,
            MemorySegment from,
            long at,
            int stride,
            A to,
            int toOffset,
            int n) {
        int bytes = elements.bytes();
        if (stride == 1) {
            MemorySegment.copy(from, elements.layout(), at * bytes, to, toOffset, n);
            return;
        }
        if (stride == 0) {
            MemorySegment.copy(from, elements.layout(), at * bytes, to, toOffset, 1);
            elements.gather(to, toOffset, 0, to, toOffset, n);
            return;
        }
        NativeElements.gather(from, at, stride, to, toOffset, n);
    }

    <A> void storeRun(Elements<A> elements, int at, int stride, A from, int fromOffset, int n) {
        storeRun(elements, base(), at, stride, from, fromOffset, n);
    }

    /**
     * Copy a range of an array to elements of an array or a native segment.
     *
     * @param at index of the first element written
     */
    public static <A> void storeRun(
            Elements<A> elements, Object to, int at, int stride, A from, int fromOffset, int n) {
        if (to instanceof MemorySegment segment && stride != 1) {
            NativeElements.scatter(from, fromOffset, segment, at, stride, n);
        } else if (to instanceof MemorySegment segment) {
            long bytes = elements.bytes();
            MemorySegment.copy(from, fromOffset, segment, elements.layout(), at * bytes, n);
        } else if (stride == 1) {
            System.arraycopy(from, fromOffset, to, at, n);
        } else {
            elements.scatter(from, fromOffset, elements.cast(to), at, stride, n);
        }
    }
}
