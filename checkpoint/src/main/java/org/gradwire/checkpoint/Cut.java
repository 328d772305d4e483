package org.gradwire.checkpoint;

import org.gradwire.collective.ProcessGroup;

import java.util.Map;
import java.util.function.Supplier;

/**
 * A consistent cut of a group: all members copy their states between two barriers, so that none is
 * in a step while another copies.
 */
final class Cut {
    private Cut() {}

    /**
     * Copy the states of this member, when all members do. A failure to copy is thrown by the
     * result, where the others learn of it too, and do not wait.
     */
    static Supplier<StagedState> of(ProcessGroup group, Map<String, ? extends Stateful> states) {
        group.barrier();
        Supplier<StagedState> staged = copyOf(states);
        group.barrier();
        return staged;
    }

    private static Supplier<StagedState> copyOf(Map<String, ? extends Stateful> states) {
        try {
            StagedState staged = StagedState.copyOf(states);
            return () -> staged;
        } catch (RuntimeException e) {
            return () -> {
                throw e;
            };
        }
    }
}
