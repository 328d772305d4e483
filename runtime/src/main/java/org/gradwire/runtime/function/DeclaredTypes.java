package org.gradwire.runtime.function;

import org.gradwire.spi.Operator;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * The generic types that a function declares.
 *
 * @param parameters include the receiver's
 * @param result the result type of a call: for an asynchronous function, the type of its future's
 *     value
 */
public record DeclaredTypes(List<Type> parameters, Type result) {

    static DeclaredTypes of(Operator operator) {
        return new DeclaredTypes(List.of(operator.parameterTypes()), Object.class);
    }

    static DeclaredTypes of(Executable method, List<Class<?>> erased, boolean async) {
        Type[] generic = method.getGenericParameterTypes();
        List<Type> parameters = new ArrayList<>(erased);
        if (generic.length == method.getParameterCount()) {
            int first = erased.size() - generic.length; // after the receiver
            for (int i = 0; i < generic.length; i++) {
                parameters.set(first + i, generic[i]);
            }
        }
        return new DeclaredTypes(List.copyOf(parameters), resultOf(method, async));
    }

    private static Type resultOf(Executable method, boolean async) {
        return switch (method) {
            case Constructor<?> c -> c.getDeclaringClass();
            case Method m when async -> held(m.getGenericReturnType());
            case Method m -> m.getGenericReturnType();
        };
    }

    /** {@return the type of a future's value} */
    private static Type held(Type future) {
        return future instanceof ParameterizedType type && type.getActualTypeArguments().length == 1
                ? type.getActualTypeArguments()[0]
                : Object.class;
    }

    /** {@return whether the function returns a module by its interface} */
    public boolean returnsModule() {
        return ModuleInterfaces.isMarked(erased(result));
    }

    /** {@return the erasure of a type; {@code Object} for type variables and wildcards} */
    public static Class<?> erased(Type type) {
        return switch (type) {
            case Class<?> c -> c;
            case ParameterizedType t -> erased(t.getRawType());
            default -> Object.class;
        };
    }
}
