package org.gradwire.generator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A form in which an operator is a method of a tensor.
 *
 * @param fixed values of the parameters that the method does not have, by name, in order
 */
record Form(Map<String, String> fixed) {

    /**
     * Read the elements of an annotation: {@code keepdim = false}.
     *
     * @throws RowException when they name no parameter, or a value that it cannot have
     */
    static Form parse(List<String> elements, Schema schema) {
        Map<String, String> fixed = new LinkedHashMap<>();
        for (String element : elements) {
            String[] parts = element.split(" = ", -1);
            if (parts.length != 2) {
                throw new RowException(
                        "\"%s\" is not of the form \"name = value\"".formatted(element));
            }
            var parameter =
                    schema.parameters().stream()
                            .filter(p -> p.name().equals(parts[0]))
                            .findFirst()
                            .orElseThrow(() ->
                                    new RowException(
                                            "no parameter is named %s".formatted(parts[0])));
            parameter.type().expression(parts[1]);
            fixed.put(parts[0], parts[1]);
        }
        return new Form(fixed);
    }

    boolean hasParameter(Parameter parameter) {
        return !parameter.isSelf() && !fixed.containsKey(parameter.name());
    }
}
