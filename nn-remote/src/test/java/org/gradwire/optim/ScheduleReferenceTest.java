package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.util.Objects.requireNonNull;

import org.gradwire.optim.lr.ChainedScheduler;
import org.gradwire.optim.lr.ConstantLR;
import org.gradwire.optim.lr.CosineAnnealingLR;
import org.gradwire.optim.lr.CosineAnnealingWarmRestarts;
import org.gradwire.optim.lr.ExponentialLR;
import org.gradwire.optim.lr.LRScheduler;
import org.gradwire.optim.lr.LambdaLR;
import org.gradwire.optim.lr.LinearLR;
import org.gradwire.optim.lr.MultiStepLR;
import org.gradwire.optim.lr.MultiplicativeLR;
import org.gradwire.optim.lr.OneCycleLR;
import org.gradwire.optim.lr.PolynomialLR;
import org.gradwire.optim.lr.ReduceLROnPlateau;
import org.gradwire.optim.lr.ReduceLROnPlateau.Mode;
import org.gradwire.optim.lr.ReduceLROnPlateau.ThresholdMode;
import org.gradwire.optim.lr.Schedule;
import org.gradwire.optim.lr.SequentialLR;
import org.gradwire.optim.lr.StepLR;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Learning rates and momenta of two groups in each epoch against those of PyTorch; see {@code
 * src/test/python/generate_optimizers.py} for how the file is made.
 */
class ScheduleReferenceTest {
    private static final Map<String, List<String>> RECORDED = Recorded.read("schedules.txt");

    private static final Map<String, List<Schedule>> SCHEDULES = schedules();

    private static final Map<String, ReduceLROnPlateau.Options> PLATEAUS =
            Map.of(
                    "ReduceLROnPlateau", ReduceLROnPlateau.options().patience(2).factor(0.5),
                    "ReduceLROnPlateau max",
                            ReduceLROnPlateau.options()
                                    .mode(Mode.MAX)
                                    .patience(1)
                                    .threshold(0.2, ThresholdMode.ABS),
                    "ReduceLROnPlateau cooldown",
                            ReduceLROnPlateau.options()
                                    .patience(0)
                                    .cooldown(2)
                                    .minLr(0.002)
                                    .threshold(0.1, ThresholdMode.REL),
                    "ReduceLROnPlateau max rel",
                            ReduceLROnPlateau.options()
                                    .mode(Mode.MAX)
                                    .patience(3)
                                    .factor(0.2)
                                    .minLr(0.03));

    private static Map<String, List<Schedule>> schedules() {
        Map<String, Schedule> all = new LinkedHashMap<>();
        all.put("StepLR", new StepLR(3, 0.5));
        all.put("MultiStepLR", new MultiStepLR(List.of(2, 5, 5, 9), 0.3));
        all.put("ConstantLR", new ConstantLR(0.25, 4));
        all.put("LinearLR", new LinearLR(0.1, 0.8, 6));
        all.put("ExponentialLR", new ExponentialLR(0.8));
        all.put("PolynomialLR", new PolynomialLR(7, 2));
        all.put("CosineAnnealingLR", new CosineAnnealingLR(5, 0.01));
        all.put("CosineAnnealingWarmRestarts", new CosineAnnealingWarmRestarts(3, 2, 0.01));
        all.put("LambdaLR", new LambdaLR(epoch -> 1.0 / (1 + epoch)));
        all.put("MultiplicativeLR", new MultiplicativeLR(epoch -> 1 - 0.01 * epoch));
        var warmUp = new LinearLR(0.1, 1, 4);
        all.put(
                "SequentialLR",
                new SequentialLR(
                        List.of(warmUp, new CosineAnnealingLR(8), new ExponentialLR(0.5)),
                        List.of(4, 12)));
        all.put(
                "ChainedScheduler",
                new ChainedScheduler(List.of(new ConstantLR(0.1, 2), new ExponentialLR(0.9))));
        var cycle = OneCycleLR.of(0.5, 16);
        all.put("OneCycleLR", cycle);
        all.put(
                "OneCycleLR linear",
                cycle.pctStart(0.4).linear(true).momenta(0.7, 0.9).divFactors(10, 100));
        all.put(
                "OneCycleLR three phases",
                cycle.pctStart(0.25).threePhase(true).cycleMomentum(false));
        Map<String, List<Schedule>> twice = new LinkedHashMap<>();
        all.forEach((name, schedule) -> twice.put(name, List.of(schedule, schedule)));
        twice.put(
                "LambdaLR groups",
                List.of(
                        new LambdaLR(epoch -> 1.0 / (1 + epoch)),
                        new LambdaLR(epoch -> Math.pow(0.9, epoch))));
        return twice;
    }

