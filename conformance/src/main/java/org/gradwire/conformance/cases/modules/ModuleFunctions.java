package org.gradwire.conformance.cases.modules;

import org.gradwire.nn.Linear;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

/** Remote functions that create, run and deserialize modules. */
public final class ModuleFunctions {

    private ModuleFunctions() {}

    /** Create a module and return it by its interface. */
    @ScriptFunction
    public static ForwardModule construct(int rank) {
        return new RankModule(rank);
    }

    /** As {@link #construct}, asynchronously. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<ForwardModule> constructLater(int rank) {
        RpcPromise<ForwardModule> promise = Rpc.current().promise();
        promise.complete(new RankModule(rank));
        return promise;
    }

    /** Create a module and a reference with its interface as type hint. */
    @RemoteCallable
    public static RRef<ForwardModule> own(int rank) {
        return Rpc.current().rref(new RankModule(rank), ForwardModule.class);
    }

    /** Fetch a module, run it, and add its output to a tensor. */
    @ScriptFunction
    public static Tensor addForward(RRef<ForwardModule> module, Tensor value) {
        return module.toHere().forward().add(value);
    }

    /** Run a module on this worker, its owner. */
    @ScriptFunction
    public static Tensor forward(RRef<ForwardModule> module) {
        return module.toHere().forward();
    }

    /** Run a module on its owner. */
    @ScriptFunction
    public static Tensor askOwner(RRef<ForwardModule> module) {
        return Rpc.current()
                .rpcAsync(module.owner().name(), ModuleFunctions::forward, module)
                .join();
    }

    @RemoteCallable
    public static boolean isRankModule(RRef<RankModule> module) {
        return RankModule.class.isInstance(module.localValue());
    }

    /** Return the output of a module that was sent by value. */
    @RemoteCallable
    public static Tensor output(Linear layer, Tensor input) {
        return layer.forward(input);
    }

    /** Deserialize a module and run it. */
    @RemoteCallable
    public static Tensor loadAndRun(byte[] bytes) {
        try (var module =
                Rpc.current().serialization().fromBytes(bytes, ModuleWithReferences.class)) {
            return module.forward(Tensor.ones(2, 2));
        }
    }
}
