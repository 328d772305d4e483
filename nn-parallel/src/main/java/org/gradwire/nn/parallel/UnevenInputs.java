package org.gradwire.nn.parallel;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * Members with different numbers of batches. Before each step all members exchange whether they
 * have a batch; those without one take part in the operations of the others.
 */
final class UnevenInputs {
    private static final int NONE = Integer.MAX_VALUE;

    private final ProcessGroup group;
    private int lastRoot;

    /**
     * A step of the members that have a batch.
     *
     * @param root the lowest rank of them
     * @param averages whether they average the gradients
     */
    record Step(int root, boolean averages) {}

    UnevenInputs(ProcessGroup group) {
        this.group = group;
    }

    /** Announce a batch of this member. */
    Step announce(boolean averages) {
        return Objects.requireNonNull(exchange(group.rank(), averages ? 1 : 0));
    }

    /** Wait for the next step of the others; {@return null if none has another batch} */
    @Nullable Step follow() {
        return exchange(NONE, NONE);
    }

    private @Nullable Step exchange(int rank, int averages) {
        int[] least =
                group.allReduce(Tensor.of(new int[] {rank, averages}), ReduceOp.MIN).toIntArray();
        if (least[0] == NONE) {
            return null;
        }
        lastRoot = least[0];
        return new Step(least[0], least[1] == 1);
    }

    /** {@return the root of the last step; 0 if there was none} */
    int lastRoot() {
        return lastRoot;
    }
}
