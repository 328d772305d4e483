package org.gradwire.conformance.properties;

import org.gradwire.conformance.properties.functions.Expression;
import org.gradwire.conformance.properties.functions.ExpressionFunctions;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A random program that computes expressions over shared parameters in one autograd context, on two
 * to five workers, and runs backward passes from all of them at once.
 *
 * @param seed seed of the parameter values
 * @param workers number of workers
 * @param initiator rank of the worker that runs it
 * @param parameters parameters that the expressions share
 * @param roots expressions to compute
 * @param passes number of backward passes
 */
public record ExpressionProgram(
        long seed,
        int workers,
        int initiator,
        List<Parameter> parameters,
        List<Expression> roots,
        int passes) {

    /**
     * A parameter.
     *
     * @param requiresGrad whether it requires a gradient
     * @param owner rank of its owner; negative if the initiator owns it and sends its value
     */
    public record Parameter(boolean requiresGrad, int owner) {}

    public ExpressionProgram {
        int count = parameters.size();
        int all = workers;
        parameters =
                parameters.stream()
                        .map(each -> new Parameter(each.requiresGrad, each.owner % all))
                        .toList();
        roots = roots.stream().map(root -> root.fitted(count, all)).toList();
        initiator = initiator % workers;
    }

    /** {@return a copy that sends all parameters by value, not by reference} */
    public ExpressionProgram withValuesOnly() {
        List<Parameter> values =
                parameters.stream().map(each -> new Parameter(each.requiresGrad, -1)).toList();
        return new ExpressionProgram(seed, workers, initiator, values, roots, passes);
    }

    /** {@return whether a root depends on a parameter that requires a gradient} */
    public boolean hasGradient() {
        return roots.stream().anyMatch(this::requiresGrad);
    }

    boolean requiresGrad(Expression root) {
        return root.parameters().stream().anyMatch(number -> parameters.get(number).requiresGrad);
    }

    /** {@return the values of each parameter, small enough that products stay small} */
    List<double[]> numbers() {
        var random = new SplittableRandom(seed);
        int count = ExpressionFunctions.SIZE * ExpressionFunctions.SIZE;
        return parameters.stream().map(_ -> random.doubles(count, -0.5, 0.5).toArray()).toList();
    }
}
