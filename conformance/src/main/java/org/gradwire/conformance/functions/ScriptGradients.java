package org.gradwire.conformance.functions;

import org.gradwire.autograd.AutogradOps;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.Script;
import org.gradwire.rpc.ScriptFunction;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/** Script functions that are called within an autograd context. */
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

    /** {@return the sums of two tensors, each added to itself on another worker, in turn} */
    @ScriptFunction
    public static List<Tensor> sumsInTurn(String to, Tensor a, Tensor b) {
        Tensor first = begin(to, a, a).join().sum();
        return List.of(first, begin(to, b, b).join().sum());
    }

    /** The same in a forked task, which waits on a thread of its own. */
    @ScriptFunction
    public static List<Tensor> forkSumsInTurn(String to, Tensor a, Tensor b) {
        Script script = Rpc.current().script();
        return script.fork(Call.to(ScriptGradients::sumsInTurn).args(to, a, b)).join();
    }

    private static RpcFuture<Tensor> begin(String to, Tensor a, Tensor b) {
        return Rpc.current().rpcAsync(to, Call.to(AutogradFunctions::scriptAdd).args(a, b));
    }
}
