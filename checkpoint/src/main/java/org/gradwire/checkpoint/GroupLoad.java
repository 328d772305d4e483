package org.gradwire.checkpoint;

import org.gradwire.collective.ProcessGroup;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One load of a group, in two phases: the first member chooses the newest checkpoint that is
 * undamaged, and all check it against their states. Then each member changes its states.
 */
record GroupLoad(
        ProcessGroup group, CheckpointStorage storage, Map<String, ? extends Stateful> states) {

    private static final Logger LOG = System.getLogger(GroupLoad.class.getName());

    OptionalLong run() throws IOException {
        var exchange = new Exchange(group);
        List<SavedCheckpoint> found = new ArrayList<>();
        List<Json> chosen =
                exchange.run(() -> {
                    if (group.rank() == 0) {
                        Checkpoint.Latest latest = Checkpoint.latest(storage);
                        latest.damaged()
                                .forEach(text ->
                                        LOG.log(
                                                Level.WARNING,
                                                "a checkpoint is damaged, and an older one is loaded: {0}",
                                                text));
                        latest.checkpoint().ifPresent(found::add);
                    }
                    return found.stream().map(GroupLoad::identity).toList();
                });
        if (chosen.getFirst().elements().isEmpty()) {
            return OptionalLong.empty();
        }
        Json identity = chosen.getFirst().elements().getFirst();
        long step = identity.get("step").number(Long.MAX_VALUE);
        List<LoadPlan> plans = new ArrayList<>();
        var _ =
                exchange.run(() -> {
                    SavedCheckpoint saved =
                            found.isEmpty()
                                    ? SavedCheckpoint.open(storage, step)
                                    : found.getFirst();
                    requireSame(identity, saved);
                    plans.add(LoadPlan.of(saved.source(), states, Optional::of));
                    return "checked";
                });
        plans.getFirst().run();
        return OptionalLong.of(step);
    }

    private static Map<String, Object> identity(SavedCheckpoint saved) {
        return Map.of("step", saved.manifest().step(), "manifest", saved.manifestDigest());
    }

    private void requireSame(Json identity, SavedCheckpoint saved) throws CheckpointException {
        if (!identity(saved).equals(identity.value())) {
            throw new CheckpointException(
                    "%s differs from that of %s; use a storage that all members share"
                            .formatted(saved, group.members().getFirst()));
        }
    }
}
