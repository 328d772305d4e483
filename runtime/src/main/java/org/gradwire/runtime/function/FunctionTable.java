package org.gradwire.runtime.function;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The functions that may be called remotely: installed operators, and methods that are marked. It
 * leads callers from a method reference to the function, and callees from its name.
 *
 * <p>One instance serves the JVM. A name from a peer is looked up without running anything of the
 * class; only if the method bears a mark is it ever used.
 */
public final class FunctionTable {
    private static final int MAX_NAME_LENGTH = 4096;

    // Those that are called are few of those that are installed.
    private final Map<String, Operator> installed = new HashMap<>();
    private final Map<String, RemoteFunction> operators = new ConcurrentHashMap<>();
    private final Map<String, RemoteFunction> methods = new ConcurrentHashMap<>();
    private final Map<Class<?>, ResolvedReference> byLambdaClass = new ConcurrentHashMap<>();
    private final Defaults defaults;
    private final Signatures signatures;
    private final ModuleInterfaces modules = new ModuleInterfaces();
    private final ClassLoader loader;

    /**
     * What a method reference stands for.
     *
     * @param receiver the object the reference is bound to; null when it is bound to none
     */
    public record ResolvedReference(RemoteFunction function, @Nullable Object receiver) {}

    public FunctionTable(
            Stream<OperatorProvider> libraries, Defaults defaults, ClassLoader loader) {
        this.defaults = defaults;
        this.signatures = new Signatures(defaults);
        this.loader = loader;
        Stream.concat(Stream.of(new RuntimeOperators()), libraries)
                .flatMap(library -> library.operators().stream())
                .forEach(this::add);
    }

    private void add(Operator operator) {
        if (installed.put(operator.name(), operator) != null) {
            throw new RpcConfigurationException(
                    "operator %s is provided twice; leave one library of operators on the module path"
                            .formatted(operator.name()));
        }
    }

    private RemoteFunction functionOf(Operator operator) {
        return new RemoteFunction(
                FunctionKind.BUILTIN,
                operator.name(),
                operator.name().getBytes(StandardCharsets.UTF_8),
                operator.schema(),
                List.of(operator.parameterTypes()),
                DeclaredTypes.of(operator),
                defaultsOf(operator),
                false,
                operator.scoped(),
                null,
                null,
                operator);
    }

