package org.gradwire.conformance.properties.functions;

import org.gradwire.conformance.properties.functions.Expression.Operator;
import org.gradwire.conformance.properties.functions.Expression.Way;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Evaluates expressions on a worker and makes the calls they need.
 *
 * @param rpc the worker
 * @param parameters parameters by number: tensors, or references to tensors
 */
public record Evaluation(Rpc rpc, Map<Integer, Object> parameters) {

    /** Evaluate an expression on this worker, except for the parts assigned to others. */
    public Tensor here(Expression expression) {
        if (expression.operands().isEmpty()) {
            return leaf(expression);
        }
        List<Tensor> operands = operands(expression);
        Tensor a = operands.getFirst();
        Tensor b = operands.getLast();
        return switch (expression.operator()) {
            case ADD -> a.add(b);
            case MUL -> a.mul(b);
            case MATMUL -> a.matmul(b);
            default -> PropertyFunctions.tanhOfSum(a, b);
        };
    }

    /** Start both operands, so that their calls run concurrently, and wait for them. */
    private List<Tensor> operands(Expression expression) {
        return all(expression.operands());
    }

    /** An expression being evaluated; closing it abandons the evaluation. */
    private interface Begun extends AutoCloseable {
        Tensor value();

        @Override
        default void close() {}
    }

    /** Evaluate expressions, concurrently if possible. */
    public List<Tensor> all(List<Expression> expressions) {
        List<Begun> begun = new ArrayList<>();
        try {
            expressions.forEach(expression -> begun.add(begin(expression)));
            return begun.stream().map(Begun::value).toList();
        } finally {
            begun.forEach(Begun::close);
        }
    }

    private Begun begin(Expression expression) {
        return switch (expression.way()) {
            case HERE -> value(here(expression));
            case OPERATOR_SYNC, OPERATOR_ASYNC, OPERATOR_REMOTE ->
                    expression.operands().isEmpty()
                            ? value(leaf(expression))
                            : beginOperator(expression);
            case SYNC, ASYNC, LATER, REMOTE -> beginThere(expression);
        };
    }

    private static Begun value(Tensor tensor) {
        return () -> tensor;
    }

    private Begun beginOperator(Expression expression) {
        String to = "worker" + expression.worker();
        Function2<Tensor, Tensor, Tensor> function = function(expression.operator());
        List<Tensor> operands = operands(expression);
        Tensor a = operands.getFirst();
        Tensor b = operands.getLast();
        return switch (expression.way()) {
            case OPERATOR_SYNC -> value(rpc.rpcSync(to, function, a, b));
            case OPERATOR_ASYNC -> rpc.rpcAsync(to, function, a, b)::join;
            default -> fetch(rpc.remote(to, function, a, b));
        };
    }

    private static Function2<Tensor, Tensor, Tensor> function(Operator operator) {
        return switch (operator) {
            case ADD -> Ops::add;
            case MUL -> Ops::mul;
            case MATMUL -> Ops::matmul;
            default -> PropertyFunctions::tanhOfSum;
        };
    }

    private Begun beginThere(Expression expression) {
        String to = "worker" + expression.worker();
        Way way = expression.way();
        Expression there = expression;
        Map<Integer, Object> used = new LinkedHashMap<>(parameters);
        used.keySet().retainAll(expression.parameters());
        return switch (way) {
            case SYNC -> value(rpc.rpcSync(to, ExpressionFunctions::evaluate, there, used));
            case ASYNC -> rpc.rpcAsync(to, ExpressionFunctions::evaluate, there, used)::join;
            case LATER ->
                    rpc.rpcAsync(
                                    to,
                                    RpcFunction.async(ExpressionFunctions::evaluateLater),
                                    there,
                                    used)
                            ::join;
            default -> fetch(rpc.remote(to, ExpressionFunctions::evaluate, there, used));
        };
    }

    private static Begun fetch(RRef<Tensor> result) {
        return new Begun() {
            @Override
            public Tensor value() {
                return result.toHere();
            }

            @Override
            public void close() {
                result.close();
            }
        };
    }

    private Tensor leaf(Expression expression) {
        Tensor whole = parameter(expression.parameter());
        Tensor rows = Tensor.of(new long[] {3, 1, 1, 0});
        return switch (expression.operator()) {
            case ROWS -> Ops.embedding(whole, rows, false);
            case SPARSE_ROWS -> Ops.embedding(whole, rows, true);
            default -> whole;
        };
    }

    private Tensor parameter(int number) {
        Object parameter = parameters.get(number);
        if (parameter instanceof RRef<?> reference) {
            parameter = reference.isOwner() ? reference.localValue() : reference.toHere();
        }
        if (parameter instanceof Tensor tensor) {
            return tensor;
        }
        throw new IllegalArgumentException("parameter " + number + " is " + parameter);
    }
}
