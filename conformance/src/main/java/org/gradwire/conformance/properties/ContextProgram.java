package org.gradwire.conformance.properties;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.conformance.functions.PropertyFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * An autograd context with some calls in it.
 *
 * @param calls in order
 * @param first rank of the worker that the first call goes to; the others go around the circle
 * @param runsBackward whether a backward pass follows
 * @param throwsAtEnd whether the body ends with an exception
 */
public record ContextProgram(
        List<Call> calls, int first, boolean runsBackward, boolean throwsAtEnd) {

    /** What a call does. */
    public enum Call {
        PLAIN(Ops::add),
        NESTED(PropertyFunctions::nestedProduct),
        FAILS(PropertyFunctions::fails),
        FAILS_BACKWARD(PropertyFunctions::failsBackward);

        private final Function2<Tensor, Tensor, Tensor> function;

        Call(Function2<Tensor, Tensor, Tensor> function) {
            this.function = function;
        }
    }

    /** Run it; exceptions of its body end the context, not the program. */
    void run(Rpc rpc) {
        try (AutogradContext context = DistAutograd.context(rpc)) {
            body(rpc, context);
        } catch (RuntimeException _) {
            // part of the program
        }
    }

    private void body(Rpc rpc, AutogradContext context) {
        Tensor value = Tensor.ones(2, 2).requiresGrad(true);
        int worker = first;
        for (Call call : calls) {
            String to = "worker" + worker++ % rpc.workers().size();
            value = rpc.rpcSync(to, call.function, value, value);
        }
        if (runsBackward) {
            context.backward(value.sum());
        }
        if (throwsAtEnd) {
            throw new IllegalStateException("the body ends like this");
        }
    }
}
