package org.gradwire.checkpoint;

import org.gradwire.collective.ProcessGroup;
import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * The states of a member in a consistent cut of its group: all members copy between two barriers,
 * so that none is in a step while another copies.
 */
final class Cut {
    private final @Nullable StagedState state;
    private final @Nullable RuntimeException failure;

    private Cut(@Nullable StagedState state, @Nullable RuntimeException failure) {
        this.state = state;
        this.failure = failure;
    }

    /**
     * Copy the states of this member, when all members do.
     *
     * @param before as for {@link StagedState#copyOf}
     */
    static Cut of(ProcessGroup group, Map<String, ? extends Stateful> states, StagedState before) {
        group.barrier();
        Cut cut = copyOf(states, before);
        group.barrier();
        return cut;
    }

    private static Cut copyOf(Map<String, ? extends Stateful> states, StagedState before) {
        try {
            return new Cut(StagedState.copyOf(states, before), null);
        } catch (RuntimeException e) {
            return new Cut(null, e);
        }
    }

    /**
     * Return the copies.
     *
     * @throws RuntimeException why the states could not be copied: here, where the others learn of
     *     it too, and do not wait
     */
    StagedState get() {
        if (state != null) {
            return state;
        }
        throw failure == null
                ? new IllegalStateException("neither a state nor a failure")
                : failure;
    }

    /** {@return the copies, or another state if they could not be made} */
    StagedState orElse(StagedState other) {
        return state == null ? other : state;
    }
}
