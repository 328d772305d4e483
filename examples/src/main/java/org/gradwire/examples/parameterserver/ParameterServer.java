package org.gradwire.examples.parameterserver;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.checks.Training;
import org.gradwire.examples.parameterserver.Rhyme.Batch;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.optim.Adagrad;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * {@code ./gradwire run parameter-server}: the first worker trains an LSTM; all others are servers,
 * each with some rows of the embedding. Then the first runs the same training alone, and compares.
 */
public final class ParameterServer {
    private static final int DIM = 16;
    private static final int HIDDEN = 32;
    private static final int TIME = 12;
    private static final int LINES = 8;
    private static final int STEPS = 120;
    private static final long SEED = 1;
    private static final Adagrad.Options OPTIONS =
            Adagrad.options(0.3).initialAccumulatorValue(0.01);

    private final Rhyme rhyme = new Rhyme();
    private final WordModel model = new WordModel(DIM, HIDDEN, rhyme.vocabularySize(), SEED + 1);
    private final RandomGenerator random = new SplittableRandom(SEED);
    private final List<Double> losses = new ArrayList<>();

    private ParameterServer() {}

    public static void main(String[] args) {
        boolean equal = true;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                equal = run(rpc);
            }
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /** {@return whether both trainings had the same results} */
    static boolean run(Rpc rpc) {
        List<String> servers = rpc.workers().stream().skip(1).map(WorkerInfo::name).toList();
        if (servers.size() < 2) {
            throw new IllegalArgumentException(
                    "the embedding is spread over at least 2 servers, which makes 3 workers, but there are %d; use --workers"
                            .formatted(rpc.workers().size()));
        }
        Training distributed = new ParameterServer().train(rpc, servers);
        return distributed.printAgainst(new ParameterServer().trainAlone());
    }

    private Training train(Rpc rpc, List<String> servers) {
        try (var table = ShardedEmbedding.create(rpc, servers, rhyme.vocabularySize(), DIM, SEED);
                var optimizer = optimizer(rpc, table)) {
            for (int step = 0; step < STEPS; step++) {
                Batch batch = nextBatch();
                try (var context = DistAutograd.context(rpc)) {
                    Tensor loss = model.loss(table.forward(batch.words()), batch.next());
                    context.backward(loss);
                    optimizer.step(context);
                    losses.add(loss.item());
                    if (step == 0) {
                        printShares(table, context);
                    }
                }
            }
            return result(table.weight());
        }
    }

    /**
     * Create the optimizer of the trainer's parameters, here, and of the table's, on their servers.
     */
    private DistributedOptimizer optimizer(Rpc rpc, ShardedEmbedding table) {
        List<RRef<Tensor>> parameters = new ArrayList<>(table.remoteParameters());
        model.parameters().forEach(parameter -> parameters.add(rpc.rref(parameter)));
        var optimizer = DistributedOptimizer.create(rpc, Adagrad::new, parameters, OPTIONS);
        parameters.forEach(RRef::close); // the optimizers hold the parameters themselves
        return optimizer;
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

    /** Train the same model in one process, with the whole table. */
    private Training trainAlone() {
        var table = new EmbeddingShard(0, rhyme.vocabularySize(), DIM, SEED);
        List<Tensor> parameters = new ArrayList<>(table.parameters());
        parameters.addAll(model.parameters());
        var optimizer = new Adagrad(parameters, OPTIONS);
        for (int step = 0; step < STEPS; step++) {
            Batch batch = nextBatch();
            optimizer.zeroGrad();
            Tensor loss = model.loss(table.forward(batch.words()), batch.next());
            loss.backward();
            optimizer.step();
            losses.add(loss.item());
        }
        return result(table.weight());
    }

    private Batch nextBatch() {
        return rhyme.batch(random, TIME, LINES);
    }

    private Training result(Tensor table) {
        Map<String, Tensor> parameters = new LinkedHashMap<>(model.namedParameters());
        parameters.put("embedding", table);
        return new Training(losses, parameters);
    }
}
