package org.gradwire.examples.parameterserver;

import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** The words of "This is the house that Jack built", where each verse repeats the previous one. */
final class Rhyme {
    private static final List<String> PARTS =
            List.of(
                    "the house that Jack built .",
                    "the malt that lay in",
                    "the rat that ate",
                    "the cat that killed",
                    "the dog that worried",
                    "the cow with the crumpled horn that tossed",
                    "the maiden all forlorn that milked",
                    "the man all tattered and torn that kissed",
                    "the priest all shaven and shorn that married",
                    "the cock that crowed in the morn that waked",
                    "the farmer sowing his corn that kept");

    private final List<String> vocabulary;
    private final long[] words;

    /**
     * A batch of lines of the rhyme.
     *
     * @param words shape (time, n)
     * @param next the words that follow each of them; shape (time · n)
     */
    record Batch(Tensor words, Tensor next) {}

    Rhyme() {
        List<String> text = new ArrayList<>();
        for (int verse = 0; verse < PARTS.size(); verse++) {
            text.addAll(List.of("This", "is"));
            for (String part : PARTS.subList(0, verse + 1).reversed()) {
                text.addAll(List.of(part.split(" ")));
            }
        }
        vocabulary = List.copyOf(new TreeSet<>(text));
        words = text.stream().mapToLong(vocabulary::indexOf).toArray();
    }

    /** {@return the number of distinct words} */
    int vocabularySize() {
        return vocabulary.size();
    }

    /** Draw {@code n} lines of {@code time} words. */
    Batch batch(RandomGenerator random, int time, int n) {
        long[] some = new long[time * n];
        long[] following = new long[time * n];
        for (int line = 0; line < n; line++) {
            int start = random.nextInt(words.length - time);
            for (int t = 0; t < time; t++) {
                some[t * n + line] = words[start + t];
                following[t * n + line] = words[start + t + 1];
            }
        }
        return new Batch(Tensor.of(some, time, n), Tensor.of(following));
    }
}
