package org.gradwire.examples.train;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A trainer's loop in one view of the group. All trainers are synchronized before and after the
 * parameters change, so that no trainer computes with partly updated ones.
 */
final class TrainingLoop {
    private static final long SEEDS = 1000; // between those of two trainers

    private final Job job;
    private final TrainerRounds rounds;
    private final LanguageModel model;
    private final DistributedOptimizer optimizer;
    private final @Nullable Report report; // of the first trainer
    private final RandomGenerator random;
    private int step;
    private boolean wantsMore;

    TrainingLoop(
            Job job,
            TrainerRounds rounds,
            LanguageModel model,
            DistributedOptimizer optimizer,
            ModelParts parts,
            @Nullable Report report) {
        this.job = job;
        this.rounds = rounds;
        this.model = model;
        this.optimizer = optimizer;
        this.report = report;
        step = parts.from().step();
        wantsMore = parts.wantsMore();
        random = new SplittableRandom(job.options().seed() + SEEDS * (job.rpc().self().id() + 1));
        for (int done = 0; done < step; done++) {
            job.corpus().skipTrainingBatch(random, contextLength(), job.options().batch());
        }
    }

    private int contextLength() {
        return job.shape().contextLength();
    }

    /** {@return whether there are more steps} */
    boolean wantsMore() {
        return wantsMore;
    }

    /** Do a step, and save the state after some of them if the group is dynamic. */
    void step() {
        Rpc rpc = job.rpc();
        Batch batch = job.corpus().trainingBatch(random, contextLength(), job.options().batch());
        try (var _ = TensorScope.open();
                var context = DistAutograd.context(rpc)) {
            Tensor loss = model.loss(batch);
            context.backward(loss);
            if (report != null) {
                report.onStep(step, context, batch, loss);
            }
            wantsMore = rounds.allContinue(report == null || report.wantsMore());
            optimizer.step(context);
        }
        boolean _ = rounds.allContinue(true); // all have changed the parameters
        step++;
        if (rpc.isDynamic() && (!wantsMore || step % job.options().stepsPerSnapshot() == 0)) {
            save();
        }
    }

    /** Save the state with the other trainers. */
    void save() {
        List<Map<String, Tensor>> optimizers = rounds.optimizers(optimizer.stateDict());
        if (report != null) {
            job.snapshots().save(model, report, optimizers, rounds.view().names());
        }
    }

    /** Report the result; {@return whether this worker is the first trainer, which does so} */
    boolean finish() {
        if (report != null) {
            report.finish();
        }
        return report != null;
    }
}
