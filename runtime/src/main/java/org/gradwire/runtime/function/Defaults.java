package org.gradwire.runtime.function;

import org.gradwire.rpc.Default;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.DefaultParser;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Parameter;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parses the {@link Default}s of parameters. */
public final class Defaults {
    private final Map<Class<?>, DefaultParser> parsers;

    /** Creates a new default value for each call, so that calls do not share mutable values. */
    @FunctionalInterface
    public interface Source {
        @Nullable Object make();
    }

    public Defaults(Stream<DefaultParser> parsers) {
        this.parsers = parsers.collect(Collectors.toMap(DefaultParser::type, parser -> parser));
    }

    /** Return the source of a parameter's default; null if it has none. */
    @Nullable Source of(String name, Parameter parameter, Class<?> type) {
        Default annotation = parameter.getAnnotation(Default.class);
        if (annotation == null) {
            return null;
        }
        String where = name + " of " + parameter.getDeclaringExecutable();
        return checked(where, () -> parse(type, annotation.value()));
    }

    /** Return the source of the default of an operator's parameter; null if it has none. */
    @Nullable Source of(FunctionSchema.Parameter parameter, Class<?> type) {
        String text = parameter.defaultText();
        return text == null ? null : checked(parameter.toString(), () -> parse(type, text));
    }

    private static Source checked(String parameter, Source source) {
        try {
            source.make();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the default of parameter %s: %s".formatted(parameter, e.getMessage()), e);
        }
        return source;
    }

    private @Nullable Object parse(Class<?> type, String text) {
        if (text.equals("null") && !type.isPrimitive()) {
            return null;
        }
        DefaultParser parser = parsers.get(type);
        if (parser != null) {
            return parser.parse(text);
        }
        if (type.isEnum()) {
            return constant(type, text);
        }
        Object value =
                switch (type.getName()) {
                    case "java.lang.String" -> text;
                    case "int", "java.lang.Integer" -> Integer.valueOf(text);
                    case "long", "java.lang.Long" -> Long.valueOf(text);
                    case "double", "java.lang.Double" -> Double.valueOf(text);
                    case "float", "java.lang.Float" -> Float.valueOf(text);
                    case "boolean", "java.lang.Boolean" -> flag(text);
                    default -> null;
                };
        if (value == null) {
            throw new IllegalArgumentException(
                    "'%s' cannot be read as %s; install a DefaultParser for that type"
                            .formatted(text, type.getName()));
        }
        return value;
    }

    private static Boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }

    private static Object constant(Class<?> type, String text) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("%s has no constant %s".formatted(type.getName(), text));
    }
}
