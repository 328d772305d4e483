package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.StepLR;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.io.SafeTensors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/** Steps against those of PyTorch, and what is particular to an optimizer with a closure. */
class LBFGSTest {
    private static final Map<String, List<String>> RECORDED = Recorded.read("lbfgs.txt");

    private static final Map<String, LBFGS.Options> OPTIONS =
            Map.of(
                    "LBFGS",
                    LBFGS.options().limits(5, 6),
                    "LBFGS options",
                    LBFGS.options().lr(0.3).limits(6, 7).historySize(2).tolerances(1e-7, 1e-12),
                    "LBFGS evaluations",
                    LBFGS.options().lr(0.2).limits(20, 4),
                    "LBFGS strong Wolfe",
                    LBFGS.options().limits(4, 5).strongWolfe(true),
                    "LBFGS strong Wolfe options",
                    LBFGS.options().lr(0.001).limits(7, 8).historySize(3).strongWolfe(true));

    static Set<String> cases() {
        return RECORDED.keySet();
    }

    /** The valley of Rosenbrock and a bowl, as the script has them. */
    private static final class Problem {
        final Tensor x = Tensor.of(-1.2, 1.0, 0.5).requiresGrad(true);
        final Tensor y = Tensor.of(new double[][] {{0.3, -0.7}}).requiresGrad(true);
        final LBFGS optimizer;

        Problem(LBFGS.Options options) {
            optimizer = new LBFGS(List.of(x, y), options);
        }

        Tensor loss() {
            Tensor before = x.narrow(0, 0, 2);
            Tensor step = x.narrow(0, 1, 2).sub(before.mul(before));
            Tensor rest = before.neg().add(1);
            Tensor valley = step.mul(step).mul(10).add(rest.mul(rest)).sum();
            Tensor bowl = y.mul(y).mul(Tensor.of(1.0, 5.0)).sum();
            return valley.add(bowl).add(x.select(0, 0).mul(y).sum());
        }

        Tensor step() {
            return optimizer.step(() -> {
                optimizer.zeroGrad();
                Tensor loss = loss();
                loss.backward();
                return loss;
            });
        }

        /** Load the state of another one, with one part changed, or left out. */
        void load(Problem other, String name, @Nullable Tensor part) {
            Map<String, Tensor> state = new LinkedHashMap<>(other.optimizer.stateDict());
            state.remove(name);
            if (part != null) {
                state.put(name, part);
            }
            optimizer.loadStateDict(state);
        }

        int history() {
            return requireNonNull(optimizer.stateDict().get("state.0.ro")).numel();
        }

        double[] values() {
            return DoubleStream.concat(
                            DoubleStream.of(x.toDoubleArray()), DoubleStream.of(y.toDoubleArray()))
                    .toArray();
        }
    }

    private static LBFGS.Options options(String name) {
        return requireNonNull(OPTIONS.get(name), name);
    }

