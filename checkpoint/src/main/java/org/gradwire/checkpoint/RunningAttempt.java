package org.gradwire.checkpoint;

import org.gradwire.checkpoint.ElasticTrainer.Settings;
import org.gradwire.checkpoint.KeptStates.CutId;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The training of this member in one view: its steps, copies and saves. */
final class RunningAttempt {
    private static final Logger LOG = System.getLogger(RunningAttempt.class.getName());

    private final Rpc rpc;
    private final Settings settings;
    private final GroupView view;
    private final ProcessGroup group; // of cuts and recovery; saves have their own
    private final Checkpoint checkpoint;
    private final ElasticTraining.Attempt attempt;
    private final Map<String, Stateful> states;
    private final Progress progress = new Progress();
    private final List<RpcFuture<@Nullable Void>> mirrored = new ArrayList<>();
    private long steps;
    private long saved = -1; // step of the last save that was begun
    private boolean isFinished; // the last state is saved

    private RunningAttempt(
            Rpc rpc,
            Settings settings,
            GroupView view,
            ProcessGroup group,
            Checkpoint checkpoint,
            ElasticTraining.Attempt attempt) {
        this.rpc = rpc;
        this.settings = settings;
        this.view = view;
        this.group = group;
        this.checkpoint = checkpoint;
        this.attempt = attempt;
        states = new LinkedHashMap<>(attempt.states());
        if (states.put(Progress.NAME, progress) != null) {
            throw new IllegalArgumentException(
                    "'%s' is the name of a state of the trainer; give that of the program another one"
                            .formatted(Progress.NAME));
        }
    }

    /** Begin a training in a view, and load its newest state. */
    static RunningAttempt begin(
            Rpc rpc,
            CheckpointStorage storage,
            Settings settings,
            ElasticTraining training,
            GroupView view,
            List<String> trainers) {
        String name = "%s-%d".formatted(settings.name(), view.number());
        var group = ProcessGroup.of(rpc, name, trainers, settings.timeout());
        var checkpoint =
                Checkpoint.builder(rpc, trainers, storage)
                        .name(name + "-saves")
                        .timeout(settings.timeout())
                        .keepLast(settings.keepLast())
                        .build();
        ElasticTraining.Attempt attempt = null;
        try {
            attempt = training.begin(view);
            var running = new RunningAttempt(rpc, settings, view, group, checkpoint, attempt);
            running.load(storage);
            return running;
        } catch (RuntimeException e) {
            close(attempt);
            leave(group, checkpoint);
            throw e;
        }
    }

    private void load(CheckpointStorage storage) {
        try {
            var recovery = new Recovery(rpc, group, view, settings.name(), storage, states);
            recovery.run()
                    .ifPresent(loaded -> {
                        steps = loaded;
                        attempt.continueFrom(loaded);
                    });
        } catch (IOException e) {
            // A member that was lost meanwhile is a reason to recover again.
            throw new RpcException(
                    RpcErrorKind.UNKNOWN, "the state cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** Do a step, and copy or save the state; {@return whether there was one} */
    boolean advance() {
        if (!attempt.wantsMore(steps)) {
            return false;
        }
        attempt.step(steps + 1);
        steps++;
        progress.isDone(!attempt.wantsMore(steps));
        if (settings.isCopied(steps) || settings.isSaved(steps)) {
            copy(settings.isSaved(steps));
        }
        return true;
    }

    private void copy(boolean save) {
        if (save) {
            awaitSave();
        }
        Cut cut = Cut.of(group, states, StagedState.empty()); // the last ones are kept
        StagedState state = cut.get();
        KeptStates.of(rpc).add(cutId(), rpc.self().name(), state);
        mirror(state);
        if (save) {
            var _ = checkpoint.saveAsync(steps, cut);
            saved = steps;
        }
    }

    private CutId cutId() {
        return new CutId(settings.name(), view.number(), steps);
    }

    /** Send the copy to the next members, after they have got the one before. */
    private void mirror(StagedState state) {
        mirrored.forEach(RpcFuture::join);
        mirrored.clear();
        List<String> names = view.names();
        int own = names.indexOf(rpc.self().name());
        for (int next = 1; next <= Math.min(settings.mirrors(), names.size() - 1); next++) {
            mirrored.add(
                    rpc.runAsync(
                            names.get((own + next) % names.size()),
                            KeptStates::keep,
                            cutId(),
                            rpc.self().name(),
                            state.tensors(),
                            state.rows()));
        }
    }

    /** Wait for the save that runs; a failure that no loss explains is logged. */
    private void awaitSave() {
        try {
            var _ = checkpoint.await();
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "the state of step %d was not saved; the training continues".formatted(saved),
                    e);
        }
    }

    /** Save the last state; {@return whether this is the first trainer, which then reports} */
    boolean finish() {
        saveLast();
        isFinished = true;
        group.barrier(); // the first one leaves when the others know that all is done
        if (group.rank() > 0) {
            return false;
        }
        attempt.finish();
        tellOthers();
        return true;
    }

    /** Notify the other members that all is done. One that is lost now finds it in the storage. */
    private void tellOthers() {
        List<RpcFuture<@Nullable Void>> told = new ArrayList<>();
        for (WorkerInfo member : view.members()) {
            if (!member.equals(rpc.self())) {
                told.add(rpc.runAsync(member.name(), KeptStates::finish, settings.name()));
            }
        }
        for (RpcFuture<@Nullable Void> one : told) {
            try {
                one.join();
            } catch (RpcException e) {
                LOG.log(Level.DEBUG, "a member was lost at the end of the training", e);
            }
        }
    }

    private void saveLast() {
        try {
            if (saved == steps) {
                var _ = checkpoint.await();
            } else {
                awaitSave();
                progress.isDone(true);
                var _ = checkpoint.save(steps, states);
            }
            saved = steps;
        } catch (IOException e) {
            throw new UncheckedIOException("the last state was not saved: " + e.getMessage(), e);
        }
    }

    /** {@return whether all steps are done, and the last state is saved} */
    boolean isFinished() {
        return isFinished;
    }

    /** Give the attempt up, without waits for others. */
    void abandon() {
        mirrored.clear();
        close(attempt);
        leave(group, checkpoint);
    }

    private static void close(ElasticTraining.@Nullable Attempt attempt) {
        try {
            if (attempt != null) {
                attempt.close();
            }
        } catch (RpcException _) {
            // a part of it was lost with its owner
        }
    }

    private static void leave(ProcessGroup group, Checkpoint checkpoint) {
        checkpoint.abort("the members have changed");
        group.abort("the members have changed");
        try (group;
                checkpoint) {
            LOG.log(Level.DEBUG, "left the groups of a training");
        } catch (IOException | RpcException e) {
            LOG.log(Level.DEBUG, "a save was abandoned", e);
        }
    }

    /** End the attempt after its last step. */
    void close() {
        try {
            attempt.close();
        } finally {
            closeGroups();
        }
    }

    private void closeGroups() {
        try (group;
                checkpoint) {
            mirrored.forEach(RpcFuture::join);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
