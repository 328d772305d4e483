package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Random access to single float32 or float64 elements, as doubles, in an array or a native segment.
 */
public final class ScalarAccess {
    private final Object base;
    private final boolean narrow;

    /**
     * Look at memory.
     *
     * @param base array or native segment of float32 or float64
     */
    public ScalarAccess(Elements<?> elements, Object base) {
        this.base = base;
        this.narrow = elements.bytes() == Float.BYTES;
    }

    /** {@return the number at an index} */
    public double get(int index) {
        if (base instanceof float[] floats) {
            return floats[index];
        }
        if (base instanceof double[] doubles) {
            return doubles[index];
        }
        MemorySegment segment = (MemorySegment) base;
        return narrow
                ? segment.getAtIndex(ValueLayout.JAVA_FLOAT, index)
                : segment.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
    }

    /** Write the number at an index. */
    public void set(int index, double value) {
        if (base instanceof float[] floats) {
            floats[index] = (float) value;
        } else if (base instanceof double[] doubles) {
            doubles[index] = value;
        } else if (narrow) {
            ((MemorySegment) base).setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
        } else {
            ((MemorySegment) base).setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
        }
    }

    /** Add to the number at an index. */
    public void add(int index, double value) {
        set(index, get(index) + value);
    }
}
