package org.gradwire.conformance.cases.rpc;

import org.gradwire.autograd.distributed.AutogradOps;
import org.gradwire.conformance.cases.autograd.AutogradFunctions;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/** Script functions that run within an autograd context. */
public final class ScriptGradients {

    private ScriptGradients() {}

    @ScriptFunction
    public static Map<Tensor, Tensor> gradients(long contextId) {
        return AutogradOps.getGradients(contextId);
    }

    @ScriptFunction
    public static Tensor addOn(String to, Tensor a, Tensor b) {
        return begin(to, a, b).join();
    }

    /** Add on another worker, in a forked task. */
    @ScriptFunction
    public static Tensor forkAddOn(String to, Tensor a, Tensor b) {
        Script script = Rpc.current().script();
        return script.fork(Call.to(ScriptGradients::addOn).args(to, a, b)).join();
    }

    /** {@return two tensors, each added to itself on another worker, sequentially} */
    @ScriptFunction
    public static List<Tensor> sumsInTurn(String to, Tensor a, Tensor b) {
        Tensor first = begin(to, a, a).join().sum();
        return List.of(first, begin(to, b, b).join().sum());
    }

    /** As {@link #sumsInTurn}, in a forked task that waits on its own thread. */
    @ScriptFunction
    public static List<Tensor> forkSumsInTurn(String to, Tensor a, Tensor b) {
        Script script = Rpc.current().script();
        return script.fork(Call.to(ScriptGradients::sumsInTurn).args(to, a, b)).join();
    }

    private static RpcFuture<Tensor> begin(String to, Tensor a, Tensor b) {
        return Rpc.current().rpcAsync(to, Call.to(AutogradFunctions::scriptAdd).args(a, b));
    }
}
