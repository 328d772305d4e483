package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.gradwire.spi.DecodingException;

import java.nio.charset.StandardCharsets;

/**
 * A frame that carries no message: a value that is written and read whole.
 *
 * <p>Each has a static {@code decode} that throws {@link DecodingException} on wrong lengths.
 */
sealed interface ControlFrame
        permits HelloFrame,
                HelloAckFrame,
                AbortFrame,
                SingleCopyDoneFrame,
                HeartbeatFrame,
                GoodbyeFrame,
                RejectFrame,
                MemoryOfferFrame,
                MemoryAcceptFrame {

    /** The most bytes of a text in a frame. */
    int MAX_TEXT = 1024;

    /** {@return the bytes it takes, header included} */
    int encodedLength();

    /** {@return whether the peer is woken up for it; else it finds it within milliseconds} */
    default boolean isUrgent() {
        return true;
    }

    /** Write it. */
    void encode(MutableDirectBuffer buffer, int offset);

    /** {@return the text's bytes in UTF-8, cut to {@link #MAX_TEXT}} */
    static byte[] textBytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= MAX_TEXT ? bytes : java.util.Arrays.copyOf(bytes, MAX_TEXT);
    }

    /** {@return the text that fills a frame from an offset to its end} */
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
