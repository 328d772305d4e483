package org.gradwire.examples.train;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.train.Corpus.Batch;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A trainer's loop. All trainers are synchronized before and after the parameters change, so that
 * no trainer computes with partly updated ones.
 */
final class Trainer {
    private static final Shape SHAPE = Shape.DEFAULT;
    private static final double MOMENTUM = 0.9;

    private final Rpc rpc;
    private final Roles roles;
    private final Options options;
    private final Corpus corpus;
    private final RandomGenerator random;

    Trainer(Rpc rpc, Roles roles, Options options) throws IOException {
        this.rpc = rpc;
        this.roles = roles;
        this.options = options;
        this.corpus = Corpus.read(options.text());
        this.random = new SplittableRandom(options.seed() + 1000L * (rpc.self().id() + 1));
    }

    void run() throws IOException {
        try (LanguageModel model = model();
                var optimizer = optimizer(model)) {
            if (roles.reports(rpc)) {
                try (var report = new Report(rpc, options, corpus, SHAPE, model, roles)) {
                    train(model, optimizer, report);
                    report.finish();
                }
            } else {
                train(model, optimizer, null);
            }
        }
    }

    /** {@return the model, whose parts the first trainer creates and shares} */
    private LanguageModel model() {
        LanguageModel made =
                roles.reports(rpc)
                        ? LanguageModel.create(rpc, roles, SHAPE, corpus, options)
                        : null;
        ModelParts parts =
                made == null ? null : new ModelParts(made.embeddingRRef(), made.headRRef());
        Map<String, @Nullable ModelParts> all = rpc.allGather(parts, roles.trainerSet());
        if (made != null) {
            return made;
        }
        ModelParts shared = all.get(roles.trainers().getFirst());
        if (shared == null) {
            throw new IllegalStateException("the first trainer shared no model");
        }
        return LanguageModel.of(rpc, shared.embedding(), shared.head(), options.device());
    }

    /** Scale each trainer's step by its share of the batch. */
    private DistributedOptimizer optimizer(LanguageModel model) {
        var parameters = model.remoteParameters();
        double share = options.learningRate() / roles.trainers().size();
        var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, share, MOMENTUM);
        parameters.forEach(
                RRef::close); // the optimizers on the servers hold the parameters themselves
        return optimizer;
    }

    private void train(
            LanguageModel model, DistributedOptimizer optimizer, @Nullable Report report) {
        boolean wantsMore = true;
        for (int step = 0; wantsMore; step++) {
            Batch batch = corpus.trainingBatch(random, SHAPE.contextLength(), options.batch());
            try (var _ = TensorScope.open();
                    var context = DistAutograd.context(rpc)) {
                Tensor loss = model.loss(batch);
                context.backward(loss);
                if (report != null) {
                    report.onStep(step, context, batch, loss);
                }
                wantsMore = allContinue(report == null || report.continuesAfter(step));
                optimizer.step(context);
            }
            rpc.barrier(roles.trainerSet());
        }
    }

    /** Wait until all have their gradients; {@return whether no trainer wants to stop} */
    private boolean allContinue(boolean wantsMore) {
        return rpc.allGather(wantsMore, roles.trainerSet()).values().stream()
                .allMatch(Boolean::booleanValue);
    }
}
