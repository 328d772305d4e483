package org.gradwire.nn.remote;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Module;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.jspecify.annotations.Nullable;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
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
 * <p><b>Place.</b> It is {@code worker/device}, {@code worker} or {@code rank:N/device}; without a
 * device, {@code cpu}. With any other device, the module's parameters are on it; the owner moves
 * tensors among the arguments of a call to it, and those of the result back to the host, unless
 * this worker maps devices for the owner.
 *
 * <p><b>Creation</b> is asynchronous; its failure is reported at the first use.
 *
 * <p><b>By interface.</b> A module may be used through an interface that is marked {@link
 * org.gradwire.rpc.ModuleInterface}, of which {@link #proxy()} returns an implementation whose
 * methods run on the owner. Such a module exists when {@code create} returns.
 *
 * {@snippet :
 * @ModuleInterface
 * @RemoteCallable
 * public interface Encoder {
 *     Tensor encode(Tensor input);
 * }
 *
 * public interface RemoteEncoder extends Encoder {
 *     RpcFuture<Tensor> encodeAsync(Tensor input);
 * }
 *
 * var encoder = RemoteModule.create(rpc, "worker1", Encoder.class, MyEncoder::new, 128);
 * Tensor now = encoder.proxy().encode(x);
 * RpcFuture<Tensor> later = encoder.proxy(RemoteEncoder.class).encodeAsync(x);
 * }
 *
 * <p><b>Sending.</b> A remote module may be an argument or a result of a call; the receiver calls
 * the same module. A module used through an interface cannot be sent: send its {@link
 * #moduleRRef()}, from which the receiver creates a handle by {@link #initFromModuleRRef(Rpc,
 * String, RRef, Class)}.
 *
 * <p><b>Release.</b> The module lives as long as a reference to it is open; {@link #close()}
 * releases this one. A handle that a function receives is open until the function has ended, unless
 * it calls {@link #retain()}: see {@link RRef}. Safe for use by many threads.
 *
 * @param <M> type of the module, or its interface; its constructor and the methods that are called
 *     must be marked {@link org.gradwire.rpc.RemoteCallable}
 */
@SuppressWarnings("serial") // none of its fields is the reason
public final class RemoteModule<M> extends RemoteModuleCreation
        implements ModuleCalls<M>, ModuleMethods<M>, AutoCloseable, Serializable {
    static final String NOT_SERIALIZABLE = "RemoteModule can only be serialized when using RPC";
    static final String NOT_DESERIALIZABLE = "RemoteModule can only be deserialized when using RPC";

    /** The methods that each module has on each worker, by PyTorch's names. */
    static final List<String> GENERATED_METHODS = List.of("forward_async", "forward");

    private final Rpc rpc;
    private final String on;
    private volatile String device;
    private final boolean isDeviceMapSet;
    private final @Nullable Class<?> moduleInterface;
    private final RRef<M> module;

    private RemoteModule(
            Rpc rpc, String on, String device, @Nullable Class<?> moduleInterface, RRef<M> module) {
        this.rpc = rpc;
        this.on = on;
        this.device = device;
        this.isDeviceMapSet = DistAutograd.mapsDevices(rpc, module.owner().name());
        this.moduleInterface = moduleInterface;
        this.module = module;
    }

    /** Create a handle from a received message. */
    static RemoteModule<?> received(Rpc rpc, String on, String device, RRef<?> module) {
        return new RemoteModule<>(rpc, on, device, null, module);
    }

    /** Create a handle of a module. */
    static <M> RemoteModule<M> at(
            Rpc rpc, RemoteDevice place, @Nullable Class<M> moduleInterface, RRef<M> module) {
        return new RemoteModule<>(
                rpc, place.worker(), place.device().toString(), moduleInterface, module);
    }

    /**
     * Return another handle of a module that exists already, on this worker or another one. Nothing
     * is copied or moved; calls go to the owner of the reference, regardless of the given worker.
     *
     * @param remoteDevice the device that the module is on, and a worker
     * @param module owned by the handle, which closes it; a reference received by a function stays
     *     open for as long as before
     */
    public static <M> RemoteModule<M> initFromModuleRRef(
            Rpc rpc, String remoteDevice, RRef<M> module) {
        RemoteDevice place = RemoteDevice.parse(remoteDevice);
        var _ = place.workerName(rpc);
        return at(rpc, place, null, module);
    }

    /**
     * Return another handle of a module used through an interface; see {@link
     * #initFromModuleRRef(Rpc, String, RRef)}.
     */
    public static <I> RemoteModule<I> initFromModuleRRef(
            Rpc rpc, String remoteDevice, RRef<I> module, Class<I> moduleInterface) {
        RemoteDevice place = RemoteDevice.parse(remoteDevice);
        var _ = place.workerName(rpc);
        var _ = ProxyMethods.of(moduleInterface, moduleInterface);
        return at(rpc, place, moduleInterface, module);
    }

    /**
     * Return another handle of a module on its owner's host; see {@link #initFromModuleRRef(Rpc,
     * String, RRef)}.
     */
    public static <M> RemoteModule<M> of(Rpc rpc, RRef<M> module) {
        return at(rpc, new RemoteDevice(module.owner().name(), Device.CPU), null, module);
    }

    // ---- calls

    @Override
    public <R extends @Nullable Object> RpcFuture<R> forwardAsync(Call<R> method) {
        boolean plain = moduleInterface == null && device.equals(Device.CPU.toString());
        return plain ? module.rpcAsync(method) : forwardByOwner(method);
    }

    /** Call the method on the owner; a call from a script stays a script call. */
    @SuppressWarnings("unchecked") // the method returns an R
    private <R extends @Nullable Object> RpcFuture<R> forwardByOwner(Call<R> method) {
        Call<R> bound = RemoteFunctions.positional(method, module);
        Call<?> call =
                rpc.script().isRunning()
                        ? Call.to(RpcFunction.async(RemoteModuleFunctions::forwardInScript))
                        : Call.to(RpcFunction.async(RemoteModuleFunctions::forward));
        return (RpcFuture<R>)
                rpc.rpcAsync(
                        module.owner().name(),
                        call.args(module, device, isDeviceMapSet, bound.function(), bound.args()));
    }

    /**
     * Return an implementation of the module's interface whose methods run on the owner and wait
     * for their results; methods marked {@link org.gradwire.rpc.AsyncExecution} return futures.
     *
     * @throws TypeMismatchException when the module is not used through an interface
     */
    @SuppressWarnings("unchecked") // it is the interface's class
    public M proxy() {
        return proxy((Class<M>) requireInterface());
    }

    /**
     * Return an implementation of an interface that extends the module's, whose methods run on the
     * owner. An added method has the name of a method of the module followed by {@code Async}, the
     * same parameters, and an {@link RpcFuture} of its result; it does not wait and needs no
     * annotation.
     *
     * @throws TypeMismatchException when the module is not used through an interface, or an added
     *     method matches none of its methods
     */
    public <A extends M> A proxy(Class<A> type) {
        return ModuleProxy.of(this, ProxyMethods.of(requireInterface(), type), type);
    }

    private Class<?> requireInterface() {
        if (moduleInterface == null) {
            throw new TypeMismatchException(
                    "%s is not used through an interface and has no proxy; name its interface where it is made, or call forward(Type::method, ...)"
                            .formatted(this));
        }
        return moduleInterface;
    }

    // ---- methods of a module that change this handle, or return it

    /** Put the module and its descendants into training mode and wait for completion. */
    public RemoteModule<M> train() {
        return train(true);
    }

    /**
     * Put the module and its descendants into training or evaluation mode and wait for completion.
     */
    public RemoteModule<M> train(boolean mode) {
        module.runSync(RemoteModuleOperations::train, mode);
        return this;
    }

    /** Put the module and its descendants into evaluation mode and wait for completion. */
    public RemoteModule<M> eval() {
        return train(false);
    }

    /**
     * Move the module to another device of its worker, and wait for the end of the move. Other
     * handles keep the old device; create them again.
     *
     * @throws IllegalArgumentException when the device does not exist; nothing was moved
     */
    public RemoteModule<M> to(Device newDevice) {
        module.runSync(RemoteModuleOperations::toDevice, newDevice.toString());
        device = newDevice.toString();
        return this;
    }

    /** Convert the module to another element type; see {@link Module#to(DType)}. */
    public RemoteModule<M> to(DType dtype) {
        module.runSync(RemoteModuleOperations::toType, dtype.name());
        return this;
    }

    // ---- attributes

    /** {@return the worker of the module, as given: its name, or {@code rank:N}} */
    public String on() {
        return on;
    }

    /** {@return the device of its worker that the module is on} */
    public String device() {
        return device;
    }

    @Override
    public boolean isDeviceMapSet() {
        return isDeviceMapSet;
    }

    /** {@return whether the module is used through an interface} */
    public boolean isScriptable() {
        return moduleInterface != null;
    }

    @Override
    public RRef<M> moduleRRef() {
        return module;
    }

    /**
     * Keep this handle open after the call that brought it; see {@link RRef#retain}.
     *
     * @return this handle
     */
    public RemoteModule<M> retain() {
        module.retain();
        return this;
    }

    /** Release the reference to the module. */
    @Override
    public void close() {
        module.close();
    }

    @Override
    public String toString() {
        return "RemoteModule(%s/%s, %s)".formatted(on, device, module);
    }

    /** Serialized outside a message, a handle would hold a reference unknown to its owner. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(NOT_SERIALIZABLE);
    }

    private Object readResolve() throws NotSerializableException {
        throw new NotSerializableException(NOT_DESERIALIZABLE);
    }
}
