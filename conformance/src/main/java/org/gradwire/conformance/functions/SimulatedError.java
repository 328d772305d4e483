package org.gradwire.conformance.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.AutogradFunction;
import org.gradwire.tensor.FunctionContext;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Makes backward passes fail: a function that returns what it is given, and whose gradient cannot
 * be computed. Each worker has one of its own, which can be switched off.
 */
public final class SimulatedError {
    private volatile boolean on = true;

    private SimulatedError() {}

    /** {@return that of a worker} */
    public static SimulatedError of(Rpc rpc) {
        return rpc.local(SimulatedError.class, SimulatedError::new);
    }

    /** Let passes fail from now on, or succeed. */
    public void on(boolean fail) {
        on = fail;
    }

    /** {@return the tensor, with a history that fails} */
    public Tensor apply(Tensor tensor) {
        return new Identity(this).apply(tensor);
    }

    /** Multiply tensors, one of which has such a history. */
    @RemoteCallable
    public static Tensor failsBackward(Tensor a, Tensor b) {
        Tensor sum = a.add(b);
        Tensor bad = of(Rpc.current()).apply(sum);
        return Ops.multiDot(List.of(a, b, sum, bad));
    }

    /** The same on another worker, in the middle of what is computed here. */
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
