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
 * send. Names are derived from methods; a name from a peer is never parsed.
 */
final class RemoteMethods {
    private final Map<Class<?>, Map<String, Executable>> byClass = new ConcurrentHashMap<>();

    /**
     * Return the method or constructor that a peer calls by a name.
     *
     * @return null if the class has none with this name
     */
    @Nullable Executable find(Class<?> type, String name) {
        try {
            return byClass.computeIfAbsent(type, RemoteMethods::callable).get(name);
        } catch (LinkageError _) {
            return null; // its methods refer to classes that are missing now
        }
    }

    private static Map<String, Executable> callable(Class<?> type) {
        Map<String, Executable> callable = new HashMap<>();
        for (Executable method : candidates(type)) {
            if (Signatures.refusal(method) == null) {
                callable.putIfAbsent(nameOf(type, method), method);
            }
        }
        return callable;
    }

    /** {@return the reason why no peer may call a method by a name, for the log of this worker} */
    static String refusal(Class<?> type, String name) {
        try {
            for (Executable method : candidates(type)) {
                String refusal = Signatures.refusal(method);
                if (refusal != null && nameOf(type, method).equals(name)) {
                    return refusal;
                }
            }
        } catch (LinkageError e) {
            return "a class that a method of %s names cannot be loaded: %s".formatted(type, e);
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

    /**
     * Return the methods and constructors of a class, declared ones first, which hide inherited
     * ones with the same name.
     */
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
