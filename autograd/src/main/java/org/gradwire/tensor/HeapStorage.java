package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** A storage in an array, which the collector manages; releasing does nothing. */
final class HeapStorage extends Storage {
    private final Object array;

    HeapStorage(DType dtype, Object array, int length, @Nullable Execution execution) {
        super(dtype, length, execution);
        this.array = array;
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public MemorySegment segment() {
        return switch (array) {
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            default -> throw new AssertionError("no element type has " + array.getClass());
        };
    }

    @Override
    public void retain() {}

    @Override
    public void release() {}

    @Override
    void escape() {}

    @Override
    void beginGradient() {}

    @Override
    void endGradient() {}

    @Override
    Object base() {
        return array;
    }
}
