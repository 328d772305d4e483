package org.gradwire.checkpoint;

import org.gradwire.checkpoint.ElasticTrainer.Settings;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The program of one member of an elastic training: it trains, or serves those that do. Belongs to
 * one thread.
 */
final class TrainerProgram implements ElasticProgram, AutoCloseable {
    private static final Duration ANY_TIME = Duration.ofDays(10_000);

    private final Rpc rpc;
    private final CheckpointStorage storage;
    private final Settings settings;
    private final ElasticTraining training;
    private @Nullable RunningAttempt running; // of a trainer

    TrainerProgram(
            Rpc rpc, CheckpointStorage storage, Settings settings, ElasticTraining training) {
        this.rpc = rpc;
        this.storage = storage;
        this.settings = settings;
        this.training = training;
    }

    /**
     * {@return whether the first member of a dynamic group has left, as it does when all is done}
     */
    static boolean isDone(GroupView view) {
        int first = view.members().getFirst().id();
        return view.left().stream().anyMatch(worker -> worker.id() < first);
    }

    @Override
    public void recover(GroupView view) {
        abandon();
        if (isDone(view)) {
            return;
        }
        List<String> trainers = training.trainers(view);
        if (!trainers.contains(view.names().getFirst())) {
            throw new IllegalArgumentException(
                    "the trainers are %s, without %s, the first member of the group; let it train"
                            .formatted(trainers, view.names().getFirst()));
        }
        if (trainers.contains(rpc.self().name())) {
            running = RunningAttempt.begin(rpc, storage, settings, training, view, trainers);
        }
    }

    @Override
    public boolean step(GroupView view) {
        RunningAttempt attempt = running;
        if (attempt != null && attempt.advance()) {
            return true;
        }
        if (attempt != null && attempt.finish()) {
            return false;
        }
        return rpc.isDynamic() && !isDone(view) && awaitChange(view);
    }

    /** Serve until the members change; {@return whether there is more to do} */
    private boolean awaitChange(GroupView view) {
        return !isDone(rpc.awaitView(next -> next.number() != view.number(), ANY_TIME));
    }

    private void abandon() {
        RunningAttempt attempt = running;
        running = null;
        if (attempt != null) {
            attempt.abandon();
        }
    }

    @Override
    public void close() {
        RunningAttempt attempt = running;
        running = null;
        if (attempt != null) {
            attempt.close();
        }
    }
}
