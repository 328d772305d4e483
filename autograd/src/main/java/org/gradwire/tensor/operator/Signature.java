package org.gradwire.tensor.operator;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name, parameters and result of an operator, read from a declaration. */
final class Signature {
    private static final Pattern DECLARATION =
            Pattern.compile("([\\w:.]+)\\((.*)\\)(?: -> (\\S+))?");

    private static final @Nullable Object[] NOTHING = {};

    private final String name;
    private final FunctionSchema schema;
    private final Class<?>[] types;
    private final boolean[] optional;
    private final boolean lists;
    private final int tensors;

    private Signature(String name, FunctionSchema schema, Class<?>[] types, boolean[] optional) {
        this.name = name;
        this.schema = schema;
        this.types = types;
        this.optional = optional;
        this.lists = Arrays.asList(types).contains(List.class);
        this.tensors = (int) Arrays.stream(types).filter(type -> type == Tensor.class).count();
    }

    /** Read {@code aten::name.overload(Tensor self, Tensor? bias, int dim)}. */
    static Signature parse(String declaration) {
        Matcher parts = DECLARATION.matcher(declaration);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a declaration: " + declaration);
        }
        var parameters = new ArrayList<FunctionSchema.Parameter>();
        var types = new ArrayList<Class<?>>();
        var optional = new ArrayList<Boolean>();
        for (String parameter : parts.group(2).split(", ", -1)) {
            String type = parameter.substring(0, parameter.indexOf(' '));
            String bare = type.replace("?", "");
            parameters.add(
                    new FunctionSchema.Parameter(
                            parameter.substring(type.length() + 1), type, null));
            types.add(type(bare));
            optional.add(type.endsWith("?"));
        }
        String name = parts.group(1);
        String result = parts.group(3) == null ? "Tensor" : parts.group(3);
        boolean[] flags = new boolean[optional.size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = optional.get(i);
        }
        return new Signature(
                name,
                new FunctionSchema(withoutOverload(name), parameters, result),
                types.toArray(new Class<?>[0]),
                flags);
    }

    private static String withoutOverload(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static Class<?> type(String name) {
        return switch (name) {
            case "Tensor" -> Tensor.class;
            case "Tensor[]" -> List.class;
            case "Scalar" -> Number.class;
            case "int" -> Integer.class;
            case "float" -> Double.class;
            case "int[]" -> int[].class;
            case "boolean" -> Boolean.class;
            case "String" -> String.class;
            case "DType" -> DType.class;
            default -> throw new IllegalArgumentException("no parameter type " + name);
        };
    }

    String name() {
        return name;
    }

    FunctionSchema schema() {
        return schema;
    }

    Class<?>[] types() {
        return types.clone();
    }

    /** {@return whether a parameter is a number} */
    boolean isScalar(int index) {
        return types[index] == Number.class;
    }

    /** Check the arguments of a remote caller. */
    void check(@Nullable Object[] args) {
        if (args.length != types.length) {
            throw new IllegalArgumentException(
                    "%s expected %d argument(s) but received %d. Declaration: %s"
                            .formatted(name, types.length, args.length, schema));
        }
        for (int i = 0; i < args.length; i++) {
            Object value = args[i];
            if (value == null ? !optional[i] : !fits(i, value)) {
                throw new TypeMismatchException(
                        "%s expected a value of type '%s' for argument '%s' but instead found %s. Declaration: %s"
                                .formatted(
                                        name,
                                        schema.parameters().get(i).type(),
                                        schema.parameters().get(i).name(),
                                        value == null
                                                ? "null"
                                                : "type '" + value.getClass().getSimpleName() + "'",
                                        schema));
            }
        }
    }

    private boolean fits(int index, Object value) {
        if (value instanceof List<?> list && types[index] == List.class) {
            return list.stream().allMatch(Tensor.class::isInstance);
        }
        return types[index].isInstance(value);
    }

    /** {@return the tensors among arguments, those of lists included; optional ones may be null} */
    @Nullable Tensor[] inputs(@Nullable Object[] args) {
        int count = tensors;
        if (lists) {
            for (Object value : args) {
                count += value instanceof List<?> list ? list.size() : 0;
            }
        }
        var inputs = new @Nullable Tensor[count];
        int next = 0;
        for (int i = 0; i < args.length; i++) {
            if (types[i] == Tensor.class) {
                inputs[next++] = (Tensor) args[i];
            } else if (args[i] instanceof List<?> list) {
                for (Object element : list) {
                    inputs[next++] = (Tensor) element;
                }
            }
        }
        return inputs;
    }

    /** {@return the arguments with null in place of tensors, so that those can be collected} */
    @Nullable Object[] withoutTensors(@Nullable Object[] args) {
        if (tensors == args.length) {
            return NOTHING;
        }
        @Nullable Object[] rest = args.clone();
        for (int i = 0; i < rest.length; i++) {
            if (types[i] == Tensor.class || types[i] == List.class) {
                rest[i] = null;
            }
        }
        return rest;
    }

    @Override
    public String toString() {
        return name + schema.toString().substring(schema.simpleName().length());
    }
}
