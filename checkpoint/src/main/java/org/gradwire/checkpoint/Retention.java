package org.gradwire.checkpoint;

import java.io.IOException;
import java.util.List;

/**
 * The rule by which old checkpoints are removed.
 *
 * @param keepLast number of the newest ones
 * @param keepEvery those at multiples of this step stay as well; 0 for none
 */
record Retention(int keepLast, long keepEvery) {

    void apply(CheckpointStorage storage) throws IOException {
        List<Long> steps = Checkpoint.steps(storage).reversed();
        for (long step : steps.subList(Math.min(keepLast, steps.size()), steps.size())) {
            if (keepEvery == 0 || step % keepEvery != 0) {
                storage.remove(StepNames.of(step));
            }
        }
    }
}
