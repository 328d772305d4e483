package org.gradwire.backend.tensorpipe.address;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A value in the store: lines of {@code key=value} in UTF-8.
 *
 * @param what name of the value in errors, such as "an address"
 */
record KeyValueLines(String what, Map<String, String> fields) {
    private static final int MAX_BYTES = 16 * 1024;

    /** Create a value without lines. */
    static KeyValueLines of(String what) {
        return new KeyValueLines(what, new LinkedHashMap<>());
    }

    /** Add a line. */
    KeyValueLines with(String key, Object value) {
        fields.put(key, value.toString());
        return this;
    }

    byte[] encode() {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Decode a value. Of several lines with the same key the first one applies.
     *
     * @throws DecodingException if it is too long
     */
    static KeyValueLines decode(String what, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new DecodingException(
                    "%s of %d bytes; at most %d".formatted(what, bytes.length, MAX_BYTES));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> {
                    int end = line.indexOf('=');
                    if (end >= 0) {
                        fields.putIfAbsent(line.substring(0, end), line.substring(end + 1));
                    }
                });
        return new KeyValueLines(what, fields);
    }

    /** {@return whether there is a value of a key} */
    boolean has(String key) {
        return fields.containsKey(key);
    }

    /**
     * {@return the value of a key}
     *
     * @throws DecodingException if there is none
     */
    String text(String key) {
        String value = fields.get(key);
        if (value == null) {
            throw new DecodingException("%s without %s".formatted(what, key));
        }
        return value;
    }

    /** {@return the failure of a value with a text that is not a number} */
    static DecodingException wrongNumber(String what, NumberFormatException cause) {
        String reason = UntrustedText.quote(String.valueOf(cause.getMessage()));
        return new DecodingException("%s with a wrong number: %s".formatted(what, reason), cause);
    }

    /** {@return the numeric value of a key} */
    int number(String key) {
        return Integer.parseInt(text(key));
    }
}
