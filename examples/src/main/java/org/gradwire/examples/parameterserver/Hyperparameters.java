package org.gradwire.examples.parameterserver;

import org.gradwire.examples.checks.Training;
import org.gradwire.examples.parameterserver.Rhyme.Batch;
import org.gradwire.optim.Adagrad;
import org.gradwire.tensor.Tensor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The parts that the training over workers has in common with that in one process.
 *
 * @param dim length of a word's vector
 * @param hidden size of the LSTM's state
 * @param time words of a line
 * @param lines lines of a batch
 */
record Hyperparameters(
        int dim, int hidden, int time, int lines, int steps, long seed, Adagrad.Options optimizer) {
    private static final int LEAST_SERVERS = 2;

    /** The values of the example. */
    static final Hyperparameters DEFAULT =
            new Hyperparameters(
                    16, 32, 12, 8, 120, 1, Adagrad.options(0.3).initialAccumulatorValue(0.01));

    Hyperparameters withSteps(int number) {
        return new Hyperparameters(dim, hidden, time, lines, number, seed, optimizer);
    }

    /** Check the number of servers. */
    static void requireServers(int servers) {
        if (servers < LEAST_SERVERS) {
            throw new IllegalArgumentException(
                    "the embedding is spread over at least 2 servers, which makes 3 workers, but there are %d; use --workers"
                            .formatted(servers + 1));
        }
    }

    WordModel model(Rhyme rhyme) {
        return new WordModel(dim, hidden, rhyme.vocabularySize(), seed + 1);
    }

    Batch nextBatch(Rhyme rhyme, RandomGenerator random) {
        return rhyme.batch(random, time, lines);
    }

    Training result(List<Double> losses, WordModel model, Tensor table) {
        Map<String, Tensor> parameters = new LinkedHashMap<>(model.namedParameters());
        parameters.put("embedding", table);
        return new Training(losses, parameters);
    }
}
