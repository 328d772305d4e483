package org.gradwire.conformance.properties.functions;

import org.gradwire.rpc.WireValue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An expression over 4 x 4 parameters, which says where and how each part is computed.
 *
 * @param operator operator of this node
 * @param operands two operands; none if the operator takes a parameter
 * @param parameter number of the parameter, for such an operator
 * @param worker rank of the worker that computes it, unless it is local
 * @param way how that worker computes it
 */
@WireValue
public record Expression(
        Operator operator, List<Expression> operands, int parameter, int worker, Way way) {

    /** The operator of an expression. */
    @WireValue
    public enum Operator {
        /** A parameter. */
        PARAMETER,
        /** Rows of a parameter, with a dense gradient. */
        ROWS,
        /** Rows of a parameter, with a sparse gradient. */
        SPARSE_ROWS,
        ADD,
        MUL,
        MATMUL,
        TANH_OF_SUM
    }

    /** The place and the call style of an expression's computation. */
    @WireValue
    public enum Way {
        /** Locally, where the value is needed. */
        HERE,
        /** A synchronous call of the operator with the operands' values. */
        OPERATOR_SYNC,
        /** An asynchronous call of the operator with the operands' values. */
        OPERATOR_ASYNC,
        /**
         * A remote call of the operator with the operands' values; the result comes by reference.
         */
        OPERATOR_REMOTE,
        /**
         * A synchronous call with the expression, so that calls for its parts start on the worker.
         */
        SYNC,
        ASYNC,
        REMOTE,
        /** A call with the expression that the worker forwards to the next one. */
        LATER
    }

    /** {@return the numbers of all parameters in it} */
    public Set<Integer> parameters() {
        Set<Integer> all = new TreeSet<>();
        collect(all);
        return all;
    }

    private void collect(Set<Integer> all) {
        if (operands.isEmpty()) {
            all.add(parameter);
        }
        operands.forEach(operand -> operand.collect(all));
    }

    /** Return a copy whose parameter numbers and ranks are reduced modulo the existing ones. */
    public Expression fitted(int parameterCount, int workerCount) {
        return new Expression(
                operator,
                operands.stream().map(part -> part.fitted(parameterCount, workerCount)).toList(),
                parameter % parameterCount,
                worker % workerCount,
                way);
    }

    /** Return a copy without calls. */
    public Expression allHere() {
        return new Expression(
                operator,
                operands.stream().map(Expression::allHere).toList(),
                parameter,
                worker,
                Way.HERE);
    }
}
