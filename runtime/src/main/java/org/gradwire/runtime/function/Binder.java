package org.gradwire.runtime.function;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.function.FunctionTable.ResolvedReference;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Binds the arguments of a call to the parameters of its function. Error texts are TorchScript's,
 * on which programs rely.
 */
public final class Binder {
    private static final Map<Class<?>, Class<?>> BOXED =
            Map.of(
                    boolean.class, Boolean.class,
                    byte.class, Byte.class,
                    short.class, Short.class,
                    int.class, Integer.class,
                    long.class, Long.class,
                    float.class, Float.class,
                    double.class, Double.class,
                    char.class, Character.class);

    private Binder() {}

    /**
     * Check the definition of a call: the number of positional arguments, and that no argument
     * without default is missing.
     *
     * @throws IllegalArgumentException if it does not fit
     */
    public static void checkDefinition(ResolvedReference target, Call<?> call) {
        requireNames(target.function(), call);
        List<Parameter> parameters = target.function().schema().parameters();
        int given = call.args().size() + bound(target);
        if (given > parameters.size()) {
            throw new IllegalArgumentException(
                    "Expected at most %d arguments but found %d positional arguments. Schema: %s"
                            .formatted(parameters.size(), given, target.function().schema()));
        }
        for (Parameter parameter : parameters.subList(given, parameters.size())) {
            if (parameter.required() && !call.kwargs().containsKey(parameter.name())) {
                throw new IllegalArgumentException(
                        "Argument %s not provided. Schema: %s"
                                .formatted(parameter.name(), target.function().schema()));
            }
        }
    }

    /**
     * Return the arguments of a call, one for each parameter, converted to its type.
     *
     * @throws IllegalArgumentException when they do not fit the schema
     */
    public static @Nullable Object[] bind(ResolvedReference target, Call<?> call) {
        RemoteFunction function = target.function();
        int bound = bound(target);
        @Nullable Object[] values = bind(function, bound, call);
        if (bound > 0) {
            values[0] = fit(function, 0, target.receiver());
        }
        return values;
    }

