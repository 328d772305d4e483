package org.gradwire.examples.train;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Generates text with the model, character by character. */
final class Writer {
    private static final double TEMPERATURE = 0.7;

    private final LanguageModel model;
    private final Corpus corpus;
    private final Shape shape;

    Writer(LanguageModel model, Corpus corpus, Shape shape) {
        this.model = model;
        this.corpus = corpus;
        this.shape = shape;
    }

    /** Continue the beginning of the corpus; {@return the generated text} */
    String write(int length, RandomGenerator random) {
        int start = shape.contextLength();
        int[] tokens = Arrays.copyOf(corpus.tokens(), start + length);
        try (var _ = GradMode.noGrad()) {
            for (int i = start; i < tokens.length; i++) {
                tokens[i] = draw(next(tokens, i), random);
            }
        }
        return corpus.text(Arrays.copyOfRange(tokens, start, tokens.length));
    }

    /** Return the probabilities of the next character. */
    private double[] next(int[] tokens, int position) {
        long[] indices = new long[shape.contextLength()];
        for (int back = 0; back < indices.length; back++) {
            indices[back] = corpus.index(back, tokens[position - 1 - back]);
        }
        Tensor scores = model.scores(Tensor.of(indices), Tensor.of(0L));
        return scores.mul(1 / TEMPERATURE).softmax(1).toDoubleArray();
    }

    private static int draw(double[] probabilities, RandomGenerator random) {
        double left = random.nextDouble();
        for (int token = 0; token < probabilities.length; token++) {
            left -= probabilities[token];
            if (left <= 0) {
                return token;
            }
        }
        return probabilities.length - 1;
    }
}
