package org.gradwire.conformance.properties.functions;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/** Remote functions of the expression programs. */
@RemoteCallable
public final class ExpressionFunctions {
    /** Number of rows and columns of a parameter. */
    public static final int SIZE = 4;

    private ExpressionFunctions() {}

    /** {@return a new parameter, owned by this worker} */
    public static Tensor parameter(double[] numbers, boolean requiresGrad) {
        return Tensor.of(numbers, SIZE, SIZE).requiresGrad(requiresGrad);
    }

    /**
     * {@return the gradient of a local parameter in a context, if it has one}
     *
     * @throws IllegalStateException if the parameter's {@code grad} was modified
     */
    public static List<Tensor> gradient(long contextId, RRef<Tensor> parameter) {
        try (parameter) {
            Tensor value = parameter.localValue();
            if (value.grad() != null) {
                throw new IllegalStateException("grad was set to " + value.grad());
            }
            Tensor gradient = DistAutograd.gradients(Rpc.current(), contextId).get(value);
            return gradient == null ? List.of() : List.of(gradient);
        }
    }

    /**
     * Evaluate an expression on this worker, and close the references to parameters.
     *
     * @param parameters parameters of the expression by number: tensors, or references to tensors
     */
    public static Tensor evaluate(Expression expression, Map<Integer, Object> parameters) {
        try {
            return new Evaluation(Rpc.current(), parameters).here(expression);
        } finally {
            close(parameters);
        }
    }

    /** As {@link #evaluate}, on the next worker. */
    @AsyncExecution
    public static RpcFuture<Tensor> evaluateLater(
            Expression expression, Map<Integer, Object> parameters) {
        Rpc rpc = Rpc.current();
        int next = (rpc.self().id() + 1) % rpc.workers().size();
        try {
            return rpc.rpcAsync(
                    "worker" + next, ExpressionFunctions::evaluate, expression, parameters);
        } finally {
            close(parameters);
        }
    }

    private static void close(Map<Integer, Object> parameters) {
        for (Object parameter : parameters.values()) {
            if (parameter instanceof RRef<?> reference) {
                reference.close();
            }
        }
    }
}
