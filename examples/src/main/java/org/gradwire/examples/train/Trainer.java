package org.gradwire.examples.train;

import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.RRef;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Begins the training of the language model on the members of a view. */
record Trainer(Job job) implements ElasticTraining {
    private static final double MOMENTUM = 0.9;

    @Override
    public List<String> trainers(GroupView view) {
        return Roles.of(view).trainers();
    }

    @Override
    public Attempt begin(GroupView view) {
        var rounds = new TrainerRounds(job.rpc(), view, Roles.of(view));
        return rounds.roles().reports(job.rpc()) ? beginFirst(rounds) : beginOther(rounds);
    }

    private TrainingLoop beginFirst(TrainerRounds rounds) {
        LanguageModel model = LanguageModel.create(job, rounds.roles());
        var _ = rounds.begin(List.of(model.parts()));
        return loop(rounds, model, new Report(job, model));
    }

    private TrainingLoop beginOther(TrainerRounds rounds) {
        ModelParts parts = rounds.begin(List.of());
        return loop(rounds, LanguageModel.of(job, parts), null);
    }

    /** Scale each trainer's step by its share of the batch. */
    private TrainingLoop loop(TrainerRounds rounds, LanguageModel model, @Nullable Report report) {
        var parameters = model.remoteParameters();
        double share = job.options().learningRate() / rounds.roles().trainers().size();
        DistributedOptimizer optimizer =
                DistributedOptimizer.create(job.rpc(), SGD::new, parameters, share, MOMENTUM);
        parameters.forEach(
                RRef::close); // the optimizers on the servers hold the parameters themselves
        return new TrainingLoop(job, rounds, model, optimizer, report);
    }
}
