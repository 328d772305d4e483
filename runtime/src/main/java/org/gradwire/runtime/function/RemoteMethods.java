package org.gradwire.runtime.function;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The methods and constructors of marked classes that peers may call, by the names that callers
 * send. The names are made from the methods; a name from a peer is never parsed.
 */
final class RemoteMethods {
    private final Map<Class<?>, Map<String, Executable>> byClass = new ConcurrentHashMap<>();

    /**
     * Return what a peer calls by a name.
     *
     * @return null when the class has nothing callable with this name
     */
    @Nullable Executable find(Class<?> type, String name) {
        return byClass.computeIfAbsent(type, RemoteMethods::callable).get(name);
    }

    private static Map<String, Executable> callable(Class<?> type) {
        Map<String, Executable> callable = new HashMap<>();
        for (Executable method : linkable(type)) {
            if (Signatures.refusal(method) == null) {
                callable.putIfAbsent(nameOf(type, method), method);
            }
        }
        return callable;
    }

    /** A class whose methods name classes that are not there has none that can be called. */
    private static List<Executable> linkable(Class<?> type) {
        try {
            return candidates(type);
        } catch (LinkageError _) {
            return List.of();
        }
    }

    /** {@return why no peer may call a method by a name, for the log of this worker} */
    static String refusal(Class<?> type, String name) {
        for (Executable method : linkable(type)) {
            String refusal = Signatures.refusal(method);
            if (refusal != null && nameOf(type, method).equals(name)) {
                return refusal;
            }
        }
        return "%s has no such method".formatted(type);
    }

    /** Return the method with a name of this program, callable or not. */
    static Executable findLocal(Class<?> type, String name) throws NoSuchMethodException {
        for (Executable method : candidates(type)) {
            if (nameOf(type, method).equals(name)) {
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** Declared ones first: they hide inherited ones with the same name. */
    private static List<Executable> candidates(Class<?> type) {
        return Stream.<Executable[]>of(
                        type.getDeclaredMethods(),
                        type.getMethods(),
                        type.getDeclaredConstructors())
                .flatMap(Stream::of)
                .toList();
    }

    /** {@return the name that a caller sends for a method of a class, which may inherit it} */
    static String nameOf(Class<?> type, Executable method) {
        boolean constructor = method instanceof Constructor;
        Class<?> result = method instanceof Method m ? m.getReturnType() : void.class;
        return type.getName()
                + "#"
                + (constructor ? "<init>" : method.getName())
                + MethodType.methodType(result, method.getParameterTypes()).descriptorString();
    }
}