    private List<Defaults.@Nullable Source> defaultsOf(Operator operator) {
        List<Parameter> parameters = operator.schema().parameters();
        List<Defaults.@Nullable Source> sources = new ArrayList<>(parameters.size());
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            sources.add(defaults.of(parameter, operator.parameterTypes()[i]));
        }
        return Collections.unmodifiableList(sources);
    }

    /**
     * Return the function that a reference stands for.
     *
     * @throws IllegalArgumentException when it may not be called remotely; the message says why
     */
    public ResolvedReference resolve(@Nullable RpcFunction<?> reference) {
        if (reference == null) {
            throw new TypeMismatchException(
                    "function should be callable. It is null; write a remote function as Type::method");
        }
        if (reference instanceof ReceivedReference received) {
            return received.resolved();
        }
        ResolvedReference known = byLambdaClass.get(reference.getClass());
        if (known == null) {
            SerializedLambda lambda = MethodReferences.resolve(reference);
            RemoteFunction function = functionOf(lambda);
            if (lambda.getCapturedArgCount() > 0) {
                return new ResolvedReference(function, lambda.getCapturedArg(0));
            }
            known = new ResolvedReference(function, null);
            byLambdaClass.put(reference.getClass(), known);
        }
        return known;
    }

    /**
     * Refuse a reference whose receiver is not sent with it, since that is a module.
     *
     * @param bindable what the codecs say of receivers
     */
    public void requireSendable(ResolvedReference reference, Predicate<Object> bindable) {
        Object receiver = reference.receiver();
        if (receiver != null && (modules.isModule(receiver) || !bindable.test(receiver))) {
            throw new TypeMismatchException(
                    "%s of a module (%s) cannot be sent, which would take serialization (pickle) of the module with each call: call it through an RRef to the module, or send the module as an argument"
                            .formatted(
                                    reference.function().schema(), receiver.getClass().getName()));
        }
    }

    private RemoteFunction functionOf(SerializedLambda lambda) {
        String type = lambda.getImplClass().replace('/', '.');
        String name = type + "#" + lambda.getImplMethodName() + lambda.getImplMethodSignature();
        RemoteFunction known = methods.get(name);
        if (known != null) {
            return known;
        }
        try {
            return functionOf(name, find(name));
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException("cannot find %s: %s".formatted(name, e), e);
        }
    }

    /**
     * Return a reference to a method, as one that a peer sent would be.
     *
     * @throws TypeMismatchException when it may not be called remotely
     */
    public RpcFunction<? extends @Nullable Object> reference(Method method) {
        String descriptor =
                MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .descriptorString();
        String name = method.getDeclaringClass().getName() + "#" + method.getName() + descriptor;
        RemoteFunction known = methods.get(name);
        RemoteFunction function = known != null ? known : functionOf(name, method);
        return (RpcFunction<?>) ReceivedReferences.of(new ResolvedReference(function, null));
    }

    private RemoteFunction functionOf(String name, Executable method) {
        Builtin builtin = method.getAnnotation(Builtin.class);
        if (builtin != null) {
            return operator(builtin.value());
        }
        String refusal = Signatures.refusal(method);
        if (refusal != null) {
            throw new TypeMismatchException(
                    "%s cannot be called remotely: %s".formatted(name, refusal));
        }
        return methods.computeIfAbsent(name, wireName -> signatures.describe(method, wireName));
    }

    /**
     * Return the function with a name that a peer sent.
     *
     * @throws RpcException when there is none here, or it may not be called
     */
    public RemoteFunction lookUp(FunctionKind kind, String name) {
        if (kind == FunctionKind.BUILTIN) {
            return operator(name);
        }
        RemoteFunction known = methods.get(name);
        return known != null ? known : firstLookUp(kind, name);
    }

    private RemoteFunction operator(String name) {
        RemoteFunction known = operators.get(name);
        if (known != null) {
            return known;
        }
        Operator operator = installed.get(name);
        if (operator == null) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "there is no operator %s here; is the library that provides it on the module path?"
                            .formatted(name));
        }
        return operators.computeIfAbsent(name, _ -> functionOf(operator));
    }

    private RemoteFunction firstLookUp(FunctionKind kind, String name) {
        Executable method;
        try {
            method = find(name);
        } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException e) {
            throw unknown(kind, name, e);
        }
        String refusal = Signatures.refusal(method);
        if (refusal != null) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "%s was called by a peer, which is refused: %s".formatted(name, refusal));
        }
        return methods.computeIfAbsent(name, wireName -> signatures.describe(method, wireName));
    }

    private static RpcException unknown(FunctionKind kind, String name, Throwable cause) {
        String simple = name.substring(name.indexOf('#') + 1).replaceFirst("\\(.*", "");
        String text =
                kind == FunctionKind.SCRIPT
                        ? "attempted to get undefined function %s (%s)".formatted(simple, name)
                        : "Default RPC pickler does not serialize function code. Ensure that UDFs are defined on both caller and callee modules. There is no %s here."
                                .formatted(name);
        return new RpcException(RpcErrorKind.REFUSED, text, cause);
    }

    /** Find a method by class, name and descriptor, without initializing the class. */
    private Executable find(String name) throws ReflectiveOperationException {
        int hash = name.indexOf('#');
        int parenthesis = name.indexOf('(');
        if (hash < 1 || parenthesis < hash || name.length() > MAX_NAME_LENGTH) {
            throw new NoSuchMethodException("not the name of a method");
        }
        Class<?> type = Class.forName(name.substring(0, hash), false, loader);
        String method = name.substring(hash + 1, parenthesis);
        MethodType descriptor;
        try {
            descriptor = MethodType.fromMethodDescriptorString(name.substring(parenthesis), loader);
        } catch (TypeNotPresentException e) {
            throw new NoSuchMethodException(e.getMessage());
        }
        return method.equals("<init>")
                ? type.getDeclaredConstructor(descriptor.parameterArray())
                : method(type, method, descriptor);
    }

    private static Method method(Class<?> type, String name, MethodType descriptor)
            throws NoSuchMethodException {
        for (Method candidate : candidates(type)) {
            if (candidate.getName().equals(name)
                    && candidate.getReturnType() == descriptor.returnType()
                    && List.of(candidate.getParameterTypes()).equals(descriptor.parameterList())) {
                return candidate;
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name + descriptor);
    }

    private static List<Method> candidates(Class<?> type) {
        List<Method> all = new ArrayList<>(List.of(type.getDeclaredMethods()));
        all.addAll(List.of(type.getMethods()));
        return all;
    }
}
