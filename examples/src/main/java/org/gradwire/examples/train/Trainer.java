package org.gradwire.examples.train;

import org.gradwire.examples.elastic.Snapshot;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.LearningRates;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A worker's part in the training: that of a trainer or of a server.
 *
 * <p>In a dynamic group the training continues from the last snapshot when a worker is lost or
 * joins, and its result is the same. A server only waits for such a change, after which it may be a
 * trainer. The first trainer leaves when all is done, and then the others do.
 */
final class Trainer implements ElasticProgram, AutoCloseable {
    private static final double MOMENTUM = 0.9;
    private static final Duration ANY_TIME = Duration.ofDays(10_000);

    private final Job job;
    private final Deque<Runnable> releases = new ArrayDeque<>(); // of the last resource first
    private @Nullable TrainingLoop loop; // of a trainer

    Trainer(Job job) {
        this.job = job;
    }

    @Override
    public void recover(GroupView view) {
        close();
        if (!Roles.isDone(view)) {
            var rounds = new TrainerRounds(job.rpc(), view, Roles.of(view));
            if (rounds.roles().isTrainer(job.rpc())) {
                loop = rounds.roles().reports(job.rpc()) ? beginFirst(rounds) : beginOther(rounds);
            }
        }
    }

    private TrainingLoop beginFirst(TrainerRounds rounds) {
        Snapshot from = job.snapshots().newest(rounds.view().names());
        LanguageModel model = own(LanguageModel.create(job, rounds.roles()), LanguageModel::close);
        job.snapshots().load(model, from);
        Report report = own(new Report(job, model, from), Report::close);
        report.begin(rounds, !from.isNone());
        var parts =
                new ModelParts(model.embeddingRRef(), model.headRRef(), from, report.wantsMore());
        rounds.begin(List.of(parts));
        return loop(rounds, model, parts, report);
    }

    private TrainingLoop beginOther(TrainerRounds rounds) {
        ModelParts parts = rounds.begin(List.of());
        LanguageModel model =
                own(LanguageModel.of(job, parts.embedding(), parts.head()), LanguageModel::close);
        return loop(rounds, model, parts, null);
    }

    private TrainingLoop loop(
            TrainerRounds rounds, LanguageModel model, ModelParts parts, @Nullable Report report) {
        DistributedOptimizer optimizer = optimizer(model, rounds.roles(), parts.from());
        var begun = new TrainingLoop(job, rounds, model, optimizer, parts, report);
        if (job.rpc().isDynamic() && parts.from().isNone()) {
            begun.save();
        }
        return begun;
    }

    /** Scale each trainer's step by its share of the batch. */
    private DistributedOptimizer optimizer(LanguageModel model, Roles roles, Snapshot from) {
        var parameters = model.remoteParameters();
        double share = job.options().learningRate() / roles.trainers().size();
        DistributedOptimizer optimizer =
                own(
                        DistributedOptimizer.create(
                                job.rpc(), SGD::new, parameters, share, MOMENTUM),
                        DistributedOptimizer::close);
        parameters.forEach(
                RRef::close); // the optimizers on the servers hold the parameters themselves
        Map<String, Tensor> state =
                Snapshots.optimizer(from, roles.trainers().indexOf(job.rpc().self().name()));
        if (!state.isEmpty()) {
            LearningRates rates = optimizer.learningRates();
            optimizer.loadStateDict(state);
            optimizer.learningRates(rates); // the saved ones are for as many trainers as there were
        }
        return optimizer;
    }

    @Override
    public boolean step(GroupView view) {
        if (loop != null && loop.wantsMore()) {
            loop.step();
            return true;
        }
        if (loop != null && loop.finish()) {
            return false;
        }
        return job.rpc().isDynamic() && !Roles.isDone(view) && awaitChange(view);
    }

    /** Serve, or wait for the first trainer; {@return whether there is more to do} */
    private boolean awaitChange(GroupView view) {
        return !Roles.isDone(job.rpc().awaitView(next -> next.number() != view.number(), ANY_TIME));
    }

    private <T> T own(T resource, Consumer<T> close) {
        releases.push(() -> close.accept(resource));
        return resource;
    }

    /** Release what this worker uses, of which parts may be lost. */
    @Override
    public void close() {
        loop = null;
        while (!releases.isEmpty()) {
            try {
                releases.pop().run();
            } catch (RpcException _) {
                // lost with its owner
            }
        }
    }
}