    @Test
    void allOptionsAreRecorded() {
        assertEquals(OPTIONS.keySet(), RECORDED.keySet());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void stepsAreThoseOfPyTorch(String name) {
        var problem = new Problem(options(name));
        double loss = 0;
        for (String line : requireNonNull(RECORDED.get(name))) {
            if (line.startsWith("loss ")) {
                try (var _ = TensorScope.open()) { // as a training loop has one for each batch
                    loss = problem.step().item();
                }
                assertEquals(Recorded.numbers(line, 1)[0], loss, 1e-9 * Math.abs(loss));
            } else {
                assertArrayEquals(Recorded.numbers(line, 1), problem.values(), 1e-8, line);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void trainingGoesOnToTheBitFromAFile(String name, @TempDir Path folder) throws IOException {
        var problem = new Problem(options(name));
        problem.step();
        problem.step();
        Path file = folder.resolve("lbfgs.safetensors");
        SafeTensors.save(file, problem.optimizer.stateDict());
        var other = new Problem(LBFGS.options());
        other.x.detach().copy_(problem.x.detach());
        other.y.detach().copy_(problem.y.detach());
        other.optimizer.loadStateDict(SafeTensors.load(file));
        assertEquals(problem.optimizer.toString(), other.optimizer.toString());
        problem.step();
        other.step();
        assertArrayEquals(problem.values(), other.values());
    }

    @Test
    void theLeastOfAValleyIsFound() {
        var problem = new Problem(LBFGS.options().limits(100, 200).strongWolfe(true));
        problem.step();
        problem.optimizer.zeroGrad();
        problem.loss().backward();
        assertEquals(0, requireNonNull(problem.x.grad()).abs().max().item(), 1e-3);
        assertEquals(0, requireNonNull(problem.y.grad()).abs().max().item(), 1e-3);
    }

    @Test
    void aStateOfAnotherOptimizerIsRefused() {
        var problem = new Problem(LBFGS.options());
        problem.step();
        var state = problem.optimizer.stateDict();
        var smaller = new LBFGS(List.of(Tensor.zeros(DType.FLOAT64, 2).requiresGrad(true)));
        String start = "the state is not that of an LBFGS over these parameters: ";
        assertEquals(
                start + "'state.0.d' has shape [5], expected [2]",
                refusal(() -> smaller.loadStateDict(state)));
        assertEquals(
                start + "'state.0.exp_avg' is not a part of it",
                refusal(() -> smaller.loadStateDict(Map.of("state.0.exp_avg", Tensor.ones(2)))));
        assertEquals(
                start + "it is of 0 parameters, the optimizer has 1",
                refusal(() -> smaller.loadStateDict(Map.of())));
    }

    @Test
    void aStateWithPartsMissingIsRefused() {
        var problem = new Problem(LBFGS.options());
        problem.step();
        String start = "the state is not that of an LBFGS over these parameters: ";
        var other = new Problem(LBFGS.options());
        assertEquals(
                start
                        + "it has no [prev_flat_grad], but other parts of [H_diag, d, prev_flat_grad, prev_loss, t]",
                refusal(() -> other.load(problem, "state.0.prev_flat_grad", null)));
        assertEquals(
                start + "it has no [old_dirs], but other parts of [old_dirs, old_stps, ro]",
                refusal(() -> other.load(problem, "state.0.old_dirs", null)));
        assertEquals(
                start + "'state.0.n_iter' is -1.0, expected an integer from 0 on",
                refusal(() -> other.load(problem, "state.0.n_iter", Tensor.scalar(-1))));
        assertEquals(
                start + "'state.0.func_evals' is 1.5, expected an integer from 0 on",
                refusal(() -> other.load(problem, "state.0.func_evals", Tensor.scalar(1.5))));
        assertEquals(
                start + "'param_groups.0.lr' has shape [2], expected one number",
                refusal(() -> other.load(problem, "param_groups.0.lr", Tensor.ones(2))));
        assertEquals(
                start + "'param_groups.0.momentum' is not a part of it",
                refusal(() -> other.load(problem, "param_groups.0.momentum", Tensor.scalar(0.9))));
        List<String> kept =
                other.optimizer.stateDict().keySet().stream()
                        .filter(key -> key.startsWith("state."))
                        .toList();
        assertEquals(List.of("state.0.func_evals", "state.0.n_iter"), kept, "nothing was loaded");
        other.load(problem, "param_groups.0.lr", Tensor.scalar(0.5));
        assertEquals(0.5, other.optimizer.group().options().lr());
    }

    @Test
    void aSmallerSizeOfTheHistoryDropsTheOldestSteps() {
        var problem = new Problem(LBFGS.options().limits(8, 20));
        problem.step();
        var group = problem.optimizer.group();
        assertTrue(problem.history() > 3, "%d steps".formatted(problem.history()));
        group.options(group.options().historySize(2));
        problem.step();
        assertEquals(2, problem.history());
    }

    /** A root of a number below 0, with or without which a parabola is descended. */
    @ParameterizedTest
    @CsvSource({
        "false, -1,   8, 8, 0.33554432",
        "false, 0.04, 8, 8, 0.4065248492307692",
        "true,  -1,   54, 2, 8.659961048927952e+35",
        "true,  0.04, 54, 2, 1.3323016998350692e+35"
    })
    void aLossThatIsNaNMeetsNoTolerance(
            boolean search, double start, long evaluations, long iterations, double expected) {
        Tensor x = Tensor.of(start).requiresGrad(true);
        Tensor y = Tensor.of(2.0).requiresGrad(true);
        var options = LBFGS.options().lr(0.1).limits(4, 5).strongWolfe(search);
        var optimizer = new LBFGS(List.of(x, y), options);
        for (int i = 0; i < 2; i++) {
            var _ =
                    optimizer.step(() -> {
                        optimizer.zeroGrad();
                        Tensor loss = x.sqrt().sum().add(y.mul(y).sum());
                        loss.backward();
                        return loss;
                    });
        }
        var state = optimizer.stateDict();
        assertEquals(evaluations, requireNonNull(state.get("state.0.func_evals")).itemAsLong());
        assertEquals(iterations, requireNonNull(state.get("state.0.n_iter")).itemAsLong());
        assertEquals(Double.NaN, x.item());
        assertEquals(expected, y.item(), 1e-12 * expected);
    }

    private static String refusal(Runnable action) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, action::run).getMessage());
    }

    @Test
    void schedulesChangeTheRate() {
        var problem = new Problem(LBFGS.options());
        var scheduler = new LRScheduler(problem.optimizer, new StepLR(1, 0.5));
        scheduler.step();
        assertEquals(0.5, problem.optimizer.group().options().lr());
        problem.optimizer.zeroGrad();
        assertNull(problem.x.grad());
    }
}
