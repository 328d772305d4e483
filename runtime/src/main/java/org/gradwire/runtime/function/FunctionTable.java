package org.gradwire.runtime.function;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.AsyncReference;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.runtime.classes.MarkedClasses;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.spi.RateLimitedLog;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.process.CodePath;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The functions that may be called remotely: installed operators and marked methods. Callers find a
 * function by a method reference, callees by its name. Thread-safe.
 *
 * <p>One instance serves the JVM. Looking up a name from a peer runs no code of the class, and
 * finds only marked methods.
 */
public final class FunctionTable {
    private final RateLimitedLog refusals =
            new RateLimitedLog(
                    System.getLogger(FunctionTable.class.getName()), Duration.ofSeconds(1));

    // Few of the installed functions are called, so they are resolved when needed.
    private final Map<String, Operator> installed = new HashMap<>();
    private final Map<String, RemoteFunction> operators = new ConcurrentHashMap<>();
    private final Map<String, RemoteFunction> methods = new ConcurrentHashMap<>();
    private final Map<Class<?>, ResolvedReference> byLambdaClass = new ConcurrentHashMap<>();
    private final Defaults defaults;
    private final Signatures signatures;
    private final ModuleInterfaces modules = new ModuleInterfaces();
    private final MarkedClasses classes;
    private final RemoteMethods remoteMethods = new RemoteMethods();

    /**
     * The function of a method reference.
     *
     * @param receiver the object that the reference is bound to; null for none
     * @param expectedFuture the type of future that the program expects the function to return to
     *     its caller, which no remote function does; null for none
     */
    public record ResolvedReference(
            RemoteFunction function, @Nullable Object receiver, @Nullable Class<?> expectedFuture) {

        /** Create the function of a reference whose result type is unknown to the compiler. */
        public ResolvedReference(RemoteFunction function, @Nullable Object receiver) {
            this(function, receiver, null);
        }
    }

    public FunctionTable(
            Stream<OperatorProvider> libraries, Defaults defaults, ClassLoader loader) {
        this(libraries, defaults, new MarkedClasses(loader));
    }

    public FunctionTable(
            Stream<OperatorProvider> libraries, Defaults defaults, MarkedClasses classes) {
        this.defaults = defaults;
        this.signatures = new Signatures(defaults);
        this.classes = classes;
        Stream.concat(Stream.of(new RuntimeOperators()), libraries)
                .flatMap(library -> library.operators().stream())
                .forEach(this::add);
    }

    private void add(Operator operator) {
        if (installed.put(operator.name(), operator) != null) {
            throw new RpcConfigurationException(
                    "operator %s is provided twice; leave one library of operators on the %s"
                            .formatted(operator.name(), CodePath.of(FunctionTable.class)));
        }
    }

