package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.HeapStorage;
import org.gradwire.tensor.storage.NativeStorage;
import org.gradwire.tensor.storage.Shapes;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Tensors over segments and buffers, or with copies of them. */
public final class ForeignMemory {
    private static final String COPY = "; use Tensor.copyOf";

    private ForeignMemory() {}

    public static Tensor wrap(DType dtype, Buffer buffer, ByteOrder order, int... shape) {
        if (order != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(
                    "the buffer's byte order is %s, this machine's %s; give its ByteBuffer order(ByteOrder.nativeOrder()) first, or copy with Tensor.copyOf"
                            .formatted(order, ByteOrder.nativeOrder()));
        }
        return wrap(dtype, MemorySegment.ofBuffer(buffer), shape);
    }

    public static Tensor wrap(DType dtype, MemorySegment segment, int... shape) {
        int[] dims = dims(dtype, segment, shape);
        if (segment.address() % dtype.bytes() != 0) {
            throw new IllegalArgumentException(
                    "the segment at %d is not aligned to the %d bytes of a %s"
                                    .formatted(segment.address(), dtype.bytes(), dtype)
                            + COPY);
        }
        if (segment.isNative()) {
            return TensorAccess.over(new NativeStorage(dtype, Shapes.count(dims), segment), dims);
        }
        Object array = array(dtype, segment);
        var storage = new HeapStorage(dtype, array, Array.getLength(array), null);
        int offset = (int) (segment.address() / dtype.bytes());
        return TensorAccess.view(storage, offset, dims, Shapes.strides(dims));
    }

    private static Object array(DType dtype, MemorySegment segment) {
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException(
                    "the memory is read-only, so its array is not accessible" + COPY);
        }
        Object array = segment.heapBase().orElseThrow();
        Object wanted = DTypeAccess.elements(dtype).array(0);
        if (array.getClass() != wanted.getClass()) {
            throw new IllegalArgumentException(
                    "the memory of a %s cannot be that of a %s tensor, which is a %s"
                                    .formatted(
                                            array.getClass().getSimpleName(),
                                            dtype,
                                            wanted.getClass().getSimpleName())
                            + COPY);
        }
        return array;
    }

    public static Tensor copyOf(DType dtype, MemorySegment segment, int... shape) {
        Tensor copy = TensorAccess.fresh(dtype, dims(dtype, segment, shape));
        MemorySegment.copy(segment, 0, TensorAccess.storage(copy).segment(), 0, segment.byteSize());
        return copy;
    }

    private static int[] dims(DType dtype, MemorySegment segment, int... shape) {
        long count = segment.byteSize() / dtype.bytes();
        if (segment.byteSize() % dtype.bytes() != 0 || count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "%d bytes are not a whole number, up to %d, of %s elements of %d bytes"
                            .formatted(
                                    segment.byteSize(), Integer.MAX_VALUE, dtype, dtype.bytes()));
        }
        int[] dims = shape.length == 0 ? new int[] {(int) count} : shape.clone();
        if (Shapes.count(dims) != count) {
            throw new IllegalArgumentException(
                    "shape '%s' is invalid for input of size %d"
                            .formatted(Arrays.toString(dims), count));
        }
        return dims;
    }
}
