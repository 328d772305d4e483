package org.gradwire.conformance.functions;

import org.gradwire.rpc.WireValue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A term over parameters that are 4 x 4 matrices, with where and how each part of it is computed.
 *
 * @param operator what it computes
 * @param operands two; none when the operator takes a parameter
 * @param parameter number of the parameter that such an operator takes
 * @param worker rank of the worker that computes it, unless it is computed here
 * @param way how it comes to be computed there
 */
@WireValue
public record Expression(
        Operator operator, List<Expression> operands, int parameter, int worker, Way way) {

    /** What an expression computes. */
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

    /** Who computes an expression. */
    @WireValue
    public enum Way {
        /** Whoever needs the value. */
        HERE,
        /** The worker gets the operands' values, by a call that is waited for. */
        OPERATOR_SYNC,
        /** The worker gets the operands' values, by a call that others are made beside. */
        OPERATOR_ASYNC,
        /** The worker gets the operands' values, and keeps the result for a reference. */
        OPERATOR_REMOTE,
        /** The worker gets the expression, so calls for its parts come from there. */
        SYNC,
        ASYNC,
        REMOTE,
        /** The worker gets the expression, and lets the next one compute it. */
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

    /** Return the same with numbers of parameters and workers that exist, counted around. */
    public Expression fitted(int parameterCount, int workerCount) {
        return new Expression(
                operator,
                operands.stream().map(part -> part.fitted(parameterCount, workerCount)).toList(),
                parameter % parameterCount,
                worker % workerCount,
                way);
    }

    /** Return the same without any calls. */
    public Expression allHere() {
        return new Expression(
                operator,
                operands.stream().map(Expression::allHere).toList(),
                parameter,
                worker,
                Way.HERE);
    }
}
