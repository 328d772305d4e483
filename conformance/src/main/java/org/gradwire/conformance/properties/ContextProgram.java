package org.gradwire.conformance.properties;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.properties.functions.PropertyFunctions;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * A random program: an autograd context with some calls.
 *
 * @param calls calls in order
 * @param first rank of the worker that the first call goes to; later calls go around the ring
 * @param runsBackward whether a backward pass follows
 * @param throwsAtEnd whether the body throws at its end
 */
public record ContextProgram(
        List<Call> calls, int first, boolean runsBackward, boolean throwsAtEnd) {

    /** A kind of call. */
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

    /** Run the program. An exception of its body closes the context and is swallowed. */
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
            throw new IllegalStateException("thrown on purpose");
        }
    }
}
