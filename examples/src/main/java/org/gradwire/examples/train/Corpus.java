package org.gradwire.examples.train;

import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A tokenized text: its distinct characters are the vocabulary. The last twentieth is held out.
 *
 * @param vocabulary the characters, by token
 * @param tokens the text
 */
record Corpus(int[] vocabulary, int[] tokens) {
    private static final String BUNDLED = "pride-and-prejudice.txt";
    private static final int HELD_OUT_SHARE = 20;
    private static final int MIN_LENGTH = 1_000;
    private static final int MAX_VOCABULARY = 2_000;

    /** Contexts and their next tokens, as input of the model. */
    record Batch(Tensor indices, Tensor offsets, Tensor targets) {}

    /** Read a text; the bundled one (Jane Austen: Pride and Prejudice) when no file is given. */
    static Corpus read(Optional<Path> file) throws IOException {
        return of(file.isPresent() ? Files.readString(file.get()) : bundled());
    }

    private static String bundled() throws IOException {
        try (InputStream stream = Corpus.class.getResourceAsStream(BUNDLED)) {
            if (stream == null) {
                throw new IOException("the bundled text " + BUNDLED + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static Corpus of(String text) {
        int[] characters = text.codePoints().filter(c -> c != '\r').toArray();
        int[] vocabulary = Arrays.stream(characters).sorted().distinct().toArray();
        if (characters.length < MIN_LENGTH || vocabulary.length > MAX_VOCABULARY) {
            throw new IllegalArgumentException(
                    "a text to train on needs at least %d characters and at most %d different ones; this has %d and %d"
                            .formatted(
                                    MIN_LENGTH,
                                    MAX_VOCABULARY,
                                    characters.length,
                                    vocabulary.length));
        }
        int[] tokens =
                Arrays.stream(characters).map(c -> Arrays.binarySearch(vocabulary, c)).toArray();
        return new Corpus(vocabulary, tokens);
    }

    private int trainingLength() {
        return tokens.length - tokens.length / HELD_OUT_SHARE;
    }

    /** Draw a batch of the part to train on. */
    Batch trainingBatch(RandomGenerator random, int contextLength, int size) {
        return batch(trainingPositions(random, contextLength, size), contextLength);
    }

    /** Draw a batch of the part to train on, which is not used. */
    void skipTrainingBatch(RandomGenerator random, int contextLength, int size) {
        int[] _ = trainingPositions(random, contextLength, size);
    }

    private int[] trainingPositions(RandomGenerator random, int contextLength, int size) {
        return random.ints(size, contextLength, trainingLength()).toArray();
    }

    /** Draw a batch of the part held out. */
    Batch heldOutBatch(RandomGenerator random, int contextLength, int size) {
        int[] positions =
                random.ints(size, trainingLength() + contextLength, tokens.length).toArray();
        return batch(positions, contextLength);
    }

    private Batch batch(int[] positions, int contextLength) {
        long[] targets = new long[positions.length];
        long[] indices = new long[positions.length * contextLength];
        for (int i = 0; i < positions.length; i++) {
            targets[i] = tokens[positions[i]];
            for (int back = 0; back < contextLength; back++) {
                indices[i * contextLength + back] = index(back, tokens[positions[i] - 1 - back]);
            }
        }
        return new Batch(
                Tensor.of(indices),
                Tensor.arange(0, indices.length, contextLength),
                Tensor.of(targets));
    }

    /**
     * Return the row of the embedding for a token at a distance: each distance has its own rows, so
     * that the sum of a bag keeps the order.
     */
    long index(int back, int token) {
        return (long) back * vocabulary.length + token;
    }

    /**
     * {@return the entropy in nats of single characters: the loss of a model that knows only their
     * frequencies}
     */
    double unigramEntropy() {
        long[] counts = new long[vocabulary.length];
        Arrays.stream(tokens).forEach(token -> counts[token]++);
        double entropy = 0;
        for (long count : counts) {
            double p = (double) count / tokens.length;
            entropy -= p * Math.log(p);
        }
        return entropy;
    }

    String text(int[] someTokens) {
        int[] characters = Arrays.stream(someTokens).map(token -> vocabulary[token]).toArray();
        return new String(characters, 0, characters.length);
    }
}
