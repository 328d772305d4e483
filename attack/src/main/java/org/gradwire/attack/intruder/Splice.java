package org.gradwire.attack.intruder;

import org.gradwire.spi.Message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Replaces a value in a valid request and keeps all other bytes. */
record Splice(Message valid, int from, int to) {
    private static final int HEAVY = 1;
    private static final int STRING = 10;

    /** Find the request that has a text; {@return the range of the text with its length} */
    static Splice ofText(List<Message> valid, String text) {
        return find(valid, new Encoder().text(text).toBytes());
    }

    /** Find the request that has a string as a value; {@return the range of the value} */
    static Splice ofValue(List<Message> valid, String text) {
        return find(valid, new Encoder().integer(STRING).text(text).toBytes());
    }

    private static Splice find(List<Message> valid, byte[] part) {
        return valid.stream()
                .flatMap(message -> find(message, part).stream())
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(
                                "no recorded request has '%s'"
                                        .formatted(new String(part, StandardCharsets.UTF_8))));
    }

    private static Optional<Splice> find(Message message, byte[] part) {
        byte[] payload = message.payload();
        for (int at = 0; at + part.length <= payload.length; at++) {
            if (Arrays.equals(payload, at, at + part.length, part, 0, part.length)) {
                return Optional.of(new Splice(message, at, at + part.length));
            }
        }
        return Optional.empty();
    }

    /** Return the request with other bytes in this range. */
    Message with(byte[] other) {
        byte[] old = valid.payload();
        byte[] payload = new byte[old.length - (to - from) + other.length];
        System.arraycopy(old, 0, payload, 0, from);
        System.arraycopy(other, 0, payload, from, other.length);
        System.arraycopy(old, to, payload, from + other.length, old.length - to);
        payload[0] |= HEAVY;
        return new Message(valid.type(), payload, valid.buffers());
    }
}
