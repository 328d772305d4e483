package org.gradwire.store.etcd;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

import java.io.InputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON value of etcd's gateway: an object, an array or a scalar. Reading a member that does not
 * exist yields an empty value, since the gateway leaves out members with the default value.
 *
 * @param value a {@code Map}, a {@code List}, a {@code String} for every other scalar, or null
 */
record Json(@Nullable Object value) {
    private static final int DEEPEST = 16;
    private static final int MAX_TEXT = 1 << 20; // a value of the store needs a twelfth

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEEPEST)
                                    .maxStringLength(MAX_TEXT)
                                    .build())
                    .build();

    private static final Json ABSENT = new Json(null);

    /** {@return a parser of one or more values in sequence} */
    static JsonParser parser(InputStream in) {
        return FACTORY.createParser(ObjectReadContext.empty(), in);
    }

    /**
     * {@return the next value of a parser; null at the end}
     *
     * @throws tools.jackson.core.JacksonException if it is not JSON, or is cut off
     */
    static @Nullable Json next(JsonParser parser) {
        JsonToken token = parser.nextToken();
        return token == null ? null : new Json(read(parser, token));
    }

    private static @Nullable Object read(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    members.put(name, read(parser, parser.nextToken()));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                JsonToken next;
                while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
                    elements.add(read(parser, next));
                }
                yield elements;
            }
            case VALUE_NULL -> null;
            default -> parser.getString();
        };
    }

    /** {@return a member; empty if this is not an object with it} */
    Json get(String name) {
        return value instanceof Map<?, ?> members && members.get(name) != null
                ? new Json(members.get(name))
                : ABSENT;
    }

    /** {@return the elements; none if this is not an array} */
    List<Json> elements() {
        return value instanceof List<?> elements
                ? elements.stream().map(Json::new).toList()
                : List.of();
    }

    boolean isAbsent() {
        return value == null;
    }

    String text() {
        return value instanceof String text ? text : "";
    }

    boolean isTrue() {
        return text().equals("true");
    }

    /** {@return the number; 0 if this is none} */
    long number() {
        try {
            return Long.parseLong(text());
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    /** {@return the decoded bytes; none if this is not base64} */
    byte[] bytes() {
        try {
            return Base64.getDecoder().decode(text());
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** {@return the text of an object of strings, booleans, objects and lists of objects} */
    static String write(Map<String, ?> object) {
        var text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, object);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) {
        switch (value) {
            case Map<?, ?> members -> {
                json.writeStartObject();
                members.forEach((name, member) -> {
                    json.writeName(String.valueOf(name));
                    write(json, member);
                });
                json.writeEndObject();
            }
            case List<?> elements -> {
                json.writeStartArray();
                elements.forEach(element -> write(json, element));
                json.writeEndArray();
            }
            case Boolean flag -> json.writeBoolean(flag);
            default -> json.writeString(value.toString());
        }
    }
}
