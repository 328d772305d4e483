package org.gradwire.nn.remote;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.ModuleInterface;
import org.gradwire.rpc.RemoteFunctions;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.TypeMismatchException;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Maps the methods of a proxy to those called on the owner: methods of the module's interface to
 * themselves, {@code xAsync} to {@code x}. Resolved once, so that an invalid interface is rejected
 * before the first call.
 */
final class ProxyMethods {
    private static final String ASYNC = "Async";

    private final Class<?> moduleInterface;
    private final Map<Signature, Target> targets = new HashMap<>();

    /**
     * The target of a method.
     *
     * @param async whether the caller gets a future
     */
    record Target(RpcFunction<? extends @Nullable Object> function, boolean async) {}

    private record Signature(String name, List<Class<?>> parameters) {
        static Signature of(Method method) {
            return new Signature(method.getName(), List.of(method.getParameterTypes()));
        }
    }

    private ProxyMethods(Class<?> moduleInterface) {
        this.moduleInterface = moduleInterface;
    }

    /**
     * Resolve the methods of an interface.
     *
     * @param proxied the module's interface, or one that extends it
     * @throws TypeMismatchException when one of its methods calls nothing
     */
    static ProxyMethods of(Class<?> moduleInterface, Class<?> proxied) {
        if (!moduleInterface.isInterface()
                || !moduleInterface.isAnnotationPresent(ModuleInterface.class)) {
            throw new TypeMismatchException(
                    "%s is not an interface marked @ModuleInterface; name the interface through which the module is used"
                            .formatted(moduleInterface.getName()));
        }
        if (!proxied.isInterface()) {
            throw new TypeMismatchException(
                    "%s is not an interface, so no proxy can implement it; take %s or an interface that extends it"
                            .formatted(proxied.getName(), moduleInterface.getName()));
        }
        var methods = new ProxyMethods(moduleInterface);
        for (Method method : proxied.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                methods.targets.put(Signature.of(method), methods.targetOf(method));
            }
        }
        return methods;
    }

    /** {@return the target of a proxy's method; null when the interface does not have it} */
    @Nullable Target target(Method method) {
        return targets.get(Signature.of(method));
    }

    private Target targetOf(Method method) {
        Method same = ofModule(method.getName(), method.getParameterTypes());
        if (same != null) {
            return ofSame(same);
        }
        String name = method.getName();
        Method called =
                name.endsWith(ASYNC)
                        ? ofModule(
                                name.substring(0, name.length() - ASYNC.length()),
                                method.getParameterTypes())
                        : null;
        if (called == null || isAsync(called) || !isFutureOf(called, method)) {
            throw new TypeMismatchException(
                    "%s matches no method of %s: an added method needs the name of one, followed by %s, the same parameters, and an RpcFuture of its result"
                            .formatted(method, moduleInterface.getName(), ASYNC));
        }
        return new Target(RemoteFunctions.reference(called), true);
    }

    private static Target ofSame(Method method) {
        Class<?> result = method.getReturnType();
        boolean later =
                result == RpcFuture.class
                        || result == CompletionStage.class
                        || result == CompletableFuture.class;
        if (later != isAsync(method)) {
            throw new TypeMismatchException(
                    "%s cannot be called through a proxy: a method marked @AsyncExecution, and no other, returns an RpcFuture or a CompletionStage"
                            .formatted(method));
        }
        return new Target(RemoteFunctions.reference(method), later);
    }

    private @Nullable Method ofModule(String name, Class<?>... parameters) {
        try {
            return moduleInterface.getMethod(name, parameters);
        } catch (NoSuchMethodException _) {
            return null;
        }
    }

    private static boolean isAsync(Method method) {
        return method.isAnnotationPresent(AsyncExecution.class);
    }

    private static boolean isFutureOf(Method called, Method method) {
        return method.getGenericReturnType() instanceof ParameterizedType future
                && future.getRawType() == RpcFuture.class
                && future.getActualTypeArguments()[0].equals(boxed(called.getGenericReturnType()));
    }

    private static Type boxed(Type type) {
        return type instanceof Class<?> c ? MethodType.methodType(c).wrap().returnType() : type;
    }
}
