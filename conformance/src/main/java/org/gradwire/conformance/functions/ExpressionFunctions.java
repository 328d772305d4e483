package org.gradwire.conformance.functions;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/** Functions that programs of expressions call. */
@RemoteCallable
public final class ExpressionFunctions {
    /** Length of a parameter's rows, and how many there are. */
    public static final int SIZE = 4;

    private ExpressionFunctions() {}

    /** {@return a parameter, to be owned by the worker that makes it} */
    public static Tensor parameter(double[] numbers, boolean requiresGrad) {
        return Tensor.of(numbers, SIZE, SIZE).requiresGrad(requiresGrad);
    }

    /**
     * {@return the gradient of a parameter of this worker in a context, if it has one}
     *
     * @throws IllegalStateException when {@code grad} of the parameter was touched
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
     * Compute an expression on this worker, and give the references to parameters up.
     *
     * @param parameters by number, those in the expression: tensors, or references to tensors
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
