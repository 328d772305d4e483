package org.gradwire.examples.parameterserver;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.examples.checks.Training;
import org.gradwire.examples.elastic.Losses;
import org.gradwire.examples.parameterserver.Rhyme.Batch;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.Adagrad;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The training of an LSTM here, with an embedding on servers, in one view of the group. */
final class RemoteTraining implements ElasticTraining.Attempt {
    private final Rpc rpc;
    private final Hyperparameters options;
    private final Consumer<Training> onResult;
    private final Rhyme rhyme = new Rhyme();
    private final WordModel model;
    private final ShardedEmbedding table;
    private final DistributedOptimizer optimizer;
    private final Losses losses = new Losses();
    private final RandomGenerator random;

    /**
     * Create the table on servers.
     *
     * @param onResult gets the result after the last step
     */
    RemoteTraining(
            Rpc rpc,
            List<String> servers,
            int shards,
            Hyperparameters options,
            Consumer<Training> onResult) {
        this.rpc = rpc;
        this.options = options;
        this.onResult = onResult;
        model = options.model(rhyme);
        random = new SplittableRandom(options.seed());
        table =
                ShardedEmbedding.create(
                        rpc,
                        servers,
                        shards,
                        rhyme.vocabularySize(),
                        options.dim(),
                        options.seed());
        optimizer = optimizer(table);
    }

    /**
     * Create the optimizer of the trainer's parameters, here, and of the table's, on their servers.
     */
    private DistributedOptimizer optimizer(ShardedEmbedding of) {
        List<RRef<Tensor>> parameters = new ArrayList<>(of.remoteParameters());
        model.parameters().forEach(parameter -> parameters.add(rpc.rref(parameter)));
        var made = DistributedOptimizer.create(rpc, Adagrad::new, parameters, options.optimizer());
        parameters.forEach(RRef::close); // the optimizers hold the parameters themselves
        return made;
    }

    @Override
    public Map<String, Stateful> states() {
        return Map.of(
                "model",
                Stateful.of(model),
                "table",
                Stateful.of(table::weights, table::load),
                "optimizer",
                Stateful.of(optimizer),
                "report",
                losses);
    }

    @Override
    public void continueFrom(long steps) {
        for (long step = 0; step < steps; step++) {
            nextBatch(); // as the earlier steps did
        }
        System.out.printf("training continues from step %d%n", steps + 1);
    }

    @Override
    public boolean wantsMore(long steps) {
        return steps < options.steps();
    }

    @Override
    public void step(long number) {
        Batch batch = nextBatch();
        try (var context = DistAutograd.context(rpc)) {
            Tensor loss = model.loss(table.forward(batch.words()), batch.next());
            context.backward(loss);
            optimizer.step(context);
            if (number == 1) {
                printShares(context);
            }
            losses.add(loss.item());
        }
    }

    private void printShares(AutogradContext context) {
        for (var shard : table.shards()) {
            System.out.printf(
                    "%s has rows %d to %d of the embedding; the gradient of the first step holds %d of these %d%n",
                    shard.module().on(),
                    shard.first(),
                    shard.end() - 1,
                    shard.module().forward(EmbeddingShard::gradientRows, context.id()),
                    shard.end() - shard.first());
        }
        System.out.println(
                "Look at the rows: only those that a batch has are sent, get gradients, and change.");
    }

    private Batch nextBatch() {
        return options.nextBatch(rhyme, random);
    }

    @Override
    public void finish() {
        onResult.accept(options.result(losses.all(), model, table.weight()));
    }

    @Override
    public void close() {
        try {
            optimizer.close();
        } finally {
            table.close();
        }
    }
}
