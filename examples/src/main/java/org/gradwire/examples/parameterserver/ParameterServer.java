package org.gradwire.examples.parameterserver;

import org.gradwire.examples.checks.Training;
import org.gradwire.examples.elastic.MemberNotices;
import org.gradwire.examples.parameterserver.Rhyme.Batch;
import org.gradwire.optim.Adagrad;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * {@code ./gradwire run parameter-server}: the first worker trains an LSTM; all others are servers,
 * each with some rows of the embedding. Then the first runs the same training alone, and compares.
 * With {@code --restarts}, the training survives the end of any worker. An argument is the number
 * of steps.
 */
public final class ParameterServer {
    private static final String TRAINER_RANK = "0";

    private ParameterServer() {}

    public static void main(String[] args) {
        Hyperparameters options =
                args.length == 0
                        ? Hyperparameters.DEFAULT
                        : Hyperparameters.DEFAULT.withSteps(Integer.parseInt(args[0]));
        boolean equal;
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            equal = run(rpc, options);
        }
        if (!equal) {
            System.exit(1);
        }
    }

    /** Run this worker's role; {@return whether both trainings had the same results} */
    static boolean run(Rpc rpc, Hyperparameters options) {
        try (var _ = MemberNotices.print(rpc)) {
            return runRole(rpc, options);
        }
    }

    private static boolean runRole(Rpc rpc, Hyperparameters options) {
        if (rpc.self().id() > 0) {
            Elastic.on(rpc).serveUntilLeft(trainer(rpc));
            return true;
        }
        try (var training = new ElasticTraining(rpc, options)) {
            Elastic.on(rpc).run(training);
            return training.result().printAgainst(trainAlone(options));
        }
    }

    /** {@return the name of the trainer: names of workers end with their rank} */
    private static String trainer(Rpc rpc) {
        String own = rpc.self().name();
        String rank = Integer.toString(rpc.self().id());
        return own.substring(0, own.length() - rank.length()) + TRAINER_RANK;
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