    /**
     * Return the arguments of a method of a referenced value: the reference, and the others as by
     * {@link #bind(ResolvedReference, Call)}. The owner checks the type of the value.
     *
     * @throws IllegalArgumentException when they do not fit the schema
     */
    public static @Nullable Object[] bindMethod(
            ResolvedReference target, RRef<?> referent, Call<?> call) {
        RemoteFunction function = target.function();
        if (target.receiver() != null || function.parameterTypes().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is not a method of the value of %s; write it as Type::method, with the value's type"
                            .formatted(function.schema(), referent));
        }
        @Nullable Object[] values = bind(function, 1, call);
        values[0] = referent;
        return values;
    }

    private static void requireNames(RemoteFunction function, Call<?> call) {
        if (!function.named() && !call.kwargs().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s() cannot take keyword arguments, such as '%s', since the names of its parameters are not in the program: compile its class with javac -parameters, or with the annotation processor org.gradwire:gradwire-processor. Declaration: %s"
                            .formatted(
                                    function.schema().name(),
                                    call.kwargs().keySet().iterator().next(),
                                    function.schema()));
        }
    }

    /** Bind the arguments after the first ones, which are bound separately. */
    private static @Nullable Object[] bind(RemoteFunction function, int bound, Call<?> call) {
        requireNames(function, call);
        List<@Nullable Object> args = call.args();
        int positional = args.size() + bound;
        int count = function.parameterTypes().size();
        if (positional > count) {
            throw new IllegalArgumentException(
                    "%s() expected at most %d argument(s) but received %d argument(s). Declaration: %s"
                            .formatted(
                                    function.schema().simpleName(),
                                    count,
                                    positional,
                                    function.schema()));
        }
        var values = new @Nullable Object[count];
        for (int i = bound; i < positional; i++) {
            values[i] = fit(function, i, args.get(i - bound));
        }
        if (positional < count || !call.kwargs().isEmpty()) {
            bindRest(function, call.kwargs(), values, positional);
        }
        return values;
    }

    private static int bound(ResolvedReference target) {
        return target.receiver() == null ? 0 : 1;
    }

    private static void bindRest(
            RemoteFunction function,
            Map<String, @Nullable Object> kwargs,
            @Nullable Object[] values,
            int positional) {
        FunctionSchema schema = function.schema();
        checkKeywords(schema, kwargs, positional);
        for (int i = positional; i < values.length; i++) {
            Parameter parameter = schema.parameters().get(i);
            Defaults.Source source = function.defaults().get(i);
            if (kwargs.containsKey(parameter.name())) {
                values[i] = fit(function, i, kwargs.get(parameter.name()));
            } else if (source != null) {
                values[i] = source.make();
            } else {
                throw new IllegalArgumentException(
                        "%s() is missing value for argument '%s'. Declaration: %s"
                                .formatted(schema.simpleName(), parameter.name(), schema));
            }
        }
    }

    private static void checkKeywords(
            FunctionSchema schema, Map<String, @Nullable Object> kwargs, int positional) {
        List<String> names = schema.parameters().stream().map(Parameter::name).toList();
        for (String keyword : kwargs.keySet()) {
            int index = names.indexOf(keyword);
            if (index < 0) {
                throw new IllegalArgumentException(
                        "Unknown keyword argument '%s' for operator '%s'. Schema: %s"
                                .formatted(keyword, schema.name(), schema));
            }
            if (index < positional) {
                throw new IllegalArgumentException(
                        "%s() got multiple values for argument '%s'. Declaration: %s"
                                .formatted(schema.simpleName(), keyword, schema));
            }
        }
    }

    /**
     * Check the arguments that a peer sent.
     *
     * @throws IllegalArgumentException when they do not fit the function of this worker
     */
    public static void checkReceived(RemoteFunction function, @Nullable Object[] args) {
        checkReceived(function, 0, args);
    }

    /** Check the arguments that a peer sent, except the types of the first ones. */
    public static void checkReceived(RemoteFunction function, int first, @Nullable Object[] args) {
        if (args.length != function.parameterTypes().size()) {
            throw new IllegalArgumentException(
                    "%s takes %d arguments here, but %d were sent"
                            .formatted(
                                    function.schema(),
                                    function.parameterTypes().size(),
                                    args.length));
        }
        for (int i = first; i < args.length; i++) {
            args[i] = fit(function, i, args[i]);
        }
    }

    /**
     * Convert an argument to the type of its parameter.
     *
     * @throws IllegalArgumentException when it has another type
     */
    public static @Nullable Object fit(RemoteFunction function, int index, @Nullable Object value) {
        Class<?> declared = function.parameterTypes().get(index);
        Class<?> wanted = BOXED.getOrDefault(declared, declared);
        if (value == null ? !declared.isPrimitive() : wanted.isInstance(value)) {
            return value;
        }
        Object widened = value == null ? null : widen(wanted, value);
        if (widened == null) {
            FunctionSchema schema = function.schema();
            Parameter parameter = schema.parameters().get(index);
            throw new TypeMismatchException(
                    "%s() Expected a value of type '%s' for argument '%s' but instead found type '%s'. Declaration: %s"
                            .formatted(
                                    schema.simpleName(),
                                    parameter.type(),
                                    parameter.name(),
                                    value == null ? "null" : value.getClass().getSimpleName(),
                                    schema));
        }
        return widened;
    }

    /** Widen a number as Java does; null if that is not possible. */
    private static @Nullable Object widen(Class<?> wanted, Object value) {
        boolean whole = value instanceof Integer || value instanceof Short || value instanceof Byte;
        if (wanted == Long.class && whole) {
            return ((Number) value).longValue();
        }
        if (wanted == Double.class && (whole || value instanceof Long || value instanceof Float)) {
            return ((Number) value).doubleValue();
        }
        if (wanted == Float.class && (whole || value instanceof Long)) {
            return ((Number) value).floatValue();
        }
        if (wanted == Integer.class && (value instanceof Short || value instanceof Byte)) {
            return ((Number) value).intValue();
        }
        if (wanted == Short.class && value instanceof Byte) {
            return ((Number) value).shortValue();
        }
        return null;
    }
}
