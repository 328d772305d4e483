package org.gradwire.nn.remote;

import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFunction.Function1;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.rpc.RpcFunction.Function3;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A module on another worker. Within an autograd context, calls of it are recorded like any call,
 * so a backward pass reaches its parameters.
 *
 * {@snippet :
 * var layer = RemoteModule.create(rpc, "worker1/cpu", Linear::new, 20, 30);
 * Tensor y = layer.forward(Linear::forward, x);
 * }
 *
 * <p>The module is made asynchronously; that it could not be made shows at its first use. It lives
 * as long as a reference to it is open; {@link #close()} gives this one up.
 *
 * @param <M> type of the module; its constructor and the methods that are called must be marked
 *     {@link org.gradwire.rpc.RemoteCallable}
 */
public final class RemoteModule<M extends Module> implements AutoCloseable {
    private final Rpc rpc;
    private final RemoteDevice device;
    private final RRef<M> module;

    private RemoteModule(Rpc rpc, RemoteDevice device, RRef<M> module) {
        this.rpc = rpc;
        this.device = device;
        this.module = module;
    }

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with no argument for the
     * constructor.
     */
    public static <M extends Module> RemoteModule<M> create(
            Rpc rpc, String remoteDevice, Function0<M> constructor) {
        return make(rpc, remoteDevice, constructor);
    }

    /**
     * As {@link #create(Rpc, String, Function2, Object, Object)}, with one argument for the
     * constructor.
     */
    public static <A extends @Nullable Object, M extends Module> RemoteModule<M> create(
            Rpc rpc, String remoteDevice, Function1<A, M> constructor, A a) {
        return make(rpc, remoteDevice, constructor, a);
    }

    /**
     * Make a module on another worker.
     *
     * @param remoteDevice {@code worker/device}, {@code worker} or {@code rank:N/device}; the
     *     device is {@code cpu} when it is not given
     * @param constructor a reference to the constructor, or to a function that returns the module
     * @throws IllegalArgumentException when the place cannot be parsed
     * @throws org.gradwire.rpc.RpcException when there is no such worker or device
     */
    public static <A extends @Nullable Object, B extends @Nullable Object, M extends Module>
            RemoteModule<M> create(
                    Rpc rpc, String remoteDevice, Function2<A, B, M> constructor, A a, B b) {
        return make(rpc, remoteDevice, constructor, a, b);
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
        return make(rpc, remoteDevice, constructor, a, b, c);
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
        return make(rpc, remoteDevice, constructor, a, b, c, d);
    }

    /**
     * Return another handle of a module that exists already, on this worker or another one. Nothing
     * is copied; calls go to the owner of the reference.
     */
    public static <M extends Module> RemoteModule<M> of(Rpc rpc, RRef<M> module) {
        return new RemoteModule<>(rpc, new RemoteDevice(module.ownerName(), Device.CPU), module);
    }

    @SuppressWarnings("unchecked") // the constructor returns an M
    private static <M extends Module> RemoteModule<M> make(
            Rpc rpc, String remoteDevice, RpcFunction<M> constructor, @Nullable Object... args) {
        RemoteDevice device = RemoteDevice.parse(remoteDevice);
        if (!device.device().isCpu()) {
            throw new RpcException(
                    "modules are made on cpu only, not on %s; create this one on %s/cpu"
                            .formatted(device.device(), device.worker()));
        }
        var created =
                (RRef<M>)
                        rpc.<RpcFunction<?>, List<?>, Module>remote(
                                workerName(rpc, device),
                                RemoteModuleFunctions::create,
                                constructor,
                                listOf(args));
        return new RemoteModule<>(rpc, device, created);
    }

    private static String workerName(Rpc rpc, RemoteDevice device) {
        String worker = device.worker();
        return worker.startsWith("rank:")
                ? rpc.worker(Integer.parseInt(worker.substring("rank:".length()))).name()
                : rpc.worker(worker).name();
    }

    private static List<@Nullable Object> listOf(@Nullable Object... args) {
        List<@Nullable Object> list = new ArrayList<>(args.length);
        Collections.addAll(list, args);
        return list;
    }

    /** Call a method of the module without arguments and wait for its result. */
    public <R extends @Nullable Object> R forward(Function1<? super M, R> method) {
        return module.rpcSync(method);
    }

    /** Call a method of the module, {@code Linear::forward} say, and wait for its result. */
    public <A extends @Nullable Object, R extends @Nullable Object> R forward(
            Function2<? super M, A, R> method, A a) {
        return module.rpcSync(method, a);
    }

    /** Call a method of the module with two arguments and wait for its result. */
    public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            R forward(Function3<? super M, A, B, R> method, A a, B b) {
        return module.rpcSync(method, a, b);
    }

    /** Call a method of the module with three arguments and wait for its result. */
    public <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            R forward(Function4<? super M, A, B, C, R> method, A a, B b, C c) {
        return module.rpcSync(method, a, b, c);
    }

    /** Call a method of the module without arguments. */
    public <R extends @Nullable Object> RpcFuture<R> forwardAsync(Function1<? super M, R> method) {
        return module.rpcAsync(method);
    }

    /** Call a method of the module, {@code Linear::forward} say. */
    public <A extends @Nullable Object, R extends @Nullable Object> RpcFuture<R> forwardAsync(
            Function2<? super M, A, R> method, A a) {
        return module.rpcAsync(method, a);
    }

    /** Call a method of the module with two arguments. */
    public <A extends @Nullable Object, B extends @Nullable Object, R extends @Nullable Object>
            RpcFuture<R> forwardAsync(Function3<? super M, A, B, R> method, A a, B b) {
        return module.rpcAsync(method, a, b);
    }

    /** Call a method of the module with three arguments. */
    public <
                    A extends @Nullable Object,
                    B extends @Nullable Object,
                    C extends @Nullable Object,
                    R extends @Nullable Object>
            RpcFuture<R> forwardAsync(Function4<? super M, A, B, C, R> method, A a, B b, C c) {
        return module.rpcAsync(method, a, b, c);
    }

    /**
     * {@return references to the parameters of the module and its children, owned by its worker}
     */
    public List<RRef<Tensor>> remoteParameters() {
        return rpc.<RRef<? extends Module>, List<RRef<Tensor>>>rpcSync(
                module.ownerName(), RemoteModuleFunctions::parameters, module);
    }

    /** Put the module into training mode, or out of it, and wait until it is. */
    public void train(boolean mode) {
        rpc.<RRef<? extends Module>, Boolean>runSync(
                module.ownerName(), RemoteModuleFunctions::train, module, mode);
    }

    /** {@return the reference to the module} */
    public RRef<M> moduleRRef() {
        return module;
    }

    /** {@return the worker that the module was made on, as it was given} */
    public String on() {
        return device.worker();
    }

    /** {@return the device that the module was put on} */
    public String device() {
        return device.device().toString();
    }

    /** Give the reference to the module up. */
    @Override
    public void close() {
        module.close();
    }
}
