package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** A storage in an array, which the collector manages; releasing does nothing. */
final class HeapStorage extends Storage {
    private final Object array;
    private @Nullable MemorySegment segment; // made when asked for; by two threads is no harm

    HeapStorage(DType dtype, Object array, int length, @Nullable Execution execution) {
        super(dtype, length, execution);
        this.array = array;
    }

    /** Return one over an array, of which there is a segment already. */
    static HeapStorage over(DType dtype, Object array, int length, MemorySegment whole) {
        var storage = new HeapStorage(dtype, array, length, null);
        storage.segment = whole;
        return storage;
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public MemorySegment segment() {
        MemorySegment known = segment;
        if (known == null) {
            known = overArray();
            segment = known;
        }
        return known;
    }

    private MemorySegment overArray() {
        return switch (array) {
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case short[] shorts -> MemorySegment.ofArray(shorts);
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
