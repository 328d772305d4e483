package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Each step of each optimizer against those of PyTorch; see {@code
 * src/test/python/generate_optimizers.py} for how the file is made.
 */
class OptimizerReferenceTest {
    private static final Map<String, List<String>> RECORDED = Recorded.read("optimizers.txt");
    private static final int STEPS = 6;

    private static final Map<String, Function<List<Tensor>, Optimizer<?>>> OPTIMIZERS =
            optimizers();

    private static Map<String, Function<List<Tensor>, Optimizer<?>>> optimizers() {
        Map<String, Function<List<Tensor>, Optimizer<?>>> all = new LinkedHashMap<>();
        addSgd(all);
        addAdam(all);
        addAdagrad(all);
        addRmsprop(all);
        addOthers(all);
        return all;
    }

    private static void addSgd(Map<String, Function<List<Tensor>, Optimizer<?>>> all) {
        SGD.Options options = SGD.options(0.1);
        all.put("SGD", p -> new SGD(p, 0.1));
        all.put("SGD momentum", p -> new SGD(p, 0.1, 0.9));
        all.put("SGD dampening", p -> new SGD(p, options.momentum(0.8).dampening(0.3)));
        all.put("SGD nesterov", p -> new SGD(p, options.lr(0.05).nesterov(true).momentum(0.9)));
        all.put("SGD weight decay", p -> new SGD(p, options.momentum(0.5).weightDecay(0.01)));
        all.put(
                "SGD maximize",
                p -> new SGD(p, options.momentum(0.5).weightDecay(0.01).maximize(true)));
        all.put("SGD sparse", p -> new SGD(p, 0.1));
        all.put("SGD sparse momentum", p -> new SGD(p, 0.1, 0.9));
        all.put("SGD sparse nesterov", p -> new SGD(p, options.momentum(0.9).nesterov(true)));
        all.put(
                "SGD groups",
                p -> {
                    var optimizer = new SGD(p.subList(0, 1), 0.1, 0.9);
                    optimizer.addGroup(
                            p.subList(1, 2), options.lr(0.01).momentum(0.9).weightDecay(0.5));
                    return optimizer;
                });
    }

    private static void addAdam(Map<String, Function<List<Tensor>, Optimizer<?>>> all) {
        Adam.Options options = Adam.options(0.05);
        all.put("Adam", Adam::new);
        all.put(
                "Adam options",
                p -> new Adam(p, options.lr(0.02).betas(0.8, 0.95).eps(1e-6).weightDecay(0.1)));
        all.put("Adam amsgrad", p -> new Adam(p, options.betas(0.9, 0.6).amsgrad(true)));
        all.put("Adam maximize", p -> new Adam(p, options.weightDecay(0.1).maximize(true)));
        AdamW.Options decoupled = AdamW.options(0.05);
        all.put("AdamW", AdamW::new);
        all.put(
                "AdamW options",
                p -> new AdamW(p, decoupled.betas(0.8, 0.95).eps(1e-6).weightDecay(0.2)));
        all.put(
                "AdamW amsgrad",
                p -> new AdamW(p, decoupled.betas(0.9, 0.6).amsgrad(true).maximize(true)));
        all.put("SparseAdam", p -> new SparseAdam(p, SparseAdam.options(0.1)));
        all.put(
                "SparseAdam options",
                p ->
                        new SparseAdam(
                                p,
                                SparseAdam.options(0.05).betas(0.7, 0.9).eps(1e-4).maximize(true)));
    }

    private static void addAdagrad(Map<String, Function<List<Tensor>, Optimizer<?>>> all) {
        Adagrad.Options options = Adagrad.options(0.1);
        all.put("Adagrad", Adagrad::new);
        all.put(
                "Adagrad options",
                p ->
                        new Adagrad(
                                p,
                                options.lrDecay(0.2)
                                        .weightDecay(0.1)
                                        .initialAccumulatorValue(0.3)
                                        .eps(1e-6)));
        all.put("Adagrad maximize", p -> new Adagrad(p, options.maximize(true)));
        all.put(
                "Adagrad sparse",
                p -> new Adagrad(p, options.lrDecay(0.1).initialAccumulatorValue(0.1)));
        all.put("Adagrad sparse maximize", p -> new Adagrad(p, options.maximize(true)));
    }

