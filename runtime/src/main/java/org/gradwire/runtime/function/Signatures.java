package org.gradwire.runtime.function;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.Default;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Retry;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.ScriptFunction;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Converts methods and constructors to {@link RemoteFunction}s, if they may be called remotely. */
final class Signatures {
    private static final MethodType GENERIC = MethodType.methodType(Object.class, Object[].class);

    private final Defaults defaults;

    Signatures(Defaults defaults) {
        this.defaults = defaults;
    }

    /** {@return the reason why a method may not be called remotely; null if it may} */
    static @Nullable String refusal(Executable method) {
        Class<?> type = method.getDeclaringClass();
        if (!isMarked(method)) {
            return "it is not marked @RemoteCallable or @ScriptFunction";
        }
        if (!Modifier.isPublic(method.getModifiers())) {
            return "it is not public";
        }
        for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
            if (!Modifier.isPublic(outer.getModifiers())) {
                return outer.getName() + " is not public";
            }
        }
        if (!type.getModule().isExported(type.getPackageName())) {
            return "package %s is not exported by %s"
                    .formatted(type.getPackageName(), type.getModule());
        }
        if (method.isAnnotationPresent(ScriptFunction.class)
                && !Modifier.isStatic(method.getModifiers())) {
            return "a @ScriptFunction must be static";
        }
        return null;
    }

    private static boolean isMarked(Executable method) {
        return method.isAnnotationPresent(RemoteCallable.class)
                || method.isAnnotationPresent(ScriptFunction.class)
                || method.getDeclaringClass().isAnnotationPresent(RemoteCallable.class);
    }

    /** Describe a method that may be called remotely. */
    RemoteFunction describe(Executable method, String wireName) {
        MethodHandle handle = handleOf(method);
        List<Class<?>> types = handle.type().parameterList();
        List<FunctionSchema.Parameter> parameters = new ArrayList<>(types.size());
        List<Defaults.@Nullable Source> sources = new ArrayList<>(types.size());
        if (types.size() > method.getParameterCount()) {
            parameters.add(
                    new FunctionSchema.Parameter(
                            "self", method.getDeclaringClass().getSimpleName(), null));
            sources.add(null);
        }
        var names = ParameterNames.of(method);
        for (Parameter parameter : method.getParameters()) {
            String name = names.of(parameter);
            sources.add(defaults.of(name, parameter, types.get(sources.size())));
            parameters.add(
                    new FunctionSchema.Parameter(
                            name, parameter.getType().getSimpleName(), defaultText(parameter)));
        }
        var schema =
                new FunctionSchema(
                        qualifiedName(method),
                        parameters,
                        handle.type().returnType().getSimpleName());
        FunctionKind kind =
                method.isAnnotationPresent(ScriptFunction.class)
                        ? FunctionKind.SCRIPT
                        : FunctionKind.USER;
        boolean async = method.isAnnotationPresent(AsyncExecution.class);
        return new RemoteFunction(
                kind,
                wireName,
                wireName.getBytes(StandardCharsets.UTF_8),
                schema,
                names.known(),
                types,
                DeclaredTypes.of(method, types, async),
                sources,
                async,
                method.isAnnotationPresent(NonRetaining.class) && !async,
                retry(method),
                generic(handle),
                null);
    }

    /** {@return the retry policy of the method's annotation; null without one} */
    private static @Nullable RetryPolicy retry(Executable method) {
        Retry mark = method.getAnnotation(Retry.class);
        if (mark == null) {
            return null;
        }
        try {
            return new RetryPolicy(
                    mark.maxRetries(),
                    Duration.ofMillis(mark.firstDelayMillis()),
                    mark.backoff(),
                    Duration.ofMillis(mark.attemptTimeoutMillis()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s cannot be called remotely: its %s is invalid: %s"
                            .formatted(method, mark, e.getMessage()),
                    e);
        }
    }

    private static @Nullable String defaultText(Parameter parameter) {
        var annotation = parameter.getAnnotation(Default.class);
        return annotation == null ? null : annotation.value();
    }

    private static String qualifiedName(Executable method) {
        String owner = method.getDeclaringClass().getName().replace('$', '.');
        return method instanceof Constructor ? owner : owner + "." + method.getName();
    }

    private static MethodHandle handleOf(Executable method) {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        try {
            return switch (method) {
                case Method m -> lookup.unreflect(m);
                case Constructor<?> c -> lookup.unreflectConstructor(c);
            };
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "%s cannot be called remotely: %s".formatted(method, e.getMessage()), e);
        }
    }

    private static MethodHandle generic(MethodHandle handle) {
        return handle.asFixedArity()
                .asSpreader(Object[].class, handle.type().parameterCount())
                .asType(GENERIC);
    }
}
