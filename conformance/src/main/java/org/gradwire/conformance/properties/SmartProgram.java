package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.cases.autograd.SmartFunctions;
import org.gradwire.conformance.harness.WorkerGroup;
import org.gradwire.conformance.properties.functions.PropertyFunctions;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A random program over 3 x 3 matrices that leaves some results unused: steps that each combine two
 * earlier values, and passes that each start from some of the values.
 *
 * @param seed seed of the input values
 * @param inputs whether each input requires a gradient
 * @param steps steps in order
 * @param passes indices of the values that each pass starts from, modulo the number of values
 */
public record SmartProgram(
        long seed, List<Boolean> inputs, List<Step> steps, List<List<Integer>> passes) {
    private static final double RELATIVE = 1e-9;
    private static final double ABSOLUTE = 1e-12;

    /** The operator of a step. */
    public enum Operator {
        ADD(Ops::add, false),
        MUL(Ops::mul, false),
        MATMUL(Ops::matmul, false),
        TANH_OF_SUM(PropertyFunctions::tanhOfSum, false),
        NESTED_PRODUCT(PropertyFunctions::nestedProduct, false),
        WASTEFUL_PRODUCT(SmartFunctions::wastefulProduct, true);

        private final Function2<Tensor, Tensor, Tensor> function;
        private final boolean wasteful;

        Operator(Function2<Tensor, Tensor, Tensor> function, boolean wasteful) {
            this.function = function;
            this.wasteful = wasteful;
        }

        /** {@return whether it makes calls whose results are unused} */
        public boolean isWasteful() {
            return wasteful;
        }

        private Tensor here(Tensor a, Tensor b) {
            return switch (this) {
                case ADD -> a.add(b);
                case MUL, NESTED_PRODUCT, WASTEFUL_PRODUCT -> a.mul(b);
                case MATMUL -> a.matmul(b);
                case TANH_OF_SUM -> a.add(b).tanh();
            };
        }
    }

    /**
     * A step.
     *
     * @param operator operator
     * @param left index of the first operand, modulo the number of values
     * @param right index of the second operand, modulo the number of values
     * @param worker rank of the worker that computes it
     * @param isRemote whether the result is returned by reference
     */
    public record Step(Operator operator, int left, int right, int worker, boolean isRemote) {
        private Tensor there(Rpc rpc, Tensor a, Tensor b) {
            String to = "worker" + worker;
            if (!isRemote) {
                return rpc.rpcSync(to, operator.function, a, b);
            }
            try (RRef<Tensor> rref = rpc.remote(to, operator.function, a, b)) {
                return rref.toHere();
            }
        }
    }

    /**
     * Check that SMART yields the gradients of a local run, and that FAST does too if all results
     * are used.
     */
    public void check(WorkerGroup group) {
        List<Tensor> leaves = leaves();
        List<Tensor> values = run(leaves, (step, a, b) -> step.operator.here(a, b));
        List<List<Tensor>> roots = roots(values);
        roots.forEach(all -> all.forEach(root -> root.backward(true)));
        List<@Nullable Tensor> expected = new ArrayList<>();
        leaves.forEach(leaf -> expected.add(leaf.grad()));
        check(group, BackwardMode.SMART, leaves, expected);
        if (usesAll()) {
            check(group, BackwardMode.FAST, leaves, expected);
        }
    }

    private void check(
            WorkerGroup group,
            BackwardMode mode,
            List<Tensor> leaves,
            List<@Nullable Tensor> expected) {
        Rpc rpc = group.rpc(0);
        try (AutogradContext context = DistAutograd.context(rpc)) {
            List<Tensor> values = run(leaves, (step, a, b) -> step.there(rpc, a, b));
            for (List<Tensor> roots : roots(values)) {
                if (!roots.isEmpty()) {
                    context.backward(new BackwardOptions(mode, true), roots.toArray(Tensor[]::new));
                }
            }
            for (int i = 0; i < leaves.size(); i++) {
                assertSame(mode, expected.get(i), context.gradients().get(leaves.get(i)));
            }
        }
    }

    private static void assertSame(
            BackwardMode mode, @Nullable Tensor expected, @Nullable Tensor actual) {
        if (expected == null) {
            assertEquals(null, actual, () -> mode + " computed a gradient for an unused value");
            return;
        }
        assertNotNull(actual, () -> mode + " missed a gradient");
        assertTrue(
                expected.allclose(actual, RELATIVE, ABSOLUTE),
                () -> "%s: expected %s, but got %s".formatted(mode, expected, actual));
    }

    private List<Tensor> leaves() {
        var random = new SplittableRandom(seed);
        List<Tensor> leaves = new ArrayList<>();
        for (boolean requiresGrad : inputs) {
            double[] numbers = random.doubles(9, -0.3, 0.3).toArray();
            leaves.add(Tensor.of(numbers, 3, 3).requiresGrad(requiresGrad));
        }
        return leaves;
    }

    private interface Runner {
        Tensor run(Step step, Tensor a, Tensor b);
    }

    private List<Tensor> run(List<Tensor> leaves, Runner runner) {
        List<Tensor> values = new ArrayList<>(leaves);
        for (Step step : steps) {
            Tensor a = values.get(step.left % values.size());
            Tensor b = values.get(step.right % values.size());
            values.add(runner.run(step, a, b));
        }
        return values;
    }

    private List<List<Tensor>> roots(List<Tensor> values) {
        return passes.stream()
                .map(chosen ->
                        chosen.stream()
                                .map(index -> values.get(index % values.size()))
                                .filter(Tensor::requiresGrad)
                                .map(Tensor::sum)
                                .toList())
                .toList();
    }

    /** {@return whether every pass uses every result, as FAST mode requires} */
    public boolean usesAll() {
        return steps.stream().noneMatch(step -> step.operator.wasteful)
                && passes.stream().allMatch(this::usesAll);
    }

    private boolean usesAll(List<Integer> chosen) {
        int values = inputs.size() + steps.size();
        Set<Integer> used = new HashSet<>();
        chosen.forEach(index -> used.add(index % values));
        for (int i = values - 1; i >= inputs.size(); i--) {
            if (!used.contains(i)) {
                return false;
            }
            Step step = steps.get(i - inputs.size());
            used.add(step.left % i);
            used.add(step.right % i);
        }
        return true;
    }
}
