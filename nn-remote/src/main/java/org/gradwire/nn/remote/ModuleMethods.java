package org.gradwire.nn.remote;

import org.gradwire.nn.IncompatibleKeys;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/**
 * The methods of {@link Module} on the owner of a {@link RemoteModule}. Each waits for its end
 * there, and fails if the module could not be created.
 *
 * <p>No method returns the module's own tensors and children, which stay on the owner: use {@link
 * #remoteParameters()}, {@link #namedParameters()} and {@link #namedBuffers()}, or call a custom
 * function with {@link #moduleRRef()}.
 *
 * @param <M> type of the module, or an interface of it
 */
public sealed interface ModuleMethods<M> permits RemoteModule {

    /** {@return the reference to the module, always the same object} */
    RRef<M> moduleRRef();

    /** {@return whether this worker maps devices for the owner of the module} */
    boolean isDeviceMapSet();

    /**
     * {@return references to the parameters of the module and its descendants, owned by its worker;
     * for a {@link DistributedOptimizer}. The caller closes them}
     */
    default List<RRef<Tensor>> remoteParameters() {
        return remoteParameters(true);
    }

    /**
     * {@return as {@link #remoteParameters()}, or for the parameters of the module alone}
     *
     * @param recurse whether to include those of descendants
     */
    default List<RRef<Tensor>> remoteParameters(boolean recurse) {
        return moduleRRef().rpcSync(RemoteModuleOperations::parameters, recurse);
    }

    /** {@return references to the parameters of the module and its descendants, by their paths} */
    default Map<String, RRef<Tensor>> namedParameters() {
        return moduleRRef().rpcSync(RemoteModuleOperations::namedParameters, true);
    }

    /** {@return references to the buffers of the module and its descendants, by their paths} */
    default Map<String, RRef<Tensor>> namedBuffers() {
        return moduleRRef().rpcSync(RemoteModuleOperations::namedBuffers, true);
    }

    /** {@return whether the module is in training mode} */
    default boolean isTraining() {
        return moduleRRef().rpcSync(RemoteModuleOperations::isTraining);
    }

    /**
     * {@return a copy of the module's state by path, as {@link Module#stateDict}; on the host, or
     * on mapped devices}
     */
    default Map<String, Tensor> stateDict() {
        return moduleRRef().rpcSync(RemoteModuleOperations::stateDict, isDeviceMapSet());
    }

    /** Load a state strictly; see {@link #loadStateDict(Map, boolean)}. */
    default IncompatibleKeys loadStateDict(Map<String, Tensor> state) {
        return loadStateDict(state, true);
    }

    /**
     * Copy a state into the module.
     *
     * @param state on the host, or on devices that are mapped
     * @throws IllegalArgumentException as {@link Module#loadStateDict(Map, boolean)}; nothing was
     *     changed
     */
    default IncompatibleKeys loadStateDict(Map<String, Tensor> state, boolean strict) {
        return moduleRRef().rpcSync(RemoteModuleOperations::loadStateDict, state, strict);
    }

    /** Clear the gradients of all parameters. Gradients in autograd contexts are not affected. */
    default void zeroGrad() {
        zeroGrad(true);
    }

    /** Clear the gradients of all parameters, or set them to zero. */
    default void zeroGrad(boolean setToNone) {
        moduleRRef().runSync(RemoteModuleOperations::zeroGrad, setToNone);
    }

    /** Set whether the parameters of the module and its descendants require gradients. */
    default void requiresGrad(boolean wanted) {
        moduleRRef().runSync(RemoteModuleOperations::requiresGrad, wanted);
    }

    /** {@return the tree of the module and its descendants, as printed on its owner} */
    default String text() {
        return moduleRRef().rpcSync(RemoteModuleOperations::text);
    }

    /** {@return a table of the module and its descendants; see {@link Module#summary}} */
    default String summary() {
        return moduleRRef().rpcSync(RemoteModuleOperations::summary);
    }
}