    private static void addRmsprop(Map<String, Function<List<Tensor>, Optimizer<?>>> all) {
        RMSprop.Options options = RMSprop.options(0.02);
        all.put("RMSprop", RMSprop::new);
        all.put(
                "RMSprop options",
                p -> new RMSprop(p, options.alpha(0.9).eps(1e-5).weightDecay(0.1)));
        all.put("RMSprop momentum", p -> new RMSprop(p, options.momentum(0.8)));
        all.put(
                "RMSprop centered",
                p ->
                        new RMSprop(
                                p, options.alpha(0.7).centered(true).momentum(0.5).maximize(true)));
    }

    private static void addOthers(Map<String, Function<List<Tensor>, Optimizer<?>>> all) {
        all.put("Adadelta", Adadelta::new);
        all.put(
                "Adadelta options",
                p ->
                        new Adadelta(
                                p,
                                Adadelta.options(0.5)
                                        .rho(0.7)
                                        .eps(1e-4)
                                        .weightDecay(0.1)
                                        .maximize(true)));
        all.put("Adamax", Adamax::new);
        all.put(
                "Adamax options",
                p ->
                        new Adamax(
                                p,
                                Adamax.options(0.05)
                                        .betas(0.8, 0.9)
                                        .eps(1e-5)
                                        .weightDecay(0.1)
                                        .maximize(true)));
        all.put("Rprop", Rprop::new);
        all.put(
                "Rprop options",
                p ->
                        new Rprop(
                                p,
                                Rprop.options(0.05)
                                        .etas(0.3, 1.5)
                                        .stepSizes(0.02, 0.1)
                                        .maximize(true)));
        all.put("NAdam", NAdam::new);
        all.put(
                "NAdam options",
                p ->
                        new NAdam(
                                p,
                                NAdam.options(0.05)
                                        .betas(0.8, 0.95)
                                        .eps(1e-6)
                                        .weightDecay(0.1)
                                        .momentumDecay(0.05)));
        all.put("RAdam", RAdam::new);
        all.put(
                "RAdam options",
                p -> new RAdam(p, RAdam.options(0.05).betas(0.8, 0.95).eps(1e-6).weightDecay(0.1)));
        all.put("ASGD", ASGD::new);
        all.put(
                "ASGD options",
                p ->
                        new ASGD(
                                p,
                                ASGD.options(0.1)
                                        .lambd(0.05)
                                        .alpha(0.6)
                                        .t0(2)
                                        .weightDecay(0.1)
                                        .maximize(true)));
    }

