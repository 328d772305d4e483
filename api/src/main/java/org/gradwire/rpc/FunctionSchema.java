package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The signature of a remote function: its name, its parameters with their defaults, and its return
 * type.
 *
 * <p>It is read from the method once, on the caller, and every call is checked against it before
 * anything is sent.
 *
 * @param name qualified name, such as {@code org.example.Jobs.scale}, or an operator's, such as
 *     {@code aten::add}
 * @param parameters in order; those with a default come last
 * @param returnType simple name of the result's type
 */
public record FunctionSchema(String name, List<Parameter> parameters, String returnType) {

    public FunctionSchema {
        parameters = List.copyOf(parameters);
    }

    /**
     * One parameter of a function.
     *
     * @param name as in the source, if its class was compiled with {@code -parameters} or with the
     *     annotation processor {@code gradwire-processor}; otherwise {@code arg0} and so on, which
     *     no keyword argument can name
     * @param type simple name of its type
     * @param defaultText text of the {@link Default}; null if the parameter has none
     */
    public record Parameter(String name, String type, @Nullable String defaultText) {

        /** {@return whether a call must pass an argument for this parameter} */
        public boolean required() {
            return defaultText == null;
        }

        @Override
        public String toString() {
            return type + " " + name + (defaultText == null ? "" : "=" + defaultText);
        }
    }

    /** {@return the last part of the name: the method's, or the operator's} */
    public String simpleName() {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);
    }

    /** {@return the declaration, such as {@code scale(Tensor x, double factor=1.0) -> Tensor}} */
    @Override
    public String toString() {
        return parameters.stream()
                .map(Parameter::toString)
                .collect(Collectors.joining(", ", simpleName() + "(", ") -> " + returnType));
    }
}
