package org.gradwire.checkpoint;

import org.gradwire.checkpoint.ElasticTrainer.Settings;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
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
     * {@return whether members of a dynamic group have left it permanently} The first one does so
     * when all is done, and then the others do. A process of a member that starts after that finds
     * too few.
     */
    static boolean isOver(GroupView view, int minMembers) {
        int first = view.members().getFirst().id();
        return view.left().stream().anyMatch(worker -> worker.id() < first)
                || (!view.left().isEmpty() && view.members().size() < minMembers);
    }

    private boolean isOver(GroupView view) {
        return isOver(view, settings.minMembers());
    }

    @Override
    public void recover(GroupView view) {
        boolean isFinished = running != null && running.isFinished();
        abandon();
        if (isOver(view)) {
            if (!isFinished) {
                requireDone(view);
            }
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

    private void requireDone(GroupView view) {
        try {
            if (KeptStates.of(rpc).isFinished(settings.name()) || Progress.isDone(storage)) {
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("whether the training is done is unknown", e);
        }
        throw new IllegalStateException(
                "%s left the group before the training had ended, so its part has failed; its exception says why"
                        .formatted(view.left()));
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
        if (!rpc.isDynamic() || isOver(view)) {
            return false;
        }
        var _ = rpc.awaitView(next -> next.number() != view.number(), ANY_TIME); // serves meanwhile
        return true;
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
