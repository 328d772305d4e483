package org.gradwire.examples.parameterserver;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.checks.Training;
import org.gradwire.examples.elastic.Snapshot;
import org.gradwire.examples.elastic.SnapshotKeeper;
import org.gradwire.examples.parameterserver.Rhyme.Batch;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.Adagrad;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The trainer's program. When a server or the trainer itself is lost, the training continues from
 * the last snapshot, which every server has; its result is the same.
 */
final class ElasticTraining implements ElasticProgram, AutoCloseable {
    private static final int STEPS_PER_SNAPSHOT = 10;
    private static final String MODEL = "model"; // parts of a snapshot
    private static final String TABLE = "table";
    private static final String OPTIMIZER = "optimizer";

    private final Rpc rpc;
    private final Hyperparameters options;
    private final Rhyme rhyme = new Rhyme();
    private final WordModel model;
    private final List<Double> losses = new ArrayList<>();
    private RandomGenerator random;
    private List<String> servers = List.of();
    private Snapshot last = Snapshot.NONE;
    private @Nullable ShardedEmbedding table;
    private @Nullable DistributedOptimizer optimizer;

    ElasticTraining(Rpc rpc, Hyperparameters options) {
        this.rpc = rpc;
        this.options = options;
        model = options.model(rhyme);
        random = new SplittableRandom(options.seed());
    }

    @Override
    public void recover(GroupView view) {
        release();
        servers =
                view.members().stream()
                        .filter(member -> !member.equals(rpc.self()))
                        .map(WorkerInfo::name)
                        .toList();
        Hyperparameters.requireServers(servers.size());
        if (last.isNone()) {
            last = SnapshotKeeper.newest(rpc, servers); // of an earlier process of this worker
        }
        int shards = last.isNone() ? servers.size() : last.part(TABLE).size();
        table =
                ShardedEmbedding.create(
                        rpc,
                        servers,
                        shards,
                        rhyme.vocabularySize(),
                        options.dim(),
                        options.seed());
        optimizer = optimizer(table);
        if (last.isNone()) {
            save();
        } else {
            SnapshotKeeper.keepOn(rpc, servers, last); // those that have returned lack it
            resume(last, view);
        }
    }

    private void resume(Snapshot from, GroupView view) {
        table().load(from.part(TABLE));
        optimizer().loadStateDict(from.part(OPTIMIZER));
        model.loadStateDict(from.part(MODEL));
        losses.clear();
        losses.addAll(from.losses());
        random = new SplittableRandom(options.seed());
        for (int step = 0; step < from.step(); step++) {
            nextBatch(); // as the earlier steps did
        }
        System.out.printf(
                "view %d: training continues from step %d, with servers %s%n",
                view.number(), from.step() + 1, servers);
    }

    @Override
    public boolean step(GroupView view) {
        if (losses.size() % STEPS_PER_SNAPSHOT == 0 && losses.size() > 0) {
            save();
        }
        Batch batch = nextBatch();
        try (var context = DistAutograd.context(rpc)) {
            Tensor loss = model.loss(table().forward(batch.words()), batch.next());
            context.backward(loss);
            optimizer().step(context);
            if (losses.isEmpty()) {
                printShares(table(), context);
            }
            losses.add(loss.item());
        }
        return losses.size() < options.steps();
    }

    private void save() {
        Snapshot snapshot =
                Snapshot.of(losses)
                        .with(MODEL, model.stateDict())
                        .with(TABLE, table().weights())
                        .with(OPTIMIZER, optimizer().stateDict());
        SnapshotKeeper.keepOn(rpc, servers, snapshot);
        last = snapshot;
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

    private static void printShares(ShardedEmbedding table, AutogradContext context) {
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

    private ShardedEmbedding table() {
        if (table == null) {
            throw new IllegalStateException("recover comes first");
        }
        return table;
    }

    private DistributedOptimizer optimizer() {
        if (optimizer == null) {
            throw new IllegalStateException("recover comes first");
        }
        return optimizer;
    }

    /** {@return the result, after the last step} */
    Training result() {
        return options.result(losses, model, table().weight());
    }

    /** Release the table and the optimizer, of which parts may be lost. */
    private void release() {
        try (var _ = table;
                var _ = optimizer) {
            table = null;
            optimizer = null;
        } catch (RpcException _) {
            // lost with their owner
        }
    }

    @Override
    public void close() {
        release();
    }
}
