package org.gradwire.conformance.cases.modules;

import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Remote functions that take remote modules, or references to modules. */
public final class RemoteModuleCallers {

    private RemoteModuleCallers() {}

    /** Return the attributes of a remote module after its transfer, by PyTorch's names. */
    @RemoteCallable
    public static Map<String, Object> attributes(RemoteModule<WordModule> module) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("on", module.on());
        attributes.put("device", module.device());
        attributes.put("is_device_map_set", module.isDeviceMapSet());
        attributes.put("is_scriptable", module.isScriptable());
        attributes.put("module_rref", module.moduleRRef());
        return attributes;
    }

    /** Return whether a remote module is used through an interface. */
    @RemoteCallable
    public static boolean isScriptable(RemoteModule<?> module) {
        return module.isScriptable();
    }

    /** Call a remote module and wait. */
    @RemoteCallable
    public static Words forward(
            RemoteModule<WordModule> module, Tensor tensor, int number, String word) {
        return module.forward(WordModule::forward, tensor, number, word);
    }

    /** Call a remote module asynchronously and wait for the future. */
    @RemoteCallable
    public static Words forwardAsync(
            RemoteModule<WordModule> module, Tensor tensor, int number, String word) {
        return module.forwardAsync(WordModule::forward, tensor, number, word).join();
    }

    /** Return another handle to a module. */
    @RemoteCallable
    public static RemoteModule<WordModule> fromReference(
            String remoteDevice, RRef<WordModule> module) {
        return RemoteModule.initFromModuleRRef(Rpc.current(), remoteDevice, module);
    }

    /** Call a module of another worker through its interface. */
    @RemoteCallable
    public static Words throughInterface(String remoteDevice, RRef<WordInterface> module) {
        return RemoteModule.initFromModuleRRef(
                        Rpc.current(), remoteDevice, module, WordInterface.class)
                .proxy()
                .forward(Tensor.ones(1), 2, "3");
    }

    @RemoteCallable
    public static boolean isTraining(RRef<WordModule> module) {
        return module.localValue().isTraining();
    }

    /** Return the devices of a module's parameters. */
    @RemoteCallable
    public static List<String> devices(RRef<WordModule> module) {
        List<String> devices = new ArrayList<>();
        module.localValue()
                .parameters()
                .forEach(parameter -> devices.add(parameter.device().toString()));
        return devices;
    }

    /** Call a module through its interface, as a script does. */
    @ScriptFunction
    public static Words runForward(WordInterface module) {
        return module.forward(Tensor.ones(1), 2, "3");
    }

    /** As {@link #runForward}, through a future. */
    @ScriptFunction
    public static Words runForwardAsync(RemoteWordInterface module) {
        return module.forwardAsync(Tensor.ones(1), 2, "3").join();
    }

    /** Take an interface, which cannot be sent to another worker. */
    @RemoteCallable
    public static void take(WordInterface module) {
        var _ = module.hashCode();
    }
}
