package org.gradwire.tensor.io;

import org.gradwire.tensor.DType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** An element type of the format, little-endian. */
final class ElementFormat {
    private static final List<ElementFormat> ALL =
            Arrays.stream(DType.values()).map(ElementFormat::new).toList();

    private final String name;
    private final DType dtype;

    private ElementFormat(DType dtype) {
        this.name = formatName(dtype);
        this.dtype = dtype;
    }

    /**
     * {@code float32} is F32, {@code bfloat16} is BF16, {@code int64} is I64, {@code bool} is BOOL.
     */
    private static String formatName(DType dtype) {
        return dtype.toString().replace("float", "F").replace("int", "I").toUpperCase(Locale.ROOT);
    }

    static Optional<ElementFormat> named(String name) {
        return ALL.stream().filter(format -> format.name.equals(name)).findFirst();
    }

    /** {@return the names of all, for messages} */
    static String names() {
        return ALL.stream().map(ElementFormat::name).sorted().collect(Collectors.joining(", "));
    }

    /** {@return the one of a type of tensors} */
    static ElementFormat of(DType dtype) {
        return new ElementFormat(dtype);
    }

    String name() {
        return name;
    }

    /** {@return the type of tensors with such elements} */
    DType dtype() {
        return dtype;
    }

    /** {@return the size of an element} */
    int bytes() {
        return dtype.bytes();
    }

    /** {@return whether a tensor may use these bytes of a file as its memory} */
    boolean isReadable(MemorySegment stored) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                && stored.address() % bytes() == 0
                && (dtype != DType.BOOL || holdsBits(stored));
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

    /** Copy elements from a file to a tensor's memory. */
    void read(MemorySegment stored, MemorySegment elements, long count) {
        if (dtype == DType.BOOL) {
            for (long i = 0; i < count; i++) {
                boolean isSet = stored.get(ValueLayout.JAVA_BYTE, i) != 0;
                elements.set(ValueLayout.JAVA_BYTE, i, (byte) (isSet ? 1 : 0));
            }
        } else {
            copyBytes(stored, ByteOrder.LITTLE_ENDIAN, elements, ByteOrder.nativeOrder(), count);
        }
    }

    /** Copy elements from a tensor's memory to that of a file. */
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
            case Short.BYTES -> ValueLayout.JAVA_SHORT_UNALIGNED;
            case Integer.BYTES -> ValueLayout.JAVA_INT_UNALIGNED;
            case Long.BYTES -> ValueLayout.JAVA_LONG_UNALIGNED;
            default -> throw new AssertionError("no element type has " + bytes + " bytes");
        };
    }
}
