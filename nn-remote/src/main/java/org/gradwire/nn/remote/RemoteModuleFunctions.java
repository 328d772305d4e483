package org.gradwire.nn.remote;

import org.gradwire.nn.Module;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * What {@link RemoteModule} runs on the owner of its module. Public because it is called remotely;
 * programs use {@link RemoteModule}.
 */
@RemoteCallable
public final class RemoteModuleFunctions {

    private RemoteModuleFunctions() {}

    /** Make a module. */
    public static Module create(RpcFunction<?> constructor, List<?> args) throws Exception {
        Object made = Functions.call(constructor, args);
        if (made instanceof Module module) {
            return module;
        }
        throw new IllegalArgumentException(
                "Expect `module_cls(*args, **kwargs)` returns an instance of Module, but it returns an instance of %s."
                        .formatted(made == null ? "null" : made.getClass().getName()));
    }

    /** Return references to the parameters of the module, made here. */
    public static List<RRef<Tensor>> parameters(RRef<? extends Module> module) {
        Rpc rpc = Rpc.current();
        return module.localValue().parameters().stream().map(rpc::rref).toList();
    }

    /** Put the module into training mode, or out of it. */
    public static void train(RRef<? extends Module> module, boolean mode) {
        module.localValue().train(mode);
    }
}
