package org.gradwire.tensor.io;

import org.gradwire.tensor.io.Header.Entry;
import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parser of headers: JSON objects of strings and integers, nested as the format says and no deeper.
 * Anything else is refused, including unknown and duplicate keys.
 */
final class HeaderParser {
    private static final int DEEPEST = 3; // the header, a tensor, its shape

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEEPEST)
                                    .maxNameLength(Header.MAX_BYTES)
                                    .maxStringLength(Header.MAX_BYTES)
                                    .build())
                    .build();

    private final String file;
    private final JsonParser json;

    private HeaderParser(String file, JsonParser json) {
        this.file = file;
        this.json = json;
    }

    static Header parse(String file, String text) throws SafeTensorsException {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            return new HeaderParser(file, json).header();
        } catch (JacksonException e) {
            long at = e.getLocation() == null ? 0 : e.getLocation().getCharOffset();
            var failure = noHeader(file, e.getOriginalMessage(), at);
            failure.initCause(e);
            throw failure;
        }
    }

    private static SafeTensorsException noHeader(String file, String why, long at) {
        return new SafeTensorsException(
                file,
                "the header is not the JSON of a safetensors file: %s, at character %d"
                        .formatted(why, at));
    }

    private Header header() throws SafeTensorsException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        Map<String, String> metadata = new LinkedHashMap<>();
        object(name -> {
            if (name.equals(Header.METADATA)) {
                object(key -> metadata.put(key, string()));
            } else {
                entries.put(name, entry(name));
            }
        });
        if (json.nextToken() != null) {
            throw unexpected("the end");
        }
        return new Header(
                Collections.unmodifiableMap(entries), Collections.unmodifiableMap(metadata));
    }

    /** Reads the value of a key. */
    @FunctionalInterface
    private interface Field {
        void read(String key) throws SafeTensorsException;
    }

    private void object(Field field) throws SafeTensorsException {
        expect(JsonToken.START_OBJECT, "an object");
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            field.read(json.getString());
        }
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
                case "dtype" -> fields.format = string();
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
        expect(JsonToken.START_ARRAY, "a list of integers");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.VALUE_NUMBER_INT || json.getLongValue() < 0) {
                throw unexpected("an integer from 0 on");
            }
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = json.getLongValue();
        }
        return Arrays.copyOf(numbers, count);
    }

    private String string() throws SafeTensorsException {
        expect(JsonToken.VALUE_STRING, "a text");
        return json.getString();
    }

    private void expect(JsonToken wanted, String what) throws SafeTensorsException {
        if (json.nextToken() != wanted) {
            throw unexpected(what);
        }
    }

    private SafeTensorsException unexpected(String expected) {
        return noHeader(
                file,
                "expected %s, found %s".formatted(expected, json.currentToken()),
                json.currentTokenLocation().getCharOffset());
    }
}
