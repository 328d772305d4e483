package org.gradwire.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.gradwire.runtime.simulation.Simulation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

class SecretNumbersTest {
    private static final int MANY = 2_000; // more than one block

    private static Set<Long> drawn(int worker, @Nullable Simulation simulation) {
        SecretNumbers numbers = SecretNumbers.of(worker, simulation);
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            all.add(numbers.next());
        }
        return all;
    }

    @Test
    void noneComesTwice() {
        Set<Long> numbers = drawn(0, null);
        numbers.addAll(drawn(0, null)); // of another process, for example
        assertEquals(2 * MANY, numbers.size());
    }

    @Test
    void inSimulatedTimeTheyFollowFromTheSeed() {
        assertEquals(drawn(1, new Simulation(7)), drawn(1, new Simulation(7)));
        assertNotEquals(drawn(1, new Simulation(7)), drawn(2, new Simulation(7)));
        assertNotEquals(drawn(1, new Simulation(7)), drawn(1, new Simulation(8)));
    }
}
