package org.gradwire.examples.train;

import org.gradwire.examples.elastic.Snapshot;
import org.gradwire.examples.elastic.SnapshotFile;
import org.gradwire.examples.elastic.SnapshotKeeper;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;

/**
 * The snapshots of the training: in the memory of each worker, and in a file of the first trainer.
 * Names of their parts follow.
 */
record Snapshots(Rpc rpc, SnapshotFile file) {
    private static final String EMBEDDING = "embedding";
    private static final String HEAD = "head";
    private static final String OPTIMIZER = "optimizer"; // with the number of the trainer
    private static final String TIME = "time";
    private static final String SECONDS = "seconds";

    /**
     * Find the newest snapshot, and give it to those that have returned and lack it; {@return
     * {@link Snapshot#NONE} if there is none, as in a static group, which no worker survives}
     */
    Snapshot newest(List<String> workers) {
        if (!rpc.isDynamic()) {
            return Snapshot.NONE;
        }
        Snapshot kept = SnapshotKeeper.newest(rpc, workers);
        Snapshot newest = kept.isNone() ? file.load() : kept; // a file is never newer than all
        if (!newest.isNone()) {
            SnapshotKeeper.keepOn(rpc, workers, newest);
        }
        return newest;
    }

    /**
     * Save the state between two steps.
     *
     * @param optimizers the states of the trainers' optimizers, in the order of the trainers
     */
    void save(
            LanguageModel model,
            Report report,
            List<Map<String, Tensor>> optimizers,
            List<String> workers) {
        Tensor seconds = Tensor.scalar(DType.FLOAT64, report.seconds());
        Snapshot snapshot =
                Snapshot.of(report.losses())
                        .with(EMBEDDING, ModelState.read(rpc, model.embeddingRRef()))
                        .with(HEAD, ModelState.read(rpc, model.headRRef()))
                        .with(TIME, Map.of(SECONDS, seconds));
        for (int trainer = 0; trainer < optimizers.size(); trainer++) {
            snapshot = snapshot.with(OPTIMIZER + trainer, optimizers.get(trainer));
        }
        SnapshotKeeper.keepOn(rpc, workers, snapshot);
        file.save(snapshot);
    }

    /** Overwrite the parameters of the model. */
    void load(LanguageModel model, Snapshot from) {
        if (!from.isNone()) {
            ModelState.load(rpc, model.embeddingRRef(), from.part(EMBEDDING));
            ModelState.load(rpc, model.headRRef(), from.part(HEAD));
        }
    }

    /** {@return the state of a trainer's optimizer; empty if there is none} */
    static Map<String, Tensor> optimizer(Snapshot from, int trainer) {
        return from.part(OPTIMIZER + trainer);
    }

    /** {@return the time of training before a snapshot} */
    static double seconds(Snapshot from) {
        Tensor seconds = from.part(TIME).get(SECONDS);
        return seconds == null ? 0 : seconds.item();
    }
}
