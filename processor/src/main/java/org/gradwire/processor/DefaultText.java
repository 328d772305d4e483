package org.gradwire.processor;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.stream.Collectors;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** Checks the texts of defaults by the rules of {@code runtime.function.Defaults}. */
final class DefaultText {

    private DefaultText() {}

    /** {@return the form to write instead of a text; null if the text may be valid} */
    static @Nullable String advice(TypeMirror type, String text) {
        if (text.equals("null") && !type.getKind().isPrimitive()) {
            return null;
        }
        if (type instanceof DeclaredType t && t.asElement().getKind() == ElementKind.ENUM) {
            return constant(t.asElement(), text);
        }
        return switch (type.getKind().isPrimitive() ? Names.of(type) : qualified(type)) {
            case "int", "java.lang.Integer" -> number(Integer::valueOf, text, "an int");
            case "long", "java.lang.Long" -> number(Long::valueOf, text, "a long");
            case "double", "java.lang.Double" -> number(Double::valueOf, text, "a double");
            case "float", "java.lang.Float" -> number(Float::valueOf, text, "a float");
            case "boolean", "java.lang.Boolean" ->
                    text.equals("true") || text.equals("false") ? null : "true or false";
            case "byte", "short", "char" -> text.equals("null") ? "a value" : null;
            default -> null; // a parser for the type may be installed
        };
    }

    private static String qualified(TypeMirror type) {
        return type instanceof DeclaredType t ? t.asElement().toString() : "";
    }

    private static @Nullable String number(
            Function<String, Number> reader, String text, String advice) {
        try {
            var _ = reader.apply(text);
            return null;
        } catch (NumberFormatException _) {
            return advice;
        }
    }

    private static @Nullable String constant(Element type, String text) {
        var constants =
                type.getEnclosedElements().stream()
                        .filter(member -> member.getKind() == ElementKind.ENUM_CONSTANT)
                        .map(constant -> constant.getSimpleName().toString())
                        .toList();
        return constants.contains(text)
                ? null
                : constants.stream().collect(Collectors.joining(", ", "one of ", ""));
    }
}
