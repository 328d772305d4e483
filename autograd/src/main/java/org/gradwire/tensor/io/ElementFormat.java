package org.gradwire.tensor.io;

import org.gradwire.tensor.DType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An element type of the format, and the one it is read as. All element types of tensors are
 * written as they are; the half-precision ones are read as float32, which holds all their values.
 */
abstract class ElementFormat {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final List<ElementFormat> ALL = all();

    private final String name;
    private final DType dtype;
    private final int bytes;

    private ElementFormat(String name, DType dtype, int bytes) {
        this.name = name;
        this.dtype = dtype;
        this.bytes = bytes;
    }

    private static List<ElementFormat> all() {
        List<ElementFormat> formats = new ArrayList<>();
        for (DType dtype : DType.values()) {
            formats.add(new Same(dtype));
        }
        formats.add(new Half("F16", Float::float16ToFloat));
        formats.add(new Half("BF16", bits -> Float.intBitsToFloat(bits << Short.SIZE)));
        return List.copyOf(formats);
    }

    static Optional<ElementFormat> named(String name) {
        return ALL.stream().filter(format -> format.name.equals(name)).findFirst();
    }

    /** {@return the names of all, for messages} */
    static String names() {
        return ALL.stream().map(ElementFormat::name).sorted().collect(Collectors.joining(", "));
    }

    /** {@return the one that a type is written as} */
    static ElementFormat of(DType dtype) {
        return new Same(dtype);
    }

    String name() {
        return name;
    }

    /** {@return the type of tensors with such elements} */
    DType dtype() {
        return dtype;
    }

    /** {@return the size of an element in the file} */
    int bytes() {
        return bytes;
    }

    /** {@return whether a tensor may lie over these bytes of a file} */
    abstract boolean isReadable(MemorySegment stored);

    /** Copy elements from a file to a tensor's memory. */
    abstract void read(MemorySegment stored, MemorySegment elements, long count);

    /** Elements that the file has as the memory does, but for the order of their bytes. */
    private static final class Same extends ElementFormat {
        Same(DType dtype) {
            super(formatName(dtype), dtype, dtype.bytes());
        }

        /** {@code float32} is F32, {@code int64} is I64, {@code bool} is BOOL. */
        private static String formatName(DType dtype) {
            return dtype.toString()
                    .replace("float", "F")
                    .replace("int", "I")
                    .toUpperCase(Locale.ROOT);
        }

        @Override
        boolean isReadable(MemorySegment stored) {
            return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                    && stored.address() % bytes() == 0
                    && (dtype() != DType.BOOL || holdsBits(stored));
        }

        /** {@return whether all bytes are those of bool: other programs write others, too} */
        private static boolean holdsBits(MemorySegment stored) {
            for (long i = 0; i < stored.byteSize(); i++) {
                if ((stored.get(ValueLayout.JAVA_BYTE, i) & ~1) != 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        void read(MemorySegment stored, MemorySegment elements, long count) {
            if (dtype() == DType.BOOL) {
                for (long i = 0; i < count; i++) {
                    boolean isSet = stored.get(ValueLayout.JAVA_BYTE, i) != 0;
                    elements.set(ValueLayout.JAVA_BYTE, i, (byte) (isSet ? 1 : 0));
                }
            } else {
                copyBytes(
                        stored, ByteOrder.LITTLE_ENDIAN, elements, ByteOrder.nativeOrder(), count);
            }
        }

        @Override
        void write(MemorySegment elements, MemorySegment stored, long count) {
            copyBytes(elements, ByteOrder.nativeOrder(), stored, ByteOrder.LITTLE_ENDIAN, count);
        }

        private void copyBytes(
                MemorySegment from,
                ByteOrder fromOrder,
                MemorySegment to,
                ByteOrder toOrder,
                long count) {
            ValueLayout layout = layout(bytes());
            MemorySegment.copy(
                    from, layout.withOrder(fromOrder), 0, to, layout.withOrder(toOrder), 0, count);
        }

        private static ValueLayout layout(int bytes) {
            return switch (bytes) {
                case Byte.BYTES -> ValueLayout.JAVA_BYTE;
                case Integer.BYTES -> ValueLayout.JAVA_INT_UNALIGNED;
                case Long.BYTES -> ValueLayout.JAVA_LONG_UNALIGNED;
                default -> throw new AssertionError("no element type has " + bytes + " bytes");
            };
        }
    }

    /** Copy elements from a tensor's memory to that of a file. */
    void write(MemorySegment elements, MemorySegment stored, long count) {
        throw new UnsupportedOperationException(name + " is only read");
    }

    /** Turns the bits of a half-precision number into a number. */
    @FunctionalInterface
    private interface Widening {
        float apply(short bits);
    }

    /** Elements of half precision. */
    private static final class Half extends ElementFormat {
        private final Widening widening;

        Half(String name, Widening widening) {
            super(name, DType.FLOAT32, Short.BYTES);
            this.widening = widening;
        }

        @Override
        boolean isReadable(MemorySegment stored) {
            return false;
        }

        @Override
        void read(MemorySegment stored, MemorySegment elements, long count) {
            for (long i = 0; i < count; i++) {
                float value = widening.apply(stored.get(SHORT, i * Short.BYTES));
                elements.set(ValueLayout.JAVA_FLOAT, i * Float.BYTES, value);
            }
        }
    }
}
