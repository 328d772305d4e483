package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * English without the phrases of {@code phrases.txt}, in comments, string literals and documents.
 * {@code words.txt} has the present number of hits of each module, as ceilings that may only fall.
 *
 * <p>With {@code -Dwords.show=MODULE} it prints each hit of a module, or of the group {@code docs}.
 */
class WordsTest {
    private static final Path RESOURCES = Reactor.root().resolve("architecture/src/test/resources");
    private static final Phrases PHRASES = Phrases.read(RESOURCES.resolve("phrases.txt"));
    private static final int LEAST_WORDS = 100_000;

    /** {@return the folders and files whose English is counted together, by module} */
    private static Map<String, List<Path>> groups() {
        Map<String, List<Path>> groups = new LinkedHashMap<>();
        Stream.concat(Reactor.folders().stream(), Stream.of("samples"))
                .forEach(folder -> groups.put(folder, paths(folder)));
        groups.put(
                "docs",
                paths("docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"));
        return groups;
    }

    private static List<Path> paths(String... names) {
        return Stream.of(names).map(Reactor.root()::resolve).toList();
    }

    @Test
    void phrasesToAvoidBecomeFewer() {
        System.out.println(
                "hits per 10,000 words in javadoc, comments, literals, documents, all; hits");
        Map<String, Integer> hits = new TreeMap<>();
        int words = 0;
        List<Wording.Found> all = new ArrayList<>();
        for (var group : groups().entrySet()) {
            Wording wording = Wording.of(group.getValue(), PHRASES);
            words += wording.allWords();
            all.addAll(wording.hits());
            print(group.getKey(), wording);
            if (!wording.hits().isEmpty()) {
                hits.put(group.getKey(), wording.hits().size());
            }
        }
        printRules(all);
        assertTrue(words > LEAST_WORDS, words + " words");
        Ceilings.read(RESOURCES.resolve("words.txt")).check(hits);
    }

    private static void print(String group, Wording wording) {
        String rates =
                Stream.of(Prose.Kind.values())
                        .map(wording::rate)
                        .map("%5d"::formatted)
                        .collect(Collectors.joining());
        System.out.printf(
                "%s %5d %6d  %s, %d words%n",
                rates, wording.rate(), wording.hits().size(), group, wording.allWords());
    }

    @Test
    void phrasesAreFoundInCommentsAndLiterals() {
        String source =
                """
                /** Touched by who runs the receiver, except where said. */
                /** Finds out whose the arriving sessions are, and acts on their frames. */
                /** Functions that bend what a layer of a network gives. */
                /** Operators that bring down the number of elements. */
                // Who calls past the limit waits, but not for
                // ever.
                int next = fail("a call hangs on its peer");
                """;
        assertEquals(
                List.of(
                        "by who",
                        "where said",
                        "Finds out",
                        "bend",
                        "bring down",
                        "Who",
                        "for ever",
                        "hangs on"),
                hits(source));
    }

    @Test
    void plainEnglishAndCodePass() {
        String source =
                """
                /** Confined to the receive loop unless noted. */
                /** Performs the handshake for inbound sessions and dispatches their frames. */
                /** Activation functions. */
                /** Senders above the limit block until the call's deadline. */
                // A call that never ends hangs its thread. Weights after He et al.
                /** Calls {@code for ever}, of {@link Who who}. */
                int who = forEver("who", by, who);
                """;
        assertEquals(6, ProseReader.read(source).size());
        assertEquals(List.of(), hits(source));
    }

    private static List<String> hits(String source) {
        return ProseReader.read(source).stream()
                .flatMap(prose -> PHRASES.in(prose).stream())
                .map(Phrases.Hit::phrase)
                .toList();
    }

    private static void printRules(List<Wording.Found> hits) {
        System.out.println("hits of each phrase");
        hits.stream()
                .collect(Collectors.groupingBy(f -> f.hit().rule(), Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<Phrases.Rule, Long>comparingByValue().reversed())
                .forEach(e -> System.out.printf("%5d  %s%n", e.getValue(), e.getKey().pattern()));
    }

    @Test
    @EnabledIfSystemProperty(named = "words.show", matches = ".+")
    void hitsThatAreAskedForAreShown() {
        String shown = System.getProperty("words.show", "");
        List<Path> places = groups().getOrDefault(shown, List.of());
        assertFalse(
                places.isEmpty(), "no module " + shown + "; choose one of " + groups().keySet());
        Wording.of(places, PHRASES).hits().forEach(System.out::println);
    }
}
