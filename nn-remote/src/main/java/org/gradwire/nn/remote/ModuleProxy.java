package org.gradwire.nn.remote;

import org.gradwire.nn.remote.ProxyMethods.Target;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** The invocation handler of typed proxies: calls methods on the owner of the module. */
@SuppressWarnings("serial") // its module refuses to be serialized, and says why
final class ModuleProxy implements InvocationHandler, Serializable {
    private final RemoteModule<?> module;
    private final transient ProxyMethods methods;

    private ModuleProxy(RemoteModule<?> module, ProxyMethods methods) {
        this.module = module;
        this.methods = methods;
    }

    static <I> I of(RemoteModule<?> module, ProxyMethods methods, Class<I> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type, RemoteProxy.class},
                        new ModuleProxy(module, methods)));
    }

    @Override
    public @Nullable Object invoke(
            Object proxy, Method method, @Nullable Object @Nullable [] args) {
        Target target = methods.target(method);
        if (target == null) {
            return ofProxy(proxy, method, args);
        }
        Call<? extends @Nullable Object> call =
                args == null ? Call.of(target.function()) : Call.of(target.function(), args);
        if (!target.async()) {
            return module.forward(call);
        }
        RpcFuture<?> future = module.forwardAsync(call);
        return method.getReturnType() == RpcFuture.class ? future : future.toCompletableFuture();
    }

    /** The methods that every proxy has besides those of its interface. */
    private @Nullable Object ofProxy(
            Object proxy, Method method, @Nullable Object @Nullable [] args) {
        return switch (method.getName()) {
            case "remoteModule" -> module;
            case "equals" -> args != null && isSame(proxy, args[0]);
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "proxy of " + module;
        };
    }

    @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
    private static boolean isSame(Object proxy, @Nullable Object other) {
        return proxy == other;
    }
}
