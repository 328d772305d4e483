package org.gradwire.tensor.io;

import org.gradwire.tensor.io.Header.Entry;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads headers: JSON objects of texts and whole numbers, nested as the format says and no deeper.
 * Anything else is refused, keys that are unknown or come twice too.
 */
final class HeaderParser {
    private final Path file;
    private final JsonReader json;

    private HeaderParser(Path file, String text) {
        this.file = file;
        this.json = new JsonReader(file, text);
    }

    static Header parse(Path file, String text) throws SafeTensorsException {
        return new HeaderParser(file, text).header();
    }

    private Header header() throws SafeTensorsException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        Map<String, String> metadata = new LinkedHashMap<>();
        object(name -> {
            if (name.equals(Header.METADATA)) {
                object(key -> metadata.put(key, json.string()));
            } else {
                entries.put(name, entry(name));
            }
        });
        json.expectEnd();
        return new Header(
                Collections.unmodifiableMap(entries), Collections.unmodifiableMap(metadata));
    }

    /** Reads the value of a key. */
    @FunctionalInterface
    private interface Field {
        void read(String key) throws SafeTensorsException;
    }

    private void object(Field field) throws SafeTensorsException {
        json.expect('{');
        if (json.take('}')) {
            return;
        }
        Set<String> seen = new HashSet<>();
        do {
            String key = json.string();
            if (!seen.add(key)) {
                throw new SafeTensorsException(
                        file,
                        "the header has the key '%s' twice in one object; expected once"
                                .formatted(key));
            }
            json.expect(':');
            field.read(key);
        } while (json.take(','));
        json.expect('}');
    }

    /** Gathers the fields of a tensor. */
    private static final class Fields {
        @Nullable String format;
        long @Nullable [] shape;
        long @Nullable [] offsets;
    }

    private Entry entry(String name) throws SafeTensorsException {
        var fields = new Fields();
        object(key -> {
            switch (key) {
                case "dtype" -> fields.format = json.string();
                case "shape" -> fields.shape = numbers();
                case "data_offsets" -> fields.offsets = numbers();
                default ->
                        throw new SafeTensorsException(
                                file,
                                "tensor '%s' has the field '%s'; expected dtype, shape and data_offsets"
                                        .formatted(name, key));
            }
        });
        String format = fields.format;
        long[] shape = fields.shape;
        long[] offsets = fields.offsets;
        if (format == null || shape == null || offsets == null || offsets.length != 2) {
            throw new SafeTensorsException(
                    file,
                    "tensor '%s' has dtype %s, shape %s and data_offsets %s; expected a text, a list and a list of two numbers"
                            .formatted(
                                    name,
                                    format,
                                    Arrays.toString(shape),
                                    Arrays.toString(offsets)));
        }
        return new Entry(format, shape, offsets[0], offsets[1]);
    }

    private long[] numbers() throws SafeTensorsException {
        long[] numbers = new long[4];
        int count = 0;
        json.expect('[');
        if (json.take(']')) {
            return new long[0];
        }
        do {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = json.number();
        } while (json.take(','));
        json.expect(']');
        return Arrays.copyOf(numbers, count);
    }
}
