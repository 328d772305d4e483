package org.gradwire.conformance.properties;

import org.gradwire.conformance.functions.Expression;
import org.gradwire.conformance.functions.ExpressionFunctions;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A program that computes expressions over shared parameters within one autograd context, on two to
 * five workers, and runs backward passes from all of them at once.
 *
 * @param seed of the numbers
 * @param workers how many take part
 * @param initiator rank of the worker that runs it
 * @param parameters which the expressions share
 * @param roots what is computed
 * @param passes how many backward passes run
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
     * @param owner rank of its owner; negative when it is with the initiator, who sends its value
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

    /** {@return the same with all parameters sent as values, not as references to them} */
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

    /** {@return the numbers of each parameter, small enough for products of them to stay so} */
    List<double[]> numbers() {
        var random = new SplittableRandom(seed);
        int count = ExpressionFunctions.SIZE * ExpressionFunctions.SIZE;
        return parameters.stream().map(_ -> random.doubles(count, -0.5, 0.5).toArray()).toList();
    }
}
