package org.gradwire.backend.tensorpipe.frame;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.gradwire.spi.DecodingException;

import java.nio.charset.StandardCharsets;

/**
 * A frame without a message, encoded and decoded as a value.
 *
 * <p>Each implementation has a static {@code decode} that throws {@link DecodingException} on wrong
 * lengths.
 */
public interface ControlFrame {

    /** Maximal bytes of a text in a frame. */
    int MAX_TEXT = 1024;

    /** {@return the length in bytes, header included} */
    int encodedLength();

    /** {@return whether it wakes the peer; otherwise the peer reads it within milliseconds} */
    default boolean isUrgent() {
        return true;
    }

    /** Encode the frame. */
    void encode(MutableDirectBuffer buffer, int offset);

    /** {@return the text's bytes in UTF-8, cut to {@link #MAX_TEXT}} */
    static byte[] textBytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_TEXT ? bytes : java.util.Arrays.copyOf(bytes, MAX_TEXT);
    }

    /** {@return the text from an offset to the end of a frame} */
    static String textAt(String name, DirectBuffer buffer, int offset, int length) {
        if (length > MAX_TEXT) {
            throw new DecodingException(
                    "%s with a text of %d bytes; at most %d".formatted(name, length, MAX_TEXT));
        }
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
