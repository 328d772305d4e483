package org.gradwire.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The phrases to avoid, of {@code phrases.txt}.
 *
 * @param rules in the order of the file
 */
record Phrases(List<Rule> rules) {
    /** A phrase and its replacement. */
    record Rule(Pattern pattern, boolean firstWordsOnly, String instead) {}

    /** An occurrence of a phrase, at an offset in its file. */
    record Hit(Prose prose, int offset, String phrase, Rule rule) {}

    static Phrases read(Path file) {
        try {
            return new Phrases(
                    Files.readAllLines(file).stream()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(Phrases::rule)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Rule rule(String line) {
        int arrow = line.indexOf(" => ");
        String phrase = line.substring(0, arrow).replace(" ", "\\s{1,60}");
        boolean first = phrase.startsWith("^");
        Pattern pattern =
                Pattern.compile(
                        first ? "\\A\\s*" + phrase.substring(1) : phrase, Pattern.CASE_INSENSITIVE);
        return new Rule(pattern, first, line.substring(arrow + 4));
    }

    /** {@return the occurrences in a piece of English, rule by rule} */
    List<Hit> in(Prose prose) {
        List<Hit> hits = new ArrayList<>();
        for (Rule rule : rules) {
            if (!rule.firstWordsOnly() || prose.kind() == Prose.Kind.JAVADOC) {
                Matcher matcher = rule.pattern().matcher(prose.text());
                while (matcher.find()) {
                    String phrase = matcher.group().strip().replaceAll("\\s+", " ");
                    hits.add(new Hit(prose, prose.start() + matcher.start(), phrase, rule));
                }
            }
        }
        return hits;
    }
}
