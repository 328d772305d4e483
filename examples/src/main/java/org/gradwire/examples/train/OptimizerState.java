package org.gradwire.examples.train;

import org.gradwire.checkpoint.Stateful;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.LearningRates;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of a trainer's optimizer. The tensors of all trainers' optimizers are in one state of
 * the checkpoint, with the number of the trainers: in a group with more of them than there were,
 * the new ones begin without a state. The learning rates are not loaded, since they are for the
 * present number of trainers.
 *
 * @param trainer number of the trainer
 * @param trainers how many there are
 */
record OptimizerState(DistributedOptimizer optimizer, int trainer, int trainers)
        implements Stateful {
    private static final String TRAINERS = "trainers";

    private String prefix() {
        return trainer + ".";
    }

    @Override
    public Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        optimizer.stateDict().forEach((name, tensor) -> state.put(prefix() + name, tensor));
        state.put(TRAINERS, Tensor.scalar(DType.INT64, trainers));
        return state;
    }

    /** {@return the tensors of this trainer's optimizer} */
    private Map<String, Tensor> own(Map<String, Tensor> state) {
        Map<String, Tensor> own = new LinkedHashMap<>();
        state.forEach((name, tensor) -> {
            if (name.startsWith(prefix())) {
                own.put(name.substring(prefix().length()), tensor.clone());
            }
        });
        return own;
    }

    @Override
    public void check(Map<String, Tensor> state) {
        Tensor saved = state.get(TRAINERS);
        if (saved == null) {
            throw new IllegalArgumentException("'%s' is missing".formatted(TRAINERS));
        }
        Map<String, Tensor> own = own(state);
        boolean isSaved = trainer < saved.itemAsLong();
        if (isSaved == own.isEmpty()) {
            throw new IllegalArgumentException(
                    "of the optimizer of trainer %d, of %d that saved, it has %s"
                            .formatted(trainer, saved.itemAsLong(), own.keySet()));
        }
        if (isSaved) {
            optimizer.checkStateDict(own);
        }
    }

    @Override
    public void loadStateDict(Map<String, Tensor> state) {
        Map<String, Tensor> own = own(state);
        if (!own.isEmpty()) {
            LearningRates rates = optimizer.learningRates();
            optimizer.loadStateDict(own);
            optimizer.learningRates(rates);
        }
    }
}
