package org.gradwire.runtime.function;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Resolves references to Kotlin functions, such as {@code ::square}.
 *
 * <p>Where Java expects a functional interface, Kotlin's compiler generates a private method that
 * wraps the function, or an object that describes it. This class reads that method; it names the
 * function if it only forwards its arguments. It compiles without Kotlin's library.
 */
final class KotlinReferences {
    private static final String METADATA = "kotlin.Metadata";
    private static final String REFERENCE = "kotlin.jvm.internal.CallableReference";
    private static final String CONTAINER = "kotlin.jvm.internal.ClassBasedDeclarationContainer";
    private static final String FUNCTIONS = "kotlin.jvm.functions.";

    private KotlinReferences() {}

    /** {@return whether Kotlin's compiler generated a class} */
    static boolean areIn(Class<?> type) {
        return Stream.of(type.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(mark -> mark.getName().equals(METADATA));
    }

    /**
     * Return the method that a reference names.
     *
     * @param host the nest host of the class that contains the reference
     * @return null for a lambda
     */
    static @Nullable NamedMethod resolve(Class<?> host, SerializedLambda lambda) {
        ForwardedCall called = read(host, lambda).orElse(null);
        if (called == null) {
            return null;
        }
        Object captured = lambda.getCapturedArgCount() > 0 ? lambda.getCapturedArg(0) : null;
        if (called.type().startsWith(FUNCTIONS)) {
            return captured == null ? null : described(captured, lambda);
        }
        boolean isBound = captured != null && called.takesFirst();
        if (isBound ? !called.hasReceiver() : captured == null && !called.takesFirst()) {
            return null; // a lambda that forwards a captured variable, or not all its arguments
        }
        return new NamedMethod(
                called.type(),
                called.name(),
                called.descriptor(),
                NamedMethod.resultClass(lambda),
                isBound ? captured : null,
                captured == null);
    }

    private static Optional<ForwardedCall> read(Class<?> host, SerializedLambda lambda) {
        String writer = lambda.getImplClass().replace('/', '.');
        return Stream.of(host.getNestMembers())
                .filter(member -> member.getName().equals(writer))
                .findFirst()
                .flatMap(member ->
                        ForwardedCall.of(
                                member,
                                lambda.getImplMethodName(),
                                lambda.getImplMethodSignature()));
    }

    /** Return the method that a Kotlin object describes. */
    private static @Nullable NamedMethod described(Object reference, SerializedLambda lambda) {
        Class<?> type = superclass(reference.getClass(), REFERENCE);
        if (type == null) {
            return null;
        }
        try {
            Object receiver = call(type, "getBoundReceiver", reference);
            Object owner = call(type, "getOwner", reference);
            String signature = (String) call(type, "getSignature", reference);
            int parameters = signature.indexOf('(');
            return new NamedMethod(
                    ((Class<?>) call(container(owner), "getJClass", owner)).getName(),
                    signature.substring(0, parameters),
                    signature.substring(parameters),
                    NamedMethod.resultClass(lambda),
                    receiver.getClass().getName().startsWith(REFERENCE) ? null : receiver,
                    false);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Kotlin's library does not say what function a reference names: " + e, e);
        }
    }

    private static Object call(Class<?> type, String method, Object on)
            throws ReflectiveOperationException {
        Method getter = type.getMethod(method);
        try {
            return getter.invoke(on);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(method + " failed", e.getCause());
        }
    }

    private static @Nullable Class<?> superclass(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().equals(name)) {
                return at;
            }
        }
        return null;
    }

    private static Class<?> container(Object owner) throws ClassNotFoundException {
        for (Class<?> at = owner.getClass(); at != null; at = at.getSuperclass()) {
            for (Class<?> each : at.getInterfaces()) {
                if (each.getName().equals(CONTAINER)) {
                    return each;
                }
            }
        }
        throw new ClassNotFoundException(CONTAINER + " is not an interface of " + owner.getClass());
    }
}
