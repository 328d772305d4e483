package org.gradwire.nn.remote;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.nn.Module;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

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
 * device, {@code cpu}. On any other device the module's parameters are there, tensors among the
 * arguments of a call are moved there on the owner, and those of its result back to the host,
 * unless this worker maps devices for the owner.
 *
 * <p><b>Creation</b> is asynchronous; that the module could not be made shows at its first use.
 *
 * <p><b>By interface.</b> A module may be used through an interface that is marked {@link
 * org.gradwire.rpc.ModuleInterface}, of which {@link #proxy()} gives an implementation whose
 * methods run on the owner. Such a module is made before {@code create} returns.
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
 * the same module. One that is used through an interface may not: send its {@link #moduleRRef()},
 * and let the receiver use {@link #initFromModuleRRef(Rpc, String, RRef, Class)}.
 *
 * <p><b>Release.</b> The module lives as long as a reference to it is open; {@link #close()} gives
 * this one up. A handle that a function receives is open until the function has ended, unless it
 * calls {@link #retain()}: see {@link RRef}. Safe for use by many threads.
 *
 * @param <M> type of the module, or its interface; its constructor and the methods that are called
 *     must be marked {@link org.gradwire.rpc.RemoteCallable}
 */
@SuppressWarnings("serial") // it is none of its fields that make it impossible
public final class RemoteModule<M> extends RemoteModuleCreation
        implements ModuleCalls<M>, ModuleMethods<M>, AutoCloseable, Serializable {
    static final String NO_PICKLING =
            "Cannot pickle RemoteModule in python pickler. RemoteModule can only be pickled when using RPC";
    static final String NO_UNPICKLING =
            "Cannot unpickle RemoteModule in python pickler. RemoteModule can only be unpickled when using RPC";

    /** The methods that each module has on each worker, by PyTorch's names. */
    static final List<String> GENERATED_METHODS = List.of("forward_async", "forward");

    private final Rpc rpc;
    private final String on;
    private volatile String device;
    private final boolean isDeviceMapSet;
    private final @Nullable Class<?> moduleInterface;
    private final RRef<M> module;
    private final Map<String, Object> added = new ConcurrentSkipListMap<>();

    private RemoteModule(
            Rpc rpc, String on, String device, @Nullable Class<?> moduleInterface, RRef<M> module) {
        this.rpc = rpc;
        this.on = on;
        this.device = device;
        this.isDeviceMapSet = DistAutograd.mapsDevices(rpc, module.ownerName());
        this.moduleInterface = moduleInterface;
        this.module = module;
    }

    /** Make one of what came in a message. */
    static RemoteModule<?> received(Rpc rpc, String on, String device, RRef<?> module) {
        return new RemoteModule<>(rpc, on, device, null, module);
    }

    /** Make a handle of a module. */
    static <M> RemoteModule<M> at(
            Rpc rpc, RemoteDevice place, @Nullable Class<M> moduleInterface, RRef<M> module) {
        return new RemoteModule<>(
                rpc, place.worker(), place.device().toString(), moduleInterface, module);
    }

    /**
     * Return another handle of a module that exists already, on this worker or another one. Nothing
     * is copied or moved; calls go to the owner of the reference, whatever the place says.
     *
     * @param remoteDevice the device that the module is on, and a worker
     * @param module belongs to the handle now: closing that closes it, and a reference that a
     *     function received is open in it for as long as before
     */
    public static <M> RemoteModule<M> initFromModuleRRef(
            Rpc rpc, String remoteDevice, RRef<M> module) {
        RemoteDevice place = RemoteDevice.parse(remoteDevice);
        var _ = place.workerName(rpc);
        return at(rpc, place, null, module);
    }

    /**
     * As {@link #initFromModuleRRef(Rpc, String, RRef)}, for a module that is used through an
     * interface.
     */
    public static <I> RemoteModule<I> initFromModuleRRef(
            Rpc rpc, String remoteDevice, RRef<I> module, Class<I> moduleInterface) {
        RemoteDevice place = RemoteDevice.parse(remoteDevice);
        var _ = place.workerName(rpc);
        var _ = ProxyMethods.of(moduleInterface, moduleInterface);
        return at(rpc, place, moduleInterface, module);
    }

    /** As {@link #initFromModuleRRef(Rpc, String, RRef)}, for a module on its owner's host. */
    public static <M> RemoteModule<M> of(Rpc rpc, RRef<M> module) {
        return at(rpc, new RemoteDevice(module.ownerName(), Device.CPU), null, module);
    }

    // ---- calls

    @Override
    public <R extends @Nullable Object> RpcFuture<R> forwardAsync(Call<R> method) {
        boolean plain = moduleInterface == null && device.equals(Device.CPU.toString());
        return plain ? module.rpcAsync(method) : forwardByOwner(method);
    }

    /**
     * Let the owner call the method with what it has prepared; a script's call stays a script's.
     */
    @SuppressWarnings("unchecked") // the method returns an R
    private <R extends @Nullable Object> RpcFuture<R> forwardByOwner(Call<R> method) {
        Call<R> bound = method.positional(module);
        Call<?> call =
                rpc.script().isRunning()
                        ? Call.to(RpcFunction.async(RemoteModuleFunctions::forwardInScript))
                        : Call.to(RpcFunction.async(RemoteModuleFunctions::forward));
        return (RpcFuture<R>)
                rpc.rpcAsync(
                        module.ownerName(),
                        call.args(module, device, isDeviceMapSet, bound.function(), bound.args()));
    }

    /**
     * Return an implementation of the module's interface whose methods run on the owner and wait
     * for their results; those that are marked {@link org.gradwire.rpc.AsyncExecution} return
     * futures.
     *
     * @throws TypeMismatchException when the module is not used through an interface
     */
    @SuppressWarnings("unchecked") // it is the interface's class
    public M proxy() {
        return proxy((Class<M>) requireInterface());
    }

    /**
     * Return an implementation of an interface that extends the module's, whose methods run on the
     * owner. A method that it adds has the name of one of the module's with {@code Async} after it,
     * the same parameters, and an {@link RpcFuture} of its result, and does not wait. It needs no
     * mark.
     *
     * @throws TypeMismatchException when the module is not used through an interface, or a method
     *     that was added fits none of it
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

    /** Put the module and all below it into training mode, and wait until it is. */
    public RemoteModule<M> train() {
        return train(true);
    }

    /** Put the module and all below it into training mode, or out of it, and wait until it is. */
    public RemoteModule<M> train(boolean mode) {
        module.runSync(RemoteModuleOperations::train, mode);
        return this;
    }

    /** Put the module and all below it into evaluation mode, and wait until it is. */
    public RemoteModule<M> eval() {
        return train(false);
    }

    /**
     * Move the module to another device of its worker, and wait until it is there. Other handles
     * still take it to be where it was: make them again.
     *
     * @throws IllegalArgumentException when there is no such device; nothing was moved
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

    /**
     * {@return the worker that the module was made on, as it was given: its name, or {@code
     * rank:N}}
     */
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
     * {@return what this handle knows, by PyTorch's names: {@code on}, {@code device}, {@code
     * is_device_map_set}, {@code is_scriptable}, {@code generated_methods}, {@code module_rref},
     * which travel, and what was {@linkplain #attribute added}, which does not}
     */
    public Map<String, Object> attributes() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("on", on);
        all.put("device", device);
        all.put("is_device_map_set", isDeviceMapSet);
        all.put("is_scriptable", isScriptable());
        all.put("generated_methods", GENERATED_METHODS);
        all.put("module_rref", module);
        all.putAll(added);
        return all;
    }

    /**
     * Add an attribute to this handle. It stays here: sending the handle leaves it out, with a
     * warning.
     *
     * @throws IllegalArgumentException when the handle has an attribute of this name by itself
     */
    public void attribute(String name, Object value) {
        Object old = attributes().get(name);
        if (old != null && !added.containsKey(name)) {
            throw new IllegalArgumentException(
                    "attribute '%s' is '%s' and cannot be set; take another name"
                            .formatted(name, old));
        }
        added.put(name, value);
    }

    Map<String, Object> added() {
        return added;
    }

    /**
     * Keep this handle when the call that it came with has ended, as {@link RRef#retain} does.
     *
     * @return this handle
     */
    public RemoteModule<M> retain() {
        module.retain();
        return this;
    }

    /** Give the reference to the module up. */
    @Override
    public void close() {
        module.close();
    }

    @Override
    public String toString() {
        return "RemoteModule(%s/%s, %s)".formatted(on, device, module);
    }

    /** A handle outside messages would hold a reference that its owner does not know of. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(NO_PICKLING);
    }

    private Object readResolve() throws NotSerializableException {
        throw new NotSerializableException(NO_UNPICKLING);
    }
}
