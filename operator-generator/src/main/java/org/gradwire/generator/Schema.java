package org.gradwire.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.lang.model.SourceVersion;

/**
 * The declaration of an operator: {@code aten::sum.dim_IntList(Tensor self, int[] dim, boolean
 * keepdim)}.
 *
 * @param name with namespace and overload
 * @param parameters at least one
 * @param isList whether the result is a list of tensors, not one
 */
record Schema(String name, List<Parameter> parameters, boolean isList) {
    private static final Pattern DECLARATION =
            Pattern.compile("(aten::\\w+(?:\\.\\w+)?)\\(([^()]+)\\)(?: -> (\\S+))?");
    private static final Pattern PARAMETER = Pattern.compile("(\\S+) ([a-z]\\w*)");
    private static final Set<String> RESULTS = Set.of("Tensor", "List");

    /**
     * Read a declaration.
     *
     * @throws RowException when it is not one, or names an unknown type
     */
    static Schema parse(String declaration) {
        Matcher parts = DECLARATION.matcher(declaration);
        if (!parts.matches()) {
            throw new RowException(
                    "\"%s\" is not a schema; expected \"aten::name.overload(Type name, ...) -> Type\""
                            .formatted(declaration));
        }
        String result = parts.group(3) == null ? "Tensor" : parts.group(3);
        if (!RESULTS.contains(result)) {
            throw new RowException(
                    "unknown result type %s; known are Tensor and List".formatted(result));
        }
        List<Parameter> parameters = new ArrayList<>();
        for (String parameter : parts.group(2).split(", ", -1)) {
            parameters.add(parameter(parameter));
        }
        return new Schema(parts.group(1), List.copyOf(parameters), result.equals("List"));
    }

    private static Parameter parameter(String text) {
        Matcher parts = PARAMETER.matcher(text);
        if (!parts.matches()) {
            throw new RowException(
                    "\"%s\" is not a parameter; expected \"Type name\"".formatted(text));
        }
        String name = camelCase(parts.group(2));
        if (SourceVersion.isKeyword(name)) {
            throw new RowException("the parameter name %s is a keyword of Java".formatted(name));
        }
        return new Parameter(name, ParameterType.parse(parts.group(1)));
    }

    /** {@return the name in Java, unless the row gives another} */
    String javaName() {
        return camelCase(name.replaceFirst("aten::", "").replaceFirst("\\..*", ""));
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(\\w)")
                .matcher(name)
                .replaceAll(m -> m.group(1).toUpperCase(Locale.ROOT));
    }
}
