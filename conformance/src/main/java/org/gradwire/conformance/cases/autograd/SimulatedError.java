package org.gradwire.conformance.cases.autograd;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Identity function whose gradient fails. Each worker has its own, which can be switched off. */
public final class SimulatedError {
    private volatile boolean on = true;

    private SimulatedError() {}

    /** {@return the instance of a worker} */
    public static SimulatedError of(Rpc rpc) {
        return rpc.locals().get(SimulatedError.class, SimulatedError::new);
    }

    /** Make later passes fail, or succeed. */
    public void on(boolean fail) {
        on = fail;
    }

    /** {@return the tensor with a failing history} */
    public Tensor apply(Tensor tensor) {
        return new Identity(this).apply(tensor);
    }

    /** Multiply two tensors, the first of which has a failing history. */
    @RemoteCallable
    public static Tensor failsBackward(Tensor a, Tensor b) {
        Tensor sum = a.add(b);
        Tensor bad = of(Rpc.current()).apply(sum);
        return Ops.multiDot(List.of(a, b, sum, bad));
    }

    /** As {@link #failsBackward}, on another worker in the middle of a local computation. */
    @RemoteCallable
    public static Tensor nestedFailsBackward(Tensor a, Tensor b, String destination) {
        Tensor product = a.mul(b);
        Tensor sum = product.add(b);
        Tensor result =
                Rpc.current().rpcSync(destination, SimulatedError::failsBackward, product, sum);
        return Ops.multiDot(List.of(product, sum, result));
    }

    private static final class Identity extends AutogradFunction {
        private final SimulatedError error;

        Identity(SimulatedError error) {
            this.error = error;
        }

        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return inputs;
        }

        @Override
        protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
            if (error.on) {
                throw new IllegalStateException("Simulate error on backward pass");
            }
            return gradients;
        }
    }
}
