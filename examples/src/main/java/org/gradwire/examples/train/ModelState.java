package org.gradwire.examples.train;

import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.Map;

/** Reads and overwrites the parameters of modules on their owners. */
public final class ModelState {

    private ModelState() {}

    /** Return the state of a module. */
    @RemoteCallable
    public static Map<String, Tensor> state(RRef<? extends Module> module) {
        return module.localValue().stateDict();
    }

    /** Overwrite the state of a module. */
    @RemoteCallable
    public static void overwrite(RRef<? extends Module> module, Map<String, Tensor> state) {
        var _ = module.localValue().loadStateDict(state);
    }

    /** {@return a copy of the state of a module on its owner} */
    static Map<String, Tensor> read(Rpc rpc, RRef<? extends Module> module) {
        return rpc.<RRef<? extends Module>, Map<String, Tensor>>rpcSync(
                module.owner().name(), ModelState::state, module);
    }

    /** Overwrite the state of a module on its owner. */
    static void load(Rpc rpc, RRef<? extends Module> module, Map<String, Tensor> state) {
        rpc.<RRef<? extends Module>, Map<String, Tensor>>runSync(
                module.owner().name(), ModelState::overwrite, module, state);
    }
}
