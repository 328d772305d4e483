package org.gradwire.optim.lr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.optim.Adagrad;
import org.gradwire.optim.LearningRates;
import org.gradwire.optim.SGD;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.List;
import java.util.Map;

/** Errors of schedulers, and their combination. */
class LRSchedulerTest {
    private final SGD optimizer = new SGD(List.of(Tensor.of(0f).requiresGrad(true)), 0.4);

    private static void assertRefused(String message, Executable action) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
    }

    @Test
    void aScheduleMayBeALambda() {
        var scheduler =
                new LRScheduler(optimizer, (epoch, lr, first) -> epoch == 0 ? first / 4 : lr * 2);
        assertEquals(List.of(0.1), scheduler.lastLrs());
        scheduler.step();
        scheduler.step();
        assertEquals(List.of(0.4), scheduler.lastLrs());
    }

    @Test
    void aSchedulerWorksOnFromWhatOthersHaveChanged() {
        var scheduler = new LRScheduler(optimizer, new ExponentialLR(0.5));
        optimizer.learningRates(new LearningRates(List.of(0.1), List.of()));
        scheduler.step();
        assertEquals(List.of(0.05), scheduler.lastLrs());
    }

    @Test
    void aCycleKeepsItsLastRatesWhenItIsOver() {
        var scheduler = new LRScheduler(optimizer, OneCycleLR.of(0.5, 4).linear(true));
        for (int step = 1; step < 4; step++) {
            scheduler.step();
        }
        LearningRates last = optimizer.learningRates();
        assertEquals(2e-6, last.lrs().getFirst(), 1e-15);
        scheduler.step();
        assertEquals(last, optimizer.learningRates());
    }

    @Test
    void aPlateauSkipsSmallReductions() {
        var options = ReduceLROnPlateau.options().factor(0.5).patience(0).eps(0.15);
        var scheduler = new ReduceLROnPlateau(optimizer, options);
        scheduler.step(1);
        assertEquals(List.of(0.4), scheduler.lastLrs());
        scheduler.step(1);
        assertEquals(List.of(0.2), scheduler.lastLrs());
        scheduler.step(1);
        assertEquals(List.of(0.2), scheduler.lastLrs());
    }

    @Test
    void aRateThatTheOptimizerRefusesChangesNothing() {
        var scheduler = new LRScheduler(optimizer, (epoch, lr, first) -> epoch == 0 ? lr : -lr);
        assertRefused("Invalid learning rate: -0.4; it must be at least 0", scheduler::step);
        assertEquals(0, scheduler.lastEpoch());
        assertEquals(List.of(0.4), scheduler.lastLrs());
    }

    @Test
    void thereIsAScheduleForEachGroup() {
        var schedule = new ExponentialLR(0.5);
        assertRefused(
                "Expected 1 schedules, but got 2; give one for each group of parameters",
                () -> new LRScheduler(optimizer, List.of(schedule, schedule)));
        assertRefused(
                "got 2 learning rates for 1 groups of parameters; pass one for each",
                () -> optimizer.learningRates(new LearningRates(List.of(0.1, 0.2), List.of())));
        assertRefused(
                "2 learning rates and 1 momenta do not fit together; give as many, or no momenta",
                () -> new LearningRates(List.of(0.1, 0.2), List.of(0.1)));
        var adagrad = new Adagrad(optimizer.parameters());
        assertRefused(
                "a momentum of 0.9 came for options that have none: " + Adagrad.options(0.1),
                () -> adagrad.learningRates(new LearningRates(List.of(0.1), List.of(0.9))));
    }

    @Test
    void schedulesCheckTheirNumbers() {
        assertRefused("stepSize must be at least 1, not 0", () -> new StepLR(0, 0.1));
        assertRefused("tMax must be at least 1, not 0", () -> new CosineAnnealingLR(0));
        assertRefused("totalIters must be at least 1, not 0", () -> new PolynomialLR(0, 1));
        assertRefused("totalIters must be at least 1, not 0", () -> new LinearLR(1, 1, 0));
        assertRefused(
                "t0 must be 1 or more, but is 0", () -> new CosineAnnealingWarmRestarts(0, 1, 0));
        assertRefused(
                "tMult must be 1 or more, but is 0",
                () -> new CosineAnnealingWarmRestarts(1, 0, 0));
        assertRefused(
                "Constant multiplicative factor expected to be between 0 and 1. It is 1.5",
                () -> new ConstantLR(1.5, 2));
        assertRefused(
                "Starting multiplicative factor expected to be between 0 and 1. It is 0.0",
                () -> new LinearLR(0, 1, 2));
        assertRefused(
                "Ending multiplicative factor expected to be between 0 and 1. It is -1.0",
                () -> new LinearLR(1, -1, 2));
        assertRefused("totalSteps must be 1 or more, but is 0", () -> OneCycleLR.of(1, 0));
        assertRefused(
                "pctStart must be from 0 to 1, but is 1.5",
                () -> OneCycleLR.of(1, 2).pctStart(1.5));
        assertRefused(
                "Factor should be < 1.0. It is 1.0", () -> ReduceLROnPlateau.options().factor(1));
        assertRefused(
                "there is no schedule to chain; give at least one",
                () -> new ChainedScheduler(List.of()));
    }

    @Test
    void sequencesNeedMilestonesBetweenTheirSchedules() {
        var schedule = new ExponentialLR(0.5);
        assertRefused(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but got number of schedulers 2 and the number of milestones to be equal to 0",
                () -> new SequentialLR(List.of(schedule, schedule), List.of()));
        assertRefused(
                "milestones must ascend from 1 on, not [2, 2]",
                () -> new SequentialLR(List.of(schedule, schedule, schedule), List.of(2, 2)));
    }

    @Test
    void aStateThatIsNoneIsRefused() {
        var scheduler = new LRScheduler(optimizer, new ExponentialLR(0.5));
        assertRefused(
                "the saved state of a scheduler needs 'last_epoch'; it has []",
                () -> scheduler.loadStateDict(Map.of()));
        Map<String, Tensor> state = scheduler.stateDict();
        state.put("base_lrs", Tensor.of(0.1, 0.2));
        state.put("base_momenta", Tensor.of(new double[0]));
        assertRefused(
                "the saved scheduler has 2 groups of parameters, this one 1",
                () -> scheduler.loadStateDict(state));
        assertEquals(0, scheduler.lastEpoch());
    }
}
