package org.gradwire.conformance.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.properties.ExpressionProgram.Parameter;
import org.gradwire.conformance.properties.functions.Evaluation;
import org.gradwire.conformance.properties.functions.Expression;
import org.gradwire.conformance.properties.functions.ExpressionFunctions;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs an expression program locally, then distributed, and compares the gradients. */
final class ExpressionRun {
    private static final double RELATIVE = 1e-9;
    private static final double ABSOLUTE = 1e-12;

    private final ExpressionProgram program;
    private final Rpc rpc;
    private final List<Expression> roots;
    private final List<Tensor> leaves = new ArrayList<>();
    private final Map<Integer, RRef<Tensor>> references = new HashMap<>();

    ExpressionRun(ExpressionProgram program, Rpc rpc) {
        this.program = program;
        this.rpc = rpc;
        this.roots = program.roots().stream().filter(program::requiresGrad).toList();
        List<double[]> numbers = program.numbers();
        for (int i = 0; i < numbers.size(); i++) {
            Parameter parameter = program.parameters().get(i);
            leaves.add(ExpressionFunctions.parameter(numbers.get(i), parameter.requiresGrad()));
        }
    }

    /** Run the program and compare all gradients. */
    void run() {
        List<List<Tensor>> expected = localGradients();
        try {
            makeReferences();
            try (AutogradContext context = DistAutograd.context(rpc)) {
                runPasses(context);
                for (int i = 0; i < leaves.size(); i++) {
                    assertClose(expected.get(i), gradient(context, i));
                    assertUntouched(expected.get(i), grad(leaves.get(i)));
                }
            }
        } finally {
            references.values().forEach(RRef::close);
        }
    }

    /**
     * Run the program without calls, and return a copy of the gradient of each leaf that has one.
     */
    private List<List<Tensor>> localGradients() {
        Map<Integer, Object> parameters = new HashMap<>();
        leaves.forEach(leaf -> parameters.put(parameters.size(), leaf));
        var evaluation = new Evaluation(rpc, parameters);
        for (Expression root : roots) {
            Tensor sum = evaluation.here(root.allHere()).sum();
            for (int pass = 1; pass <= program.passes(); pass++) {
                sum.backward(pass < program.passes());
            }
        }
        return leaves.stream().map(ExpressionRun::grad).toList();
    }

    private static List<Tensor> grad(Tensor leaf) {
        Tensor grad = leaf.grad();
        return grad == null ? List.of() : List.of(grad.copy());
    }

    private void makeReferences() {
        List<double[]> numbers = program.numbers();
        for (int i = 0; i < numbers.size(); i++) {
            Parameter parameter = program.parameters().get(i);
            if (parameter.owner() >= 0) {
                references.put(
                        i,
                        rpc.remote(
                                "worker" + parameter.owner(),
                                ExpressionFunctions::parameter,
                                numbers.get(i),
                                parameter.requiresGrad()));
            }
        }
    }

    private void runPasses(AutogradContext context) {
        Map<Integer, Object> parameters = new HashMap<>();
        leaves.forEach(leaf -> parameters.put(parameters.size(), leaf));
        parameters.putAll(references);
        List<Tensor> values = new Evaluation(rpc, parameters).all(roots);
        List<Tensor> sums = values.stream().map(Tensor::sum).toList();
        for (int pass = 1; pass <= program.passes(); pass++) {
            context.backward(
                    new BackwardOptions(BackwardMode.FAST, pass < program.passes()),
                    sums.toArray(Tensor[]::new));
        }
    }

    private List<Tensor> gradient(AutogradContext context, int number) {
        RRef<Tensor> reference = references.get(number);
        if (reference != null) {
            return rpc.rpcSync(
                    reference.owner().name(),
                    ExpressionFunctions::gradient,
                    context.id(),
                    reference);
        }
        Tensor gradient = context.gradients().get(leaves.get(number));
        return gradient == null ? List.of() : List.of(gradient);
    }

    private static void assertClose(List<Tensor> expected, List<Tensor> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            Tensor wanted = expected.get(i);
            Tensor got = actual.get(i);
            assertEquals(wanted.layout(), got.layout());
            assertTrue(
                    dense(wanted).allclose(dense(got), RELATIVE, ABSOLUTE),
                    () -> "expected " + wanted + ", but got " + got);
        }
    }

    private static void assertUntouched(List<Tensor> before, List<Tensor> now) {
        assertEquals(before.size(), now.size());
        for (int i = 0; i < before.size(); i++) {
            assertTrue(dense(before.get(i)).equal(dense(now.get(i))), now::toString);
        }
    }

    private static Tensor dense(Tensor tensor) {
        return tensor.isSparse() ? tensor.toDense() : tensor;
    }
}
