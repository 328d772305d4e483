package org.gradwire.runtime.wire;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Map;

/**
 * Encodes and decodes arrays: arrays of primitives as buffers, without a copy; arrays of objects
 * element by element.
 */
final class Arrays {
    private static final int SLOT_BYTES = 12; // in the list that collects them, and in the array

    private static final int CHAR_BYTES = 4; // in the copy, and in a string made of it

    private static final int BOOLEANS = 0;
    private static final int CHARS = 1;
    private static final int NUMBERS = 2;

    private static final String OBJECT = "";
    private static final Map<String, Class<?>> COMMON =
            Map.of(
                    OBJECT,
                    Object.class,
                    "String",
                    String.class,
                    "Integer",
                    Integer.class,
                    "Long",
                    Long.class,
                    "Double",
                    Double.class,
                    "Float",
                    Float.class,
                    "Boolean",
                    Boolean.class);

    private Arrays() {}

    static void writePrimitive(Object array, WireOutput out) {
        out.writeInt(Tags.PRIMITIVE_ARRAY);
        switch (array) {
            case boolean[] v -> {
                out.writeInt(BOOLEANS);
                byte[] bytes = new byte[v.length];
                for (int i = 0; i < v.length; i++) {
                    bytes[i] = v[i] ? (byte) 1 : 0;
                }
                out.writeBuffer(MemorySegment.ofArray(bytes), null);
            }
            case char[] v -> {
                out.writeInt(CHARS);
                writeChars(v, out);
            }
            case byte[] v -> writeNumbers(MemorySegment.ofArray(v), out);
            case short[] v -> writeNumbers(MemorySegment.ofArray(v), out);
            case int[] v -> writeNumbers(MemorySegment.ofArray(v), out);
            case long[] v -> writeNumbers(MemorySegment.ofArray(v), out);
            case float[] v -> writeNumbers(MemorySegment.ofArray(v), out);
            case double[] v -> writeNumbers(MemorySegment.ofArray(v), out);
            default ->
                    throw new IllegalArgumentException(
                            array.getClass() + " is not an array of primitives");
        }
    }

    /** Write characters as UTF-16, since an array of characters may be invalid text. */
    static void writeChars(char[] chars, WireOutput out) {
        short[] numbers = new short[chars.length];
        MemorySegment segment = MemorySegment.ofArray(numbers);
        out.writeBuffer(segment.copyFrom(MemorySegment.ofArray(chars)), null);
    }

    static char[] readChars(WireInput in) {
        short[] numbers = array(in, short[].class);
        in.budget().allocate((long) CHAR_BYTES * numbers.length);
        char[] chars = new char[numbers.length];
        MemorySegment.ofArray(chars).copyFrom(MemorySegment.ofArray(numbers));
        return chars;
    }

    private static void writeNumbers(MemorySegment numbers, WireOutput out) {
        out.writeInt(NUMBERS);
        out.writeBuffer(numbers, null);
    }

    static Object readPrimitive(WireInput in) {
        return switch (in.readInt()) {
            case BOOLEANS -> booleans(in);
            case CHARS -> readChars(in);
            case NUMBERS -> array(in, Object.class);
            default -> throw new DecodingException("unknown kind of array");
        };
    }

    private static boolean[] booleans(WireInput in) {
        byte[] bytes = array(in, byte[].class);
        in.budget().allocate(bytes.length);
        boolean[] values = new boolean[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            values[i] = bytes[i] != 0;
        }
        return values;
    }

    private static <T> T array(WireInput in, Class<T> type) {
        Object base = in.readBuffer().heapBase().orElse(null);
        if (!type.isInstance(base)) {
            throw new DecodingException("a buffer does not hold the array that was announced");
        }
        return type.cast(base);
    }

    static void write(@Nullable Object[] array, MarkedTypes marked, WireOutput out) {
        out.markHeavy();
        out.writeInt(Tags.OBJECT_ARRAY);
        out.writeString(componentName(array.getClass().getComponentType(), marked));
        out.writeInt(array.length);
        for (@Nullable Object element : array) {
            out.writeValue(element);
        }
    }

    private static String componentName(Class<?> component, MarkedTypes marked) {
        for (Map.Entry<String, Class<?>> common : COMMON.entrySet()) {
            if (common.getValue() == component) {
                return common.getKey();
            }
        }
        if (!component.isRecord() && !component.isEnum()) {
            throw new TypeMismatchException(
                    "an array of %s cannot be sent; send a List"
                            .formatted(component.getTypeName()));
        }
        return marked.nameOf(component);
    }

    static @Nullable Object[] read(MarkedTypes marked, WireInput in) {
        String name = in.readString();
        Class<?> common = COMMON.get(name);
        Class<?> component = common != null ? common : marked.find(name);
        int count = in.readCount(in.remaining());
        in.budget().allocate((long) SLOT_BYTES * count);
        // Grown as elements arrive: nested arrays may each claim all remaining bytes.
        var elements = new ArrayList<@Nullable Object>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            Object element = in.readValue();
            if (element != null && !component.isInstance(element)) {
                throw new DecodingException(
                        "an array of %s holds a %s"
                                .formatted(component.getName(), element.getClass().getName()));
            }
            elements.add(element);
        }
        return elements.toArray((Object[]) Array.newInstance(component, count));
    }
}
