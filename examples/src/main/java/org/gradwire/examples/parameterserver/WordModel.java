package org.gradwire.examples.parameterserver;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.recurrent.LSTM;
import org.gradwire.tensor.Tensor;

/** The layers after the embedding: from word vectors to a score for each possible next word. */
final class WordModel extends Module {
    private final LSTM lstm;
    private final Linear decoder;

    WordModel(int dim, int hidden, int vocabularySize, long seed) {
        lstm = registerModule("lstm", LSTM.builder(dim, hidden).build(seed));
        decoder = registerModule("decoder", new Linear(hidden, vocabularySize, seed + 1));
    }

    /**
     * Compute the loss of the predictions of the next words.
     *
     * @param vectors shape (time, n, dim)
     * @param next shape (time · n)
     */
    Tensor loss(Tensor vectors, Tensor next) {
        Tensor scores = decoder.forward(lstm.forward(vectors).output());
        return scores.flatten(0, 1).crossEntropy(next);
    }
}
