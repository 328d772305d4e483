package org.gradwire.examples.parameterserver;

import org.gradwire.nn.LSTM;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.RecurrentConfiguration;
import org.gradwire.tensor.Tensor;

/** What follows the embedding: from the vectors of words to a score for each word that may come. */
final class WordModel extends Module {
    private final LSTM lstm;
    private final Linear decoder;

    WordModel(int dim, int hidden, int vocabularySize, long seed) {
        lstm =
                registerModule(
                        "lstm",
                        new LSTM(RecurrentConfiguration.builder(dim, hidden).build(), seed));
        decoder = registerModule("decoder", new Linear(hidden, vocabularySize, seed + 1));
    }

    /**
     * Compute how badly the next words are foreseen.
     *
     * @param vectors shape (time, n, dim)
     * @param next shape (time · n)
     */
    Tensor loss(Tensor vectors, Tensor next) {
        Tensor scores = decoder.forward(lstm.forward(vectors).output());
        return scores.flatten(0, 1).crossEntropy(next);
    }
}
