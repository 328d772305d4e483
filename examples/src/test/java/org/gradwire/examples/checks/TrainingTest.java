package org.gradwire.examples.checks;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** The comparison of trainings detects each kind of difference. */
class TrainingTest {
    private static final Training TRAINING = training(2, 1, 0.5f);

    private static Training training(double first, double second, float parameter) {
        return new Training(List.of(first, second), Map.of("weight", Tensor.of(1f, parameter)));
    }

    @Test
    void roundingIsNotADifference() {
        assertTrue(TRAINING.printAgainst(TRAINING));
        assertTrue(training(2, 1.000001, 0.500001f).printAgainst(TRAINING));
    }

    @Test
    void otherLossOrParameterIsADifference() {
        assertFalse(training(2.001, 1, 0.5f).printAgainst(TRAINING));
        assertFalse(training(2, 0.999, 0.5f).printAgainst(TRAINING));
        assertFalse(training(2, 1, 0.501f).printAgainst(TRAINING));
    }

    @Test
    void nanIsADifference() {
        assertFalse(training(Double.NaN, 1, 0.5f).printAgainst(TRAINING));
        assertFalse(training(2, 1, Float.NaN).printAgainst(TRAINING));
        var broken = training(2, 1, Float.NaN);
        assertFalse(broken.printAgainst(broken));
    }

    @Test
    void otherStepsParametersAndShapesAreRefused() {
        var shorter = new Training(List.of(2.0), TRAINING.parameters());
        var otherName = new Training(TRAINING.losses(), Map.of("bias", Tensor.ones(2)));
        var otherShape = new Training(TRAINING.losses(), Map.of("weight", Tensor.ones(3)));
        for (Training other : List.of(shorter, otherName, otherShape)) {
            assertThrows(IllegalArgumentException.class, () -> other.printAgainst(TRAINING));
        }
    }
}
