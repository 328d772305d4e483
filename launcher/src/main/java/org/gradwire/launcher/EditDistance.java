package org.gradwire.launcher;

/**
 * The Damerau-Levenshtein distance of two words: insertions, deletions, substitutions, and
 * transpositions of neighbours. The runtime, on which the launcher must not depend, has one without
 * transpositions for the keys of settings.
 */
final class EditDistance {
    private EditDistance() {}

    static int between(String one, String other) {
        int[][] edits = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, one, other, i, j);
            }
        }
        return edits[one.length()][other.length()];
    }

    private static int step(int[][] edits, String one, String other, int i, int j) {
        int replaced = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int least =
                Math.min(
                        edits[i - 1][j - 1] + replaced,
                        Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped =
                i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
    }
}
