package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Manifest.Shard;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One save of a group, in three phases: members describe their tensors, write their shards, and the
 * first member publishes.
 */
final class GroupSave {
    private static final Logger LOG = System.getLogger(GroupSave.class.getName());

    private final ProcessGroup group;
    private final Exchange exchange;
    private final CheckpointStorage storage;
    private final Retention retention;
    private final String program;
    private final long step;
    private final Cut staged;

    GroupSave(
            ProcessGroup group,
            CheckpointStorage storage,
            Retention retention,
            String program,
            long step,
            Cut staged) {
        this.group = group;
        this.exchange = new Exchange(group);
        this.storage = storage;
        this.retention = retention;
        this.program = program;
        this.step = step;
        this.staged = staged;
    }

    Manifest run() throws IOException {
        List<Json> descriptions = exchange.run(this::describe);
        String attempt = StepNames.requireAttempt(descriptions.getFirst().get("attempt").text());
        try {
            return write(attempt, descriptions);
        } catch (IOException | RuntimeException e) {
            if (isFirst()) {
                discard(e);
            }
            throw e;
        }
    }

    private boolean isFirst() {
        return group.rank() == 0;
    }

    private void discard(Exception failure) {
        try {
            storage.removeAttempts();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private Object describe() throws IOException {
        if (isFirst()) {
            storage.removeAttempts();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("step", step);
        fields.put("attempt", StepNames.attempt());
        fields.put("claims", Claim.of(staged.get()).stream().map(Claim::fields).toList());
        return fields;
    }

    private Manifest write(String attempt, List<Json> descriptions) throws IOException {
        List<SavedTensor> tensors = new ArrayList<>();
        List<Json> written =
                exchange.run(() -> {
                    tensors.addAll(plan(descriptions));
                    return writeShard(attempt, tensors);
                });
        List<Shard> shards = new ArrayList<>();
        for (Json shard : written) {
            shards.add(
                    new Shard(
                            shard.get("bytes").number(Long.MAX_VALUE), shard.get("sha256").text()));
        }
        var manifest = new Manifest(step, program, group.members(), shards, tensors);
        var _ =
                exchange.run(() -> {
                    if (isFirst()) {
                        publish(attempt, manifest);
                    }
                    return "published";
                });
        return manifest;
    }

    private List<SavedTensor> plan(List<Json> descriptions) throws CheckpointException {
        List<List<Claim>> claims = new ArrayList<>();
        for (Json description : descriptions) {
            if (description.get("step").number(Long.MAX_VALUE) != step) {
                throw description
                        .get("step")
                        .wrong(
                                "%d, the step of %s"
                                        .formatted(step, group.members().get(group.rank())));
            }
            List<Claim> all = new ArrayList<>();
            for (Json claim : description.get("claims").elements()) {
                all.add(Claim.parse(claim));
            }
            claims.add(all);
        }
        return SavePlan.of(group.members(), claims);
    }

    private Object writeShard(String attempt, List<SavedTensor> tensors) throws IOException {
        Map<String, Tensor> own = new LinkedHashMap<>();
        for (SavedTensor tensor : tensors) {
            Tensor value = staged.get().tensors().get(tensor.name());
            if (value != null
                    && tensor.pieces().stream().anyMatch(piece -> piece.shard() == group.rank())) {
                own.put(tensor.name(), value);
            }
        }
        var shard = new ShardContent(own);
        storage.write(StepNames.of(step), attempt, StepNames.shard(group.rank()), shard);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("bytes", shard.bytes());
        fields.put("sha256", shard.sha256());
        return fields;
    }

    private void publish(String attempt, Manifest manifest) throws IOException {
        storage.publish(StepNames.of(step), attempt, ManifestFormat.write(manifest));
        try {
            retention.apply(storage);
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "old checkpoints in " + storage + " could not be removed", e);
        }
    }
}
