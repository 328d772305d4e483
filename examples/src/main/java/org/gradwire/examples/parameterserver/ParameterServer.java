package org.gradwire.examples.parameterserver;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.examples.checks.Training;
import org.gradwire.examples.elastic.FirstStart;
import org.gradwire.examples.elastic.MemberNotices;
import org.gradwire.examples.parameterserver.Rhyme.Batch;
import org.gradwire.optim.Adagrad;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * {@code ./gradwire run parameter-server}: the first worker trains an LSTM; all others are servers,
 * each with some rows of the embedding. Then the first runs the same training alone, and compares.
 * With {@code --restarts}, the training survives the end of any worker. An argument is the number
 * of steps.
 */
public final class ParameterServer {
    private static final int STEPS_PER_CHECKPOINT = 10;

    private ParameterServer() {}

    public static void main(String[] args) throws IOException {
        Hyperparameters options =
                args.length == 0
                        ? Hyperparameters.DEFAULT
                        : Hyperparameters.DEFAULT.withSteps(Integer.parseInt(args[0]));
        var checkpoints =
                CheckpointStorage.directory(Path.of("parameter-server-output", "checkpoints"));
        FirstStart.clear(checkpoints);
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            equal = run(rpc, options, checkpoints);
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /** Run this worker's role; {@return whether both trainings had the same results} */
    static boolean run(Rpc rpc, Hyperparameters options, CheckpointStorage checkpoints) {
        var isEqual = new AtomicBoolean(true);
        try (var _ = MemberNotices.print(rpc)) {
            ElasticTrainer.on(rpc, checkpoints)
                    .saveEvery(STEPS_PER_CHECKPOINT)
                    .mirrors(1)
                    .run(
                            new Trainer(
                                    rpc,
                                    options,
                                    result ->
                                            isEqual.set(result.printAgainst(trainAlone(options)))));
        }
        return isEqual.get();
    }

    /** The first member of a view trains, the others are its servers. */
    private record Trainer(Rpc rpc, Hyperparameters options, Consumer<Training> onResult)
            implements ElasticTraining {

        @Override
        public List<String> trainers(GroupView view) {
            return view.names().subList(0, 1);
        }

        @Override
        public Attempt begin(GroupView view) {
            List<String> servers = view.names().subList(1, view.names().size());
            Hyperparameters.requireServers(servers.size());
            int shards = rpc.quorum() - 1; // the same in all views
            return new RemoteTraining(rpc, servers, shards, options, onResult);
        }
    }

    /** Train the same model in one process, with the whole table. */
    private static Training trainAlone(Hyperparameters options) {
        var rhyme = new Rhyme();
        WordModel model = options.model(rhyme);
        var table = new EmbeddingShard(0, rhyme.vocabularySize(), options.dim(), options.seed());
        List<Tensor> parameters = new ArrayList<>(table.parameters());
        parameters.addAll(model.parameters());
        var optimizer = new Adagrad(parameters, options.optimizer());
        RandomGenerator random = new SplittableRandom(options.seed());
        List<Double> losses = new ArrayList<>();
        for (int step = 0; step < options.steps(); step++) {
            Batch batch = options.nextBatch(rhyme, random);
            optimizer.zeroGrad();
            Tensor loss = model.loss(table.forward(batch.words()), batch.next());
            loss.backward();
            optimizer.step();
            losses.add(loss.item());
        }
        return options.result(losses, model, table.weight());
    }
}
