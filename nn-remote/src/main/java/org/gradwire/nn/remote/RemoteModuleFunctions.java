package org.gradwire.nn.remote;

import org.gradwire.nn.Module;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Device;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * The functions that {@link RemoteModule} calls on the owner to create and call its module. Public
 * because they are called remotely; programs use {@link RemoteModule}.
 */
public final class RemoteModuleFunctions {

    private RemoteModuleFunctions() {}

    /** Create a module on a device. */
    @RemoteCallable
    public static Module create(RpcFunction<?> constructor, List<?> args, String device)
            throws Exception {
        Object made = FunctionInvoker.call(constructor, args);
        if (!(made instanceof Module module)) {
            throw new IllegalArgumentException(
                    "the constructor of a remote module must return an org.gradwire.nn.Module, but returned %s"
                            .formatted(made == null ? "null" : made.getClass().getName()));
        }
        try {
            module.to(Device.parse(device));
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcErrorKind.UNKNOWN, String.valueOf(e.getMessage()), e);
        }
        return module;
    }

    /**
     * Create a module that is used through an interface on a device, and return a reference to it.
     */
    @RemoteCallable
    public static RRef<?> createWithInterface(
            RpcFunction<?> constructor, List<?> args, String device, String moduleInterface)
            throws Exception {
        Module module = create(constructor, args, device);
        Class<?> type = interfaceOf(module.getClass(), moduleInterface);
        if (type == null) {
            throw new TypeMismatchException(
                    "a module of %s does not implement %s here; let both workers run the same version of it"
                            .formatted(module.getClass().getName(), moduleInterface));
        }
        return refer(module, type);
    }

    @SuppressWarnings("unchecked") // the module implements the interface
    private static <I> RRef<I> refer(Module module, Class<I> type) {
        return Rpc.current().rref((I) module, type);
    }

    /** A name from a peer is only compared with the class's methods. */
    private static @Nullable Class<?> interfaceOf(@Nullable Class<?> type, String name) {
        if (type == null || type.getName().equals(name)) {
            return type;
        }
        for (Class<?> parent : type.getInterfaces()) {
            Class<?> found = interfaceOf(parent, name);
            if (found != null) {
                return found;
            }
        }
        return interfaceOf(type.getSuperclass(), name);
    }

    /**
     * Call a method of a module.
     *
     * @param device that of the module; its arguments are moved there
     * @param mapped whether the caller maps devices; if not, the result is moved to the host
     * @param args without the module
     */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<@Nullable Object> forward(
            RRef<?> module, String device, boolean mapped, RpcFunction<?> method, List<?> args)
            throws Exception {
        Device place = Device.parse(device);
        boolean onHost = place.isCpu();
        List<@Nullable Object> all = new ArrayList<>(args.size() + 1);
        all.add(module.localValue());
        all.addAll(onHost ? args : ForwardTensors.moved(args, place));
        return answer(FunctionInvoker.call(method, all), onHost || mapped);
    }

    /** Call a method as {@link #forward}, for a script. */
    @ScriptFunction
    @AsyncExecution
    public static RpcFuture<@Nullable Object> forwardInScript(
            RRef<?> module, String device, boolean mapped, RpcFunction<?> method, List<?> args)
            throws Exception {
        return forward(module, device, mapped, method, args);
    }

    /** Return a future of a result, which is one itself when the method is asynchronous. */
    private static RpcFuture<@Nullable Object> answer(@Nullable Object result, boolean asItIs) {
        RpcPromise<@Nullable Object> answer = Rpc.current().promise();
        CompletionStage<?> made =
                switch (result) {
                    case RpcFuture<?> future -> future.toCompletableFuture();
                    case CompletionStage<?> stage -> stage;
                    case null, default -> CompletableFuture.completedFuture(result);
                };
        // A reply that is already complete, because its caller has cancelled, is dropped.
        var _ =
                made.thenApply(value -> asItIs ? value : ForwardTensors.onHost(value))
                        .whenComplete((value, failure) -> complete(answer, value, failure));
        answer.onDone(_ -> made.toCompletableFuture().cancel(true));
        return answer;
    }

    private static void complete(
            RpcPromise<@Nullable Object> answer,
            @Nullable Object result,
            @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(result);
            return;
        }
        Throwable cause = failure.getCause();
        if (failure instanceof CompletionException && cause instanceof RuntimeException original) {
            answer.fail(original);
        } else {
            answer.fail(new CompletionException(failure));
        }
    }
}
