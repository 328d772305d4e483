package org.gradwire.examples.train;

import org.gradwire.examples.train.TrainerValue.Start;
import org.gradwire.examples.train.TrainerValue.Vote;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The all-gathers of the trainers in one view of the group. Trainers learn of a new view at
 * different moments, so a value has the number of its view, and is gathered again if another
 * trainer was in an earlier one.
 */
record TrainerRounds(Rpc rpc, GroupView view, Roles roles) {
    private static final int MOST_ATTEMPTS = 3;

    /** {@return a value of each trainer, by name} */
    private <T extends TrainerValue> Map<String, T> gather(T value) {
        while (true) {
            Map<String, T> all = rpc.allGather(value, roles.trainerSet());
            List<Long> views = all.values().stream().map(TrainerValue::view).toList();
            if (views.stream().anyMatch(other -> other > view.number())) {
                throw new RpcException(
                        "the trainers %s are in the views %s, and this one is still in view %d"
                                .formatted(all.keySet(), views, view.number()));
            }
            if (views.stream().allMatch(other -> other == view.number())) {
                return all;
            }
        }
    }

    /**
     * Begin the training in this view, with the model of the first trainer. A round that failed on
     * some trainers in the view before fails on the others now, and is repeated.
     *
     * @param parts of the first trainer; empty from another
     * @return those of the first trainer
     */
    ModelParts begin(List<ModelParts> parts) {
        for (int attempt = 1; ; attempt++) {
            try {
                Map<String, Start> all = gather(new Start(view.number(), parts));
                return Objects.requireNonNull(all.get(roles.trainers().getFirst()))
                        .parts()
                        .getFirst();
            } catch (RpcException e) {
                if (attempt == MOST_ATTEMPTS || rpc.view().number() != view.number()) {
                    throw e;
                }
            }
        }
    }

    /** Wait for all; {@return whether no trainer wants to stop} */
    boolean allContinue(boolean wantsMore) {
        return gather(new Vote(view.number(), wantsMore)).values().stream()
                .allMatch(Vote::wantsMore);
    }
}
