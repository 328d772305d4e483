package org.gradwire.nn.remote;

import org.gradwire.nn.IncompatibleKeys;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The operations that {@link RemoteModule} calls on its module at the owner. Public because they
 * are called remotely; programs use {@link RemoteModule}.
 */
@RemoteCallable
public final class RemoteModuleOperations {

    private RemoteModuleOperations() {}

    private static Module moduleOf(Object value) {
        if (value instanceof Module module) {
            return module;
        }
        throw new IllegalArgumentException(
                "the value behind the reference, a %s, is not a Module; use its methods through the reference"
                        .formatted(value.getClass().getName()));
    }

    /** Return references to the parameters of the module, made here. */
    public static List<RRef<Tensor>> parameters(Object module, boolean recurse) {
        return List.copyOf(namedParameters(module, recurse).values());
    }

    /** Return references to the parameters of the module by their paths. */
    public static Map<String, RRef<Tensor>> namedParameters(Object module, boolean recurse) {
        return references(moduleOf(module).namedParameters(recurse));
    }

    /** Return references to the buffers of the module by their paths. */
    public static Map<String, RRef<Tensor>> namedBuffers(Object module, boolean recurse) {
        return references(moduleOf(module).namedBuffers(recurse));
    }

    private static Map<String, RRef<Tensor>> references(Map<String, Tensor> tensors) {
        Rpc rpc = Rpc.current();
        Map<String, RRef<Tensor>> references = new LinkedHashMap<>();
        tensors.forEach((path, tensor) -> references.put(path, rpc.rref(tensor)));
        return references;
    }

    /** Put the module into training or evaluation mode. */
    public static void train(Object module, boolean mode) {
        moduleOf(module).train(mode);
    }

    /** Return whether the module is in training mode. */
    public static boolean isTraining(Object module) {
        return moduleOf(module).isTraining();
    }

    /**
     * Return the state of the module.
     *
     * @param mapped whether the caller maps devices; if not, the state is moved to the host
     */
    public static Map<String, Tensor> stateDict(Object module, boolean mapped) {
        Map<String, Tensor> state = new LinkedHashMap<>(moduleOf(module).stateDict());
        if (!mapped) {
            state.replaceAll((_, tensor) -> tensor.to(Device.CPU));
        }
        return state;
    }

    /** Copy a state into the module. */
    public static IncompatibleKeys loadStateDict(
            Object module, Map<String, Tensor> state, boolean strict) {
        return moduleOf(module).loadStateDict(state, strict);
    }

    /** Clear the gradients of all parameters, or set them to zero. */
    public static void zeroGrad(Object module, boolean setToNone) {
        moduleOf(module).zeroGrad(setToNone);
    }

    /** Set whether parameters require gradients. */
    public static void requiresGrad(Object module, boolean wanted) {
        moduleOf(module).requiresGrad(wanted);
    }

    /** Move the module to a device. */
    public static void toDevice(Object module, String device) {
        moduleOf(module).to(Device.parse(device));
    }

    /** Convert the module to an element type, given by its name. */
    public static void toType(Object module, String dtype) {
        moduleOf(module).to(DType.valueOf(dtype));
    }

    /** Return the module as a tree. */
    public static String text(Object module) {
        return moduleOf(module).toString();
    }

    /** Return a table of the module. */
    public static String summary(Object module) {
        return moduleOf(module).summary();
    }
}
