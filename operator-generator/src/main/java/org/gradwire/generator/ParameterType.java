package org.gradwire.generator;

import java.util.Map;
import java.util.TreeMap;

/**
 * The type of a parameter of an operator.
 *
 * @param name in the row, without a question mark
 * @param optional whether null may be given
 */
record ParameterType(String name, boolean optional) {
    private static final String INTEGERS = "int[]";

    /** The Java types; optional primitives are boxed. */
    private static final Map<String, String> JAVA =
            new TreeMap<>(
                    Map.of(
                            "Tensor",
                            "Tensor",
                            "Tensor[]",
                            "List<Tensor>",
                            "Scalar",
                            "Number",
                            "int",
                            "int",
                            INTEGERS,
                            "int[]",
                            "float",
                            "double",
                            "boolean",
                            "boolean",
                            "String",
                            "String",
                            "DType",
                            "DType"));

    private static final Map<String, String> BOXES =
            Map.of("int", "Integer", "double", "Double", "boolean", "Boolean");

    /**
     * Read a type.
     *
     * @throws RowException when it has no counterpart in Java
     */
    static ParameterType parse(String text) {
        boolean optional = text.endsWith("?");
        String name = optional ? text.substring(0, text.length() - 1) : text;
        if (!JAVA.containsKey(name) || (optional && name.endsWith("[]"))) {
            throw new RowException(
                    "unknown type %s; known are %s, and all but arrays with ?"
                            .formatted(text, String.join(", ", JAVA.keySet())));
        }
        return new ParameterType(name, optional);
    }

    boolean isTensor() {
        return name.equals("Tensor");
    }

    boolean isIntegers() {
        return name.equals(INTEGERS);
    }

    /** {@return the type in Java} */
    String java() {
        String type = bare();
        return optional ? "@Nullable " + BOXES.getOrDefault(type, type) : type;
    }

    /** {@return the type of an argument that is given, a primitive where there is one} */
    String bare() {
        return JAVA.getOrDefault(name, name);
    }

    /**
     * {@return a value of this type as an expression in Java}
     *
     * @throws RowException when it is none
     */
    String expression(String value) {
        if (value.equals("null") && optional) {
            return value;
        }
        String pattern =
                switch (name) {
                    case "Scalar", "float" -> "-?\\d+(\\.\\d+)?(e-?\\d+)?";
                    case "int" -> "-?\\d+";
                    case INTEGERS -> "\\[(-?\\d+(, -?\\d+)*)?\\]";
                    case "boolean" -> "true|false";
                    case "String" -> "\\w+";
                    default -> "";
                };
        if (pattern.isEmpty() || !value.matches(pattern)) {
            throw new RowException("%s is not a value of type %s".formatted(value, name));
        }
        return switch (name) {
            case "String" -> '"' + value + '"';
            case INTEGERS -> "new int[] {" + value.substring(1, value.length() - 1) + "}";
            default -> value;
        };
    }
}
