package org.gradwire.examples.train;

/**
 * The sizes of the model.
 *
 * @param contextLength number of characters in a context
 * @param embedding size of the sum of embeddings
 * @param hidden size of the hidden layer
 */
record Shape(int contextLength, int embedding, int hidden) {
    static final Shape DEFAULT = new Shape(12, 128, 256);

    int rows(Corpus corpus) {
        return contextLength * corpus.vocabulary().length;
    }
}
