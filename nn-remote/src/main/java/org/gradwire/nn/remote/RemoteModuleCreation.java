package org.gradwire.nn.remote;

import org.gradwire.nn.Module;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Creates {@link RemoteModule}s from a constructor, with or without a module interface. */
abstract sealed class RemoteModuleCreation permits RemoteModule {

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with no argument for the
     * constructor.
     */
    public static <M extends Module> RemoteModule<M> create(
            Rpc rpc, String remoteDevice, Function0<M> constructor) {
        return create(rpc, remoteDevice, Call.of(constructor));
    }

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with one argument for the
     * constructor.
     */
    public static <A extends @Nullable Object, M extends Module> RemoteModule<M> create(
            Rpc rpc, String remoteDevice, Function1<A, M> constructor, A a) {
        return create(rpc, remoteDevice, Call.of(constructor, a));
    }

    /**
     * Create a module on another worker.
     *
     * @param remoteDevice {@code worker/device}, {@code worker} or {@code rank:N/device}; the
     *     device is {@code cpu} when it is not given
     * @param constructor a reference to the constructor, or to a function that returns the module
     * @throws IllegalArgumentException as {@link #create(Rpc, String, Call)}
     * @throws org.gradwire.rpc.RpcException as {@link #create(Rpc, String, Call)}
     */
    public static <A extends @Nullable Object, B extends @Nullable Object, M extends Module>
            RemoteModule<M> create(
                    Rpc rpc, String remoteDevice, Function2<A, B, M> constructor, A a, B b) {
        return create(rpc, remoteDevice, Call.of(constructor, a, b));
    }

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with three arguments for the
     * constructor.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    M extends Module>
            RemoteModule<M> create(
                    Rpc rpc,
                    String remoteDevice,
                    Function3<A, B, C, M> constructor,
                    A a,
                    B b,
                    C c) {
        return create(rpc, remoteDevice, Call.of(constructor, a, b, c));
    }

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with four arguments for the
     * constructor.
     */
    public static <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    D extends @Nullable Object,
                    M extends Module>
            RemoteModule<M> create(
                    Rpc rpc,
                    String remoteDevice,
                    Function4<A, B, C, D, M> constructor,
                    A a,
                    B b,
                    C c,
                    D d) {
        return create(rpc, remoteDevice, Call.of(constructor, a, b, c, d));
    }

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with any number of arguments,
     * keywords among them.
     *
     * @throws IllegalArgumentException when the place cannot be parsed, or names no worker, or the
     *     arguments do not fit the constructor
     * @throws org.gradwire.rpc.RpcException when there is no such worker, or its device has no
     *     valid name; a missing device is reported at the first use
     */
    @SuppressWarnings("unchecked") // the constructor returns an M
    public static <M extends Module> RemoteModule<M> create(
            Rpc rpc, String remoteDevice, Call<M> constructor) {
        RemoteDevice place = RemoteDevice.parse(remoteDevice);
        String owner = place.workerName(rpc);
        Call<M> bound = RemoteFunctions.positional(constructor);
        var created =
                (RRef<M>)
                        rpc.<RpcFunction<?>, List<?>, String, Module>remote(
                                owner,
                                RemoteModuleFunctions::create,
                                bound.function(),
                                bound.args(),
                                place.device().toString());
        return RemoteModule.at(rpc, place, null, created);
    }

    /**
     * Create a module that is used through an interface, and wait until it exists.
     *
     * @param moduleInterface marked {@link org.gradwire.rpc.ModuleInterface} and {@link
     *     org.gradwire.rpc.RemoteCallable}; it declares all its methods, since marks are not
     *     inherited
     * @param constructor makes a {@link Module} that implements it
     * @throws IllegalArgumentException as {@link #create(Rpc, String, Call)}, and when the
     *     interface is not marked, or the created module does not implement it
     * @throws org.gradwire.rpc.RpcException as {@link #create(Rpc, String, Call)}, and when there
     *     is no such device
     */
    @SuppressWarnings("unchecked") // the constructor returns an I
    public static <I> RemoteModule<I> create(
            Rpc rpc, String remoteDevice, Class<I> moduleInterface, Call<? extends I> constructor) {
        RemoteDevice place = RemoteDevice.parse(remoteDevice);
        String owner = place.workerName(rpc);
        var _ = ProxyMethods.of(moduleInterface, moduleInterface);
        Call<? extends I> bound = RemoteFunctions.positional(constructor);
        var created =
                (RRef<I>)
                        rpc.<RpcFunction<?>, List<?>, String, String, RRef<?>>rpcSync(
                                owner,
                                RemoteModuleFunctions::createWithInterface,
                                bound.function(),
                                bound.args(),
                                place.device().toString(),
                                moduleInterface.getName());
        return RemoteModule.at(rpc, place, moduleInterface, created);
    }

    /** As {@link #create(Rpc, String, Class, Call)}, with one argument for the constructor. */
    public static <A extends @Nullable Object, I> RemoteModule<I> create(
            Rpc rpc,
            String remoteDevice,
            Class<I> moduleInterface,
            Function1<A, ? extends I> constructor,
            A a) {
        return create(rpc, remoteDevice, moduleInterface, Call.of(constructor, a));
    }
}
