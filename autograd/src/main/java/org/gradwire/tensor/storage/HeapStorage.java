package org.gradwire.tensor.storage;

import org.gradwire.tensor.DType;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** Storage in a heap array; releasing does nothing. */
public final class HeapStorage extends Storage {
    private final Object array;
    private @Nullable MemorySegment segment; // created lazily; a race of two threads is harmless

    public HeapStorage(DType dtype, Object array, int length, @Nullable NodeRun nodeRun) {
        super(dtype, length, nodeRun);
        this.array = array;
    }

    /** Return a storage over an array with its segment. */
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
    public void escape() {}

    @Override
    public void beginGradient() {}

    @Override
    public void endGradient() {}

    @Override
    public Object base() {
        return array;
    }
}