    private RemoteFunction functionOf(Operator operator) {
        return new RemoteFunction(
                FunctionKind.BUILTIN,
                operator.name(),
                operator.name().getBytes(StandardCharsets.UTF_8),
                operator.schema(),
                true,
                List.of(operator.parameterTypes()),
                DeclaredTypes.of(operator),
                defaultsOf(operator),
                false,
                operator.nonRetaining(),
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
     * Return the function of a reference.
     *
     * @throws IllegalArgumentException if it may not be called remotely, with the reason
     */
    public ResolvedReference resolve(@Nullable RpcFunction<?> reference) {
        if (reference == null) {
            throw new TypeMismatchException(
                    "the remote function is null; write it as Type::method");
        }
        if (reference instanceof ReceivedReference received) {
            return received.resolved();
        }
        return reference instanceof AsyncReference async
                ? resolveAsync(async.function())
                : resolveWritten(reference);
    }

    private ResolvedReference resolveAsync(RpcFunction<?> reference) {
        ResolvedReference resolved = resolve(reference);
        if (!resolved.function().async()) {
            throw new TypeMismatchException(
                    "RpcFunction.async takes a function marked @AsyncExecution, which %s is not: add the mark, or leave RpcFunction.async out"
                            .formatted(resolved.function().schema()));
        }
        return new ResolvedReference(resolved.function(), resolved.receiver());
    }

    private ResolvedReference resolveWritten(RpcFunction<?> reference) {
        ResolvedReference known = byLambdaClass.get(reference.getClass());
        if (known == null) {
            NamedMethod method = MethodReferences.resolve(reference);
            RemoteFunction function = functionOf(method);
            Class<?> expected = function.async() ? futureClass(method.resultClass()) : null;
            known = new ResolvedReference(function, method.receiver(), expected);
            if (method.isFixed()) {
                byLambdaClass.put(reference.getClass(), known);
            }
        }
        return known;
    }

    /** {@return the class with a name if it is one of futures, else null} */
    private @Nullable Class<?> futureClass(String className) {
        if (className.isEmpty()) {
            return null;
        }
        try {
            Class<?> type = classes.findLocal(className);
            boolean isFuture =
                    RpcFuture.class.isAssignableFrom(type)
                            || CompletionStage.class.isAssignableFrom(type);
            return isFuture ? type : null;
        } catch (ClassNotFoundException _) {
            return null; // futures are detected
        }
    }

    /**
     * Check that a program does not expect the future of an asynchronous function: callers get its
     * value.
     */
    public static void requireValue(ResolvedReference reference) {
        Class<?> future = reference.expectedFuture();
        if (future == null) {
            return;
        }
        String name = reference.function().schema().name();
        String written = name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
        String advice =
                RpcFuture.class.isAssignableFrom(future)
                        ? "write "
                        : "return Rpc.current().future(stage), an RpcFuture, instead of the %s, and write "
                                .formatted(future.getSimpleName());
        throw new TypeMismatchException(
                "%s is marked @AsyncExecution, so its caller gets the value of its future and not the future: %sRpcFunction.async(%s)"
                        .formatted(name, advice, written.replace(".", "::")));
    }

    /**
     * Check that the receiver of a reference can be sent; a module cannot.
     *
     * @param bindable whether a receiver can be sent
     */
    public void requireSendable(ResolvedReference reference, Predicate<Object> bindable) {
        Object receiver = reference.receiver();
        if (receiver != null && (modules.isModule(receiver) || !bindable.test(receiver))) {
            throw new TypeMismatchException(
                    "%s of a module (%s) cannot be sent, which would take serialization of the module with each call: call it through an RRef to the module, or send the module as an argument"
                            .formatted(
                                    reference.function().schema(), receiver.getClass().getName()));
        }
    }

    private RemoteFunction functionOf(NamedMethod method) {
        String name = method.key();
        RemoteFunction known = methods.get(name);
        if (known != null) {
            return known;
        }
        try {
            return functionOf(
                    name, RemoteMethods.findLocal(classes.findLocal(method.type()), name));
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException("cannot find %s: %s".formatted(name, e), e);
        }
    }

    /**
     * Return a reference to a method, like a reference sent by a peer.
     *
     * @throws TypeMismatchException when it may not be called remotely
     */
    public RpcFunction<? extends @Nullable Object> reference(Method method) {
        String name = RemoteMethods.nameOf(method.getDeclaringClass(), method);
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
     * @throws RpcException when there is none, or it may not be called
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
                    "there is no operator %s here; put the library that provides it on the %s"
                            .formatted(
                                    UntrustedText.quote(name), CodePath.of(FunctionTable.class)));
        }
        return operators.computeIfAbsent(name, _ -> functionOf(operator));
    }

    private RemoteFunction firstLookUp(FunctionKind kind, String name) {
        Class<?> type = markedClass(name);
        if (type == null) {
            throw unknown(kind, name);
        }
        Executable method = remoteMethods.find(type, name);
        if (method == null) {
            logRefusal(type, name);
            throw unknown(kind, name);
        }
        return methods.computeIfAbsent(name, wireName -> signatures.describe(method, wireName));
    }

    /** {@return the name of a method as programs write it, of the name that a peer sent} */
    public static String writtenName(String name) {
        int hash = name.indexOf('#');
        int end = name.indexOf('(', hash + 1);
        if (hash < 0 || end < 0) {
            return name;
        }
        String owner = name.substring(0, hash).replace('$', '.');
        String method = name.substring(hash + 1, end);
        return method.equals("<init>") ? owner : owner + "." + method;
    }

    private @Nullable Class<?> markedClass(String name) {
        int hash = name.indexOf('#');
        return hash < 1 || name.length() > MarkedClasses.MAX_NAME_LENGTH
                ? null
                : classes.find(name.substring(0, hash));
    }

    /** Log the reason, which is not sent to the peer. */
    private void logRefusal(Class<?> type, String name) {
        refusals.log(
                System.Logger.Level.WARNING,
                () ->
                        "a peer called %s, which is refused: %s"
                                .formatted(
                                        UntrustedText.quote(name),
                                        RemoteMethods.refusal(type, name)));
    }

    private static RpcException unknown(FunctionKind kind, String name) {
        String quoted = UntrustedText.quote(name);
        String text =
                kind == FunctionKind.SCRIPT
                        ? "attempted to get undefined function %s (%s); a script function must be public, static and marked @ScriptFunction"
                                .formatted(simpleName(name), quoted)
                        : "there is no function %s here that is public, marked @RemoteCallable and, if it is in a module, in an exported package; code is never sent, so its class must be on the path of caller and callee"
                                .formatted(quoted);
        return new RpcException(RpcErrorKind.REFUSED, text);
    }

    private static String simpleName(String name) {
        int end = name.indexOf('(');
        int hash = name.indexOf('#');
        return UntrustedText.quote(
                end <= hash ? name.substring(hash + 1) : name.substring(hash + 1, end));
    }
}
