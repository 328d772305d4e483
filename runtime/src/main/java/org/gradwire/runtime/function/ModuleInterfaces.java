package org.gradwire.runtime.function;

import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.TypeMismatchException;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Recognizes modules: values of classes that implement a {@link ModuleInterface}. */
public final class ModuleInterfaces {
    private final Map<Class<?>, Boolean> modules = new ConcurrentHashMap<>();

    /** {@return whether a type is a module interface} */
    public static boolean isMarked(Class<?> type) {
        return type.isInterface() && type.isAnnotationPresent(ModuleInterface.class);
    }

    /** {@return whether a value is a module} */
    public boolean isModule(@Nullable Object value) {
        return value != null
                && modules.computeIfAbsent(value.getClass(), ModuleInterfaces::implementsMarked);
    }

    private static boolean implementsMarked(@Nullable Class<?> type) {
        if (type == null) {
            return false;
        }
        if (isMarked(type) || implementsMarked(type.getSuperclass())) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (implementsMarked(parent)) {
                return true;
            }
        }
        return false;
    }

    /** Check that a value is not a module. */
    public void requireNoModule(@Nullable Object value) {
        if (isModule(value)) {
            throw new TypeMismatchException(
                    "the value is a module whose class implements a @ModuleInterface; name the interface: Rpc.rref(value, Interface.class)");
        }
    }

    /** Check that a value is a module with an interface. */
    public void requireModule(@Nullable Object value, Class<?> hint) {
        if (value == null || !isModule(value)) {
            throw new TypeMismatchException(
                    "the value is not a module whose class implements a @ModuleInterface; omit the interface: Rpc.rref(value)");
        }
        if (!isMarked(hint)) {
            throw new TypeMismatchException(
                    "%s is not an interface marked @ModuleInterface; name the interface through which others use %s"
                            .formatted(hint.getName(), value.getClass().getName()));
        }
        if (!hint.isInstance(value)) {
            throw new TypeMismatchException(
                    "a module of %s does not implement %s; name an interface that it does"
                            .formatted(value.getClass().getName(), hint.getName()));
        }
    }
}
