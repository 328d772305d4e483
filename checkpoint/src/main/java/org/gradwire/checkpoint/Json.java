package org.gradwire.checkpoint;

import org.gradwire.checkpoint.json.JsonText;
import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A value of JSON made of objects, arrays, texts and integers; nothing else is accepted.
 *
 * @param where the path to the value, for messages
 * @param value a {@code Map}, a {@code List}, a {@code String} or a {@code Long}
 */
record Json(String where, Object value) {
    private static final int DEEPEST = 8;
    private static final int MAX_TEXT = 1 << 16;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEEPEST)
                                    .maxNameLength(MAX_TEXT)
                                    .maxStringLength(MAX_TEXT)
                                    .maxNumberLength(19)
                                    .build())
                    .build();

    /** Parse a whole text. */
    static Json parse(String where, byte[] text) throws CheckpointException {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            Object value = read(where, parser, parser.nextToken());
            if (parser.nextToken() != null) {
                throw new CheckpointException(where + ": something follows the JSON");
            }
            return new Json(where, value);
        } catch (JacksonException e) {
            throw new CheckpointException(
                    "%s: it is not the JSON that was expected: %s"
                            .formatted(where, e.getOriginalMessage()),
                    e);
        }
    }

    private static Object read(String where, JsonParser parser, @Nullable JsonToken token)
            throws CheckpointException {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    members.put(name, read(where, parser, parser.nextToken()));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                JsonToken next;
                while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
                    elements.add(read(where, parser, next));
                }
                yield elements;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case null, default ->
                    throw new CheckpointException(
                            "%s: found %s; expected objects, lists, texts and integers"
                                    .formatted(where, token == null ? "the end" : token));
        };
    }

    /** Require an object with these members and no others. */
    Json only(String... names) throws CheckpointException {
        Set<?> found = value instanceof Map<?, ?> members ? members.keySet() : Set.of();
        if (!found.equals(Set.of(names))) {
            throw wrong("an object with %s".formatted(String.join(", ", names)));
        }
        return this;
    }

    /** {@return a member of an object that {@link #only} has accepted} */
    Json get(String name) throws CheckpointException {
        Object member = value instanceof Map<?, ?> members ? members.get(name) : null;
        if (member == null) {
            throw wrong("an object with " + name);
        }
        return new Json(where + "." + name, member);
    }

    List<Json> elements() throws CheckpointException {
        if (!(value instanceof List<?> elements)) {
            throw wrong("a list");
        }
        List<Json> all = new ArrayList<>();
        for (Object element : elements) {
            all.add(new Json("%s[%d]".formatted(where, all.size()), element));
        }
        return all;
    }

    String text() throws CheckpointException {
        if (!(value instanceof String text)) {
            throw wrong("a text");
        }
        return text;
    }

    long number(long largest) throws CheckpointException {
        if (!(value instanceof Long number) || number < 0 || number > largest) {
            throw wrong("a number from 0 to " + largest);
        }
        return number;
    }

    int count() throws CheckpointException {
        return (int) number(Integer.MAX_VALUE);
    }

    CheckpointException wrong(String expected) {
        String found = String.valueOf(value);
        return new CheckpointException(
                "%s is %s; expected %s"
                        .formatted(
                                where,
                                found.length() > 200 ? found.substring(0, 200) + "..." : found,
                                expected));
    }

    /** {@return the bytes of objects, lists, texts and numbers} */
    static byte[] write(Object value) {
        return JsonText.of(value).getBytes(StandardCharsets.UTF_8);
    }
}
