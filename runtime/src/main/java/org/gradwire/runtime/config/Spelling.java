package org.gradwire.runtime.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Suggests a known word for an unknown one. Swapping two neighbors counts as two edits of the three
 * allowed, because keys are long. The launcher, which depends on no module of Gradwire, uses
 * another distance for its short names, in which a swap counts as one.
 */
final class Spelling {
    private static final int MOST_EDITS = 3;

    private Spelling() {}

    /**
     * {@return the known word with the least edit distance, up to three; of several the one with
     * the longest beginning in common; empty if there is none}
     */
    static Optional<String> nearest(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= MOST_EDITS)
                .min(
                        Comparator.comparingInt((String candidate) -> distance(word, candidate))
                                .thenComparingInt(candidate -> -commonPrefix(word, candidate)));
    }

    private static int commonPrefix(String first, String second) {
        int length = 0;
        while (length < Math.min(first.length(), second.length())
                && first.charAt(length) == second.charAt(length)) {
            length++;
        }
        return length;
    }

    /** {@return the least number of characters to add, remove or replace} */
    static int distance(String from, String to) {
        var above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            var row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], above[j]));
            }
            above = row;
        }
        return above[to.length()];
    }
}
