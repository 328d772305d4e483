package org.gradwire.examples.train;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A trainer's loop in one view of the group. All trainers are synchronized before and after each of
 * them changes the parameters, so that no trainer computes with partly updated ones.
 */
final class TrainingLoop implements ElasticTraining.Attempt {
    private static final long SEEDS = 1000; // between those of two trainers

    private final Job job;
    private final TrainerRounds rounds;
    private final LanguageModel model;
    private final DistributedOptimizer optimizer;
    private final @Nullable Report report; // of the first trainer
    private final RandomGenerator random;
    private boolean hasBegun;
    private boolean wantsMore;

    TrainingLoop(
            Job job,
            TrainerRounds rounds,
            LanguageModel model,
            DistributedOptimizer optimizer,
            @Nullable Report report) {
        this.job = job;
        this.rounds = rounds;
        this.model = model;
        this.optimizer = optimizer;
        this.report = report;
        random = new SplittableRandom(job.options().seed() + SEEDS * (job.rpc().self().id() + 1));
    }

    @Override
    public Map<String, Stateful> states() {
        Map<String, Stateful> states = new LinkedHashMap<>();
        if (report != null) {
            states.putAll(model.states());
            states.putAll(report.states());
        }
        int trainer = rounds.roles().trainers().indexOf(job.rpc().self().name());
        int trainers = rounds.roles().trainers().size();
        states.put("optimizers", new OptimizerState(optimizer, trainer, trainers));
        return states;
    }

    @Override
    public void continueFrom(long steps) {
        for (long done = 0; done < steps; done++) {
            job.corpus().skipTrainingBatch(random, contextLength(), job.options().batch());
        }
    }

    private int contextLength() {
        return job.shape().contextLength();
    }

    @Override
    public boolean wantsMore(long steps) {
        if (!hasBegun) {
            if (report != null) {
                report.begin(rounds);
            }
            vote();
            hasBegun = true;
        }
        return wantsMore;
    }

    /** Agree with the other trainers on another step. */
    private void vote() {
        wantsMore = rounds.allContinue(report == null || report.wantsMore());
    }

    @Override
    public void step(long number) {
        Batch batch = job.corpus().trainingBatch(random, contextLength(), job.options().batch());
        try (var _ = TensorScope.open();
                var context = DistAutograd.context(job.rpc())) {
            Tensor loss = model.loss(batch);
            context.backward(loss);
            if (report != null) {
                report.onStep(number, context, batch, loss);
            }
            vote();
            stepInTurn(context);
        }
    }

    /**
     * Change the parameters after the trainers before this one have, so that the sums of all steps
     * have one order, and each run the same bits.
     */
    private void stepInTurn(AutogradContext context) {
        for (String trainer : rounds.roles().trainers()) {
            if (trainer.equals(job.rpc().self().name())) {
                optimizer.step(context);
            }
            boolean _ = rounds.allContinue(true); // it has changed the parameters
        }
    }

    @Override
    public void finish() {
        if (report != null) {
            report.finish();
        }
    }

    @Override
    public void close() {
        try (model;
                optimizer) {
            if (report != null) {
                report.close();
            }
        }
    }
}