    /** A recorded case: parameters, and gradients and parameters of each step, in their order. */
    private record Case(
            List<Tensor> first, List<@Nullable Tensor> gradients, List<double[]> after) {

        static Case of(String name) {
            DType dtype = name.endsWith("float32") ? DType.FLOAT32 : DType.FLOAT64;
            var parsed = new Case(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (String line : requireNonNull(RECORDED.get(name), name)) {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "param" ->
                            parsed.first.add(
                                    tensor(dtype, Recorded.numbers(line, 2), shape(words[1])));
                    case "grad" -> {
                        int[] shape = parsed.first.get(parsed.gradients.size() % 2).shape();
                        parsed.gradients.add(gradient(dtype, line, shape));
                    }
                    case "after" -> parsed.after.add(Recorded.numbers(line, 1));
                    default -> throw new IllegalStateException(line);
                }
            }
            return parsed;
        }

        private static @Nullable Tensor gradient(DType dtype, String line, int[] shape) {
            String[] words = line.split(" ", -1);
            return switch (words[1]) {
                case "none" -> null;
                case "dense" -> tensor(dtype, Recorded.numbers(line, 3), shape);
                default -> {
                    long[] rows =
                            Arrays.stream(words[2].split(",", -1))
                                    .mapToLong(Long::parseLong)
                                    .toArray();
                    int[] held = shape.clone();
                    held[0] = rows.length;
                    Tensor values = tensor(dtype, Recorded.numbers(line, 3), held);
                    yield Tensor.sparseCoo(Tensor.of(new long[][] {rows}), values, shape);
                }
            };
        }

        private static Tensor tensor(DType dtype, double[] numbers, int[] shape) {
            return Tensor.of(numbers, shape).to(dtype);
        }

        private static int[] shape(String text) {
            return Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
        }

        List<Tensor> parameters() {
            return first.stream().map(p -> p.copy().requiresGrad(true)).toList();
        }

        /** Take a step; the gradients are passed, or stored in the parameters. */
        void step(Optimizer<?> optimizer, List<Tensor> parameters, int step, boolean given) {
            Map<Tensor, Tensor> gradients = new HashMap<>();
            for (int i = 0; i < parameters.size(); i++) {
                Tensor gradient = gradients().get(step * parameters.size() + i);
                parameters.get(i).grad(given ? null : gradient);
                if (gradient != null) {
                    gradients.put(parameters.get(i), gradient);
                }
            }
            if (given) {
                optimizer.step(gradients);
            } else {
                optimizer.step();
            }
        }
    }

    static Set<String> cases() {
        return RECORDED.keySet();
    }

    private static Optimizer<?> optimizer(String name, List<Tensor> parameters) {
        String kind = name.substring(0, name.lastIndexOf(' '));
        return requireNonNull(OPTIMIZERS.get(kind), kind).apply(parameters);
    }

    @Test
    void everyOptimizerIsRecordedInBothTypes() {
        Set<String> expected = new TreeSet<>(List.of("SGD groups float64"));
        OPTIMIZERS.keySet().stream()
                .filter(name -> !name.equals("SGD groups"))
                .flatMap(name -> Stream.of(name + " float32", name + " float64"))
                .forEach(expected::add);
        assertEquals(expected, new TreeSet<>(RECORDED.keySet()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void stepsAreThoseOfPyTorch(String name) {
        var recorded = Case.of(name);
        List<Tensor> parameters = recorded.parameters();
        var optimizer = optimizer(name, parameters);
        double tolerance = name.endsWith("float32") ? 2e-6 : 1e-13;
        for (int step = 0; step < STEPS; step++) {
            recorded.step(optimizer, parameters, step, step % 2 == 0);
            for (int i = 0; i < parameters.size(); i++) {
                assertArrayEquals(
                        recorded.after().get(step * parameters.size() + i),
                        parameters.get(i).toDoubleArray(),
                        tolerance,
                        "parameter %d after step %d".formatted(i, step));
            }
        }
        assertTrue(parameters.stream().allMatch(p -> p.isLeaf() && p.requiresGrad()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void trainingGoesOnToTheBitFromAFile(String name, @TempDir Path folder) throws IOException {
        var recorded = Case.of(name);
        List<Tensor> parameters = recorded.parameters();
        var optimizer = optimizer(name, parameters);
        for (int step = 0; step < STEPS / 2; step++) {
            recorded.step(optimizer, parameters, step, true);
        }
        Path file = folder.resolve("optimizer.safetensors");
        SafeTensors.save(file, optimizer.stateDict());
        List<Tensor> others =
                parameters.stream().map(p -> p.detach().copy().requiresGrad(true)).toList();
        var resumed = optimizer(name, others);
        resumed.loadStateDict(SafeTensors.load(file));
        assertEquals(optimizer.toString(), resumed.toString());
        for (int step = STEPS / 2; step < STEPS; step++) {
            recorded.step(optimizer, parameters, step, true);
            recorded.step(resumed, others, step, true);
            for (int i = 0; i < parameters.size(); i++) {
                assertTrue(parameters.get(i).equal(others.get(i)), "parameter " + i);
            }
        }
    }
}
