package org.gradwire.conformance.properties;

import org.gradwire.conformance.properties.functions.PropertyFunctions;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random program over 3 x 3 matrices: inputs, then steps that each combine two earlier values.
 * The result is the sum of all elements of all values, so that every value takes part in the
 * backward pass, as FAST mode requires.
 *
 * @param seed seed of the input values
 * @param inputs whether each input requires a gradient
 * @param steps steps in order
 */
public record GradientProgram(long seed, List<Boolean> inputs, List<Step> steps) {

    /** Call style of a step. */
    public enum Way {
        SYNC,
        ASYNC,
        REMOTE
    }

    /** The operator of a step. */
    public enum Operator {
        ADD(Ops::add),
        SUB(Ops::sub),
        MUL(Ops::mul),
        MATMUL(Ops::matmul),
        TANH_OF_SUM(PropertyFunctions::tanhOfSum),
        NESTED_PRODUCT(PropertyFunctions::nestedProduct);

        private final Function2<Tensor, Tensor, Tensor> function;

        Operator(Function2<Tensor, Tensor, Tensor> function) {
            this.function = function;
        }
    }

    /**
     * A step.
     *
     * @param operator operator
     * @param left index of the first operand, modulo the number of values
     * @param right index of the second operand, modulo the number of values
     * @param worker rank of the worker that computes it
     * @param way how it is called
     */
    public record Step(Operator operator, int left, int right, int worker, Way way) {
        private Tensor here(Tensor a, Tensor b) {
            return switch (operator) {
                case ADD -> a.add(b);
                case SUB -> a.sub(b);
                case MUL, NESTED_PRODUCT -> a.mul(b);
                case MATMUL -> a.matmul(b);
                case TANH_OF_SUM -> a.add(b).tanh();
            };
        }

        private Tensor there(Rpc rpc, Tensor a, Tensor b) {
            String to = "worker" + worker;
            return switch (way) {
                case SYNC -> rpc.rpcSync(to, operator.function, a, b);
                case ASYNC -> rpc.rpcAsync(to, operator.function, a, b).join();
                case REMOTE -> {
                    try (RRef<Tensor> rref = rpc.remote(to, operator.function, a, b)) {
                        yield rref.toHere();
                    }
                }
            };
        }
    }

    /** {@return new inputs with the program's values, small enough that products stay small} */
    public List<Tensor> leaves() {
        var random = new SplittableRandom(seed);
        List<Tensor> leaves = new ArrayList<>();
        for (boolean requiresGrad : inputs) {
            double[] numbers = random.doubles(9, -0.3, 0.3).toArray();
            leaves.add(Tensor.of(numbers, 3, 3).requiresGrad(requiresGrad));
        }
        return leaves;
    }

    /** Run all steps locally. */
    public Tensor runHere(List<Tensor> leaves) {
        return run(leaves, Step::here);
    }

    /** Run each step on its worker. */
    public Tensor runThere(Rpc rpc, List<Tensor> leaves) {
        return run(leaves, (step, a, b) -> step.there(rpc, a, b));
    }

    private interface Runner {
        Tensor run(Step step, Tensor a, Tensor b);
    }

    private Tensor run(List<Tensor> leaves, Runner runner) {
        List<Tensor> values = new ArrayList<>(leaves);
        for (Step step : steps) {
            Tensor a = values.get(step.left % values.size());
            Tensor b = values.get(step.right % values.size());
            values.add(runner.run(step, a, b));
        }
        Tensor total = Tensor.scalar(values.getFirst().dtype(), 0);
        for (Tensor value : values) {
            total = total.add(value.sum());
        }
        return total;
    }
}