    private static SGD optimizer() {
        var optimizer = new SGD(List.of(parameter()), 0.1, 0.9);
        optimizer.addGroup(List.of(parameter()), SGD.options(0.02).momentum(0.9));
        return optimizer;
    }

    private static Tensor parameter() {
        return Tensor.of(0f).requiresGrad(true);
    }

    private static void assertRates(String line, SGD optimizer, String what) {
        LearningRates learningRates = optimizer.learningRates();
        double[] actual =
                Stream.concat(learningRates.lrs().stream(), learningRates.momenta().stream())
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        double[] expected = Recorded.numbers(line, 1);
        double scale = DoubleStream.of(expected).map(Math::abs).max().orElse(1);
        assertArrayEquals(
                expected, actual, 1e-15 * scale, () -> what + ": " + Arrays.toString(actual));
    }

    static Set<String> schedulesToTest() {
        return SCHEDULES.keySet();
    }

    static Set<String> plateaus() {
        return PLATEAUS.keySet();
    }

    @Test
    void everyScheduleIsRecorded() {
        var known = new TreeSet<>(SCHEDULES.keySet());
        known.addAll(PLATEAUS.keySet());
        assertEquals(known, new TreeSet<>(RECORDED.keySet()));
    }

    @ParameterizedTest
    @MethodSource("schedulesToTest")
    void ratesAreThoseOfPyTorch(String name) {
        SGD optimizer = optimizer();
        var scheduler = new LRScheduler(optimizer, requireNonNull(SCHEDULES.get(name)));
        List<String> lines = requireNonNull(RECORDED.get(name));
        assertEquals(16, lines.size());
        for (int epoch = 0; epoch < lines.size(); epoch++) {
            assertEquals(epoch, scheduler.lastEpoch());
            assertEquals(optimizer.learningRates().lrs(), scheduler.lastLrs());
            assertRates(lines.get(epoch), optimizer, "epoch " + epoch);
            scheduler.step();
        }
    }

    @ParameterizedTest
    @MethodSource("schedulesToTest")
    void aSchedulerGoesOnToTheBit(String name) {
        List<Schedule> schedules = requireNonNull(SCHEDULES.get(name));
        SGD optimizer = optimizer();
        var scheduler = new LRScheduler(optimizer, schedules);
        for (int epoch = 0; epoch < 6; epoch++) {
            scheduler.step();
        }
        SGD other = optimizer();
        var resumed = new LRScheduler(other, schedules);
        other.loadStateDict(optimizer.stateDict());
        resumed.loadStateDict(scheduler.stateDict());
        for (int epoch = 6; epoch < 16; epoch++) {
            assertEquals(optimizer.learningRates(), other.learningRates());
            assertEquals(scheduler.lastEpoch(), resumed.lastEpoch());
            scheduler.step();
            resumed.step();
        }
    }

    @ParameterizedTest
    @MethodSource("plateaus")
    void plateausAreThoseOfPyTorch(String name) {
        SGD optimizer = optimizer();
        var options = requireNonNull(PLATEAUS.get(name));
        var scheduler = new ReduceLROnPlateau(optimizer, options);
        List<String> lines = requireNonNull(RECORDED.get(name));
        assertEquals(40, lines.size());
        for (int i = 0; i < lines.size(); i += 2) {
            String metric = lines.get(i).split(" ", -1)[1];
            scheduler.step(metric.equals("nan") ? Double.NaN : Double.parseDouble(metric));
            assertEquals(i / 2 + 1, scheduler.lastEpoch());
            assertRates(lines.get(i + 1), optimizer, "after " + metric);
            // A new one knows what the old one knew.
            var resumed = new ReduceLROnPlateau(optimizer, options);
            resumed.loadStateDict(scheduler.stateDict());
            scheduler = resumed;
        }
    }
}
