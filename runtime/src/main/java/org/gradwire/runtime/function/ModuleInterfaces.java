package org.gradwire.runtime.function;

import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.TypeMismatchException;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which values are modules: those of classes that implement a {@link ModuleInterface}. */
public final class ModuleInterfaces {
    private final Map<Class<?>, Boolean> modules = new ConcurrentHashMap<>();

    /** {@return whether a type is itself an interface of modules} */
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

    /** Refuse a module to which a reference is made as to any other value. */
    public void requireNoModule(@Nullable Object value) {
        if (isModule(value)) {
            throw new TypeMismatchException(
                    "The RRef being created contains a ScriptModule, must provide its ModuleInterface type hint.");
        }
    }

    /** Refuse a value, and an interface, that do not belong together. */
    public void requireModule(@Nullable Object value, Class<?> hint) {
        if (value == null || !isModule(value)) {
            throw new TypeMismatchException(
                    "type_hint should only be specified when the RRef being created contains a ScriptModule.");
        }
        if (!isMarked(hint)) {
            throw new TypeMismatchException(
                    "%s is no interface marked @ModuleInterface; name the one through which others use %s"
                            .formatted(hint.getName(), value.getClass().getName()));
        }
        if (!hint.isInstance(value)) {
            throw new TypeMismatchException(
                    "a module of %s does not implement %s; name an interface that it does"
                            .formatted(value.getClass().getName(), hint.getName()));
        }
    }
}
