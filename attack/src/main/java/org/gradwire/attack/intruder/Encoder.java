package org.gradwire.attack.intruder;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Encodes valid and invalid bodies, by section A of docs/PROTOCOL.md. */
final class Encoder {
    private static final int LARGEST_SHORT_FORM = 0x7f;
    private static final int INT_32 = 0xa6;
    private static final int INT_64 = 0xa7;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Write one byte. */
    Encoder raw(int value) {
        bytes.write(value);
        return this;
    }

    Encoder raw(byte[] values) {
        bytes.writeBytes(values);
        return this;
    }

    /** Write a number of 32 bits in the form that every reader accepts. */
    Encoder integer(int value) {
        if (value >= 0 && value <= LARGEST_SHORT_FORM) {
            return raw(value);
        }
        return raw(INT_32).raw(little(Integer.BYTES).putInt(value).array());
    }

    Encoder integer(long value) {
        if (value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE) {
            return integer((int) value);
        }
        return raw(INT_64).raw(little(Long.BYTES).putLong(value).array());
    }

    Encoder text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return integer(utf8.length).raw(utf8);
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
