package org.gradwire.checkpoint.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** Writes values as JSON: manifests, messages of a save, and reports. */
public final class JsonText {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonText() {}

    /** {@return the text of maps, lists, numbers, booleans and texts} */
    public static String of(Object value) {
        var text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(json, value);
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
            case Double number -> json.writeNumber(number);
            case Number number -> json.writeNumber(number.longValue());
            case Boolean flag -> json.writeBoolean(flag);
            default -> json.writeString(value.toString());
        }
    }
}
