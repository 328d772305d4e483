package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.autograd.Gradients;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Backward passes are linear in the gradients they start with: of each row, and of programs. */
class LinearityTest {
    private static final int ROWS = 3;
    private static final int COLUMNS = 4;
    private static final double LARGEST = 1e3;

    static Stream<RowCase> cases() {
        return RowCases.all()
                .filter(each -> each.row().isDifferentiable())
                .filter(each -> !each.leaves(each.args()).isEmpty());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void backwardOfARowIsLinear(RowCase rowCase) {
        @Nullable Object[] args = rowCase.args();
        List<Tensor> results =
                RowCases.results(rowCase.row().apply(args)).stream()
                        .filter(Tensor::requiresGrad)
                        .toList();
        List<Tensor> inputs =
                rowCase.row().inputs(args).stream().filter(Tensor::requiresGrad).toList();
        assertTrue(!results.isEmpty() && !inputs.isEmpty(), rowCase + " has no gradients");
        assertLinear(results, inputs, new SplittableRandom(rowCase.sample()));
    }

    /** backward(a * g1 + b * g2) = a * backward(g1) + b * backward(g2). */
    private static void assertLinear(
            List<Tensor> results, List<Tensor> inputs, SplittableRandom random) {
        double a = random.nextDouble(-2, 2);
        double b = random.nextDouble(-2, 2);
        List<Tensor> g1 = results.stream().map(result -> randomLike(result, random)).toList();
        List<Tensor> g2 = results.stream().map(result -> randomLike(result, random)).toList();
        List<Tensor> mixed = new ArrayList<>();
        for (int i = 0; i < g1.size(); i++) {
            mixed.add(g1.get(i).mul(a).add(g2.get(i).mul(b)));
        }
        List<Optional<Tensor>> of1 = Gradients.gradAllowUnused(results, inputs, g1, true);
        List<Optional<Tensor>> of2 = Gradients.gradAllowUnused(results, inputs, g2, true);
        List<Optional<Tensor>> ofMixed = Gradients.gradAllowUnused(results, inputs, mixed, true);
        List<Optional<Tensor>> again = Gradients.gradAllowUnused(results, inputs, mixed, true);
        for (int i = 0; i < inputs.size(); i++) {
            assertEquals(of1.get(i).isPresent(), ofMixed.get(i).isPresent());
            if (of1.get(i).isPresent()) {
                Tensor expected = plus(of1.get(i), a, of2.get(i), b);
                Tensor found = ofMixed.get(i).orElseThrow();
                assertTrue(
                        expected.allclose(found, 1e-9, 1e-9 * scale(of1.get(i), of2.get(i))),
                        () -> "expected " + expected + ", but got " + found);
                assertTrue(found.equal(again.get(i).orElseThrow()), "not deterministic");
            }
        }
    }

    private static Tensor plus(Optional<Tensor> x, double a, Optional<Tensor> y, double b) {
        return x.orElseThrow().mul(a).add(y.orElseThrow().mul(b));
    }

    /** {@return the largest magnitude of canceling terms} */
    private static double scale(Optional<Tensor> x, Optional<Tensor> y) {
        double largest = 1;
        for (Tensor tensor : List.of(x.orElseThrow(), y.orElseThrow())) {
            for (double number : tensor.toDense().toDoubleArray()) {
                largest = Math.max(largest, Math.abs(number));
            }
        }
        return largest;
    }

    private static Tensor randomLike(Tensor tensor, SplittableRandom random) {
        Tensor numbers = Tensor.randn(random, tensor.shape()).to(tensor.dtype());
        return tensor.isSparse() ? numbers.toSparse(tensor.sparseDim()) : numbers;
    }

    /** A program of rows: what it started with, and all that it made. */
    private record Program(List<Tensor> leaves, List<Tensor> made) {

        static Program random(SplittableRandom random, int steps) {
            List<OperatorRow> rows =
                    TensorOperators.rows().stream().filter(Program::simple).toList();
            List<Tensor> leaves = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                leaves.add(
                        Tensor.randn(random, ROWS, COLUMNS).to(DType.FLOAT64).requiresGrad(true));
            }
            List<Tensor> pool = new ArrayList<>(leaves);
            List<Tensor> made = new ArrayList<>();
            while (made.size() < steps) {
                OperatorRow row = rows.get(random.nextInt(rows.size()));
                Tensor result = applied(row, pool, random);
                if (result != null) {
                    made.add(result);
                    pool.add(result);
                }
            }
            return new Program(leaves, made);
        }

        private static boolean simple(OperatorRow row) {
            return row.recordsNode()
                    && Arrays.stream(row.parameterTypes())
                            .allMatch(type -> type == Tensor.class || type == Number.class);
        }

        /** Apply a row; null where a program cannot continue with the result. */
        private static @Nullable Tensor applied(
                OperatorRow row, List<Tensor> pool, SplittableRandom random) {
            @Nullable Object[] args = new @Nullable Object[row.parameterTypes().length];
            for (int i = 0; i < args.length; i++) {
                args[i] =
                        row.parameterTypes()[i] == Tensor.class
                                ? pool.get(random.nextInt(pool.size()))
                                : (Object) random.nextDouble(0.5, 2);
            }
            Object result;
            try {
                result = row.apply(args);
            } catch (IllegalArgumentException e) { // shapes or types it does not take
                return null;
            }
            return result instanceof Tensor tensor && usable(tensor) ? tensor : null;
        }

        private static boolean usable(Tensor tensor) {
            return tensor.requiresGrad()
                    && !tensor.isSparse()
                    && tensor.dim() <= 2
                    && Arrays.stream(tensor.toDoubleArray())
                            .allMatch(number -> Math.abs(number) < LARGEST);
        }
    }

    /** Skips programs near a pole, where no comparison of floating point numbers means anything. */
    private static boolean tame(Program program) {
        List<Tensor> ones = program.made.stream().map(Tensor::onesLike).toList();
        return Gradients.gradAllowUnused(program.made, program.leaves, ones, true).stream()
                .flatMap(Optional::stream)
                .flatMapToDouble(gradient -> Arrays.stream(gradient.toDoubleArray()))
                .allMatch(number -> Math.abs(number) < 1e6);
    }

    @Property(tries = 200)
    void backwardOfAProgramIsLinear(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int steps) {
        var random = new SplittableRandom(seed);
        Program program = Program.random(random, steps);
        if (tame(program)) {
            assertLinear(program.made, program.leaves, random);
        }
    }

    @Property(tries = 200)
    void gradientOfTwoRootsIsTheSumOfTheirs(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int steps) {
        var random = new SplittableRandom(seed);
        Program program = Program.random(random, steps);
        if (!tame(program)) {
            return;
        }
        Tensor first = program.made.get(random.nextInt(steps));
        Tensor second = program.made.getLast();
        Tensor g1 = randomLike(first, random);
        Tensor g2 = randomLike(second, random);
        Gradients.backward(List.of(first, second), List.of(g1, g2), true);
        List<@Nullable Tensor> both = new ArrayList<>();
        program.leaves.forEach(leaf -> {
            both.add(leaf.grad());
            leaf.grad(null);
        });
        first.backward(g1, true);
        second.backward(g2, true);
        for (int i = 0; i < both.size(); i++) {
            Tensor together = both.get(i);
            Tensor apart = program.leaves.get(i).grad();
            assertEquals(together == null, apart == null);
            if (together != null && apart != null) {
                double scale = scale(Optional.of(together), Optional.of(apart));
                assertTrue(together.allclose(apart, 1e-9, 1e-9 * scale));
            }
        }
    }
}
