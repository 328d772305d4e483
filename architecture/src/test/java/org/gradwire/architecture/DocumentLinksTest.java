package org.gradwire.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Relative links of documents resolve, and each module has a README. */
class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern TEXT_OF_LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern EMPHASIS = Pattern.compile("\\b_([^_]+)_\\b");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");
    private static final Set<String> NOT_READ = Set.of("target", ".git");

    @Test
    void relativeLinksLeadToAFileAndAHeading() throws IOException {
        var broken = new ArrayList<String>();
        int links = 0;
        int toHeadings = 0;
        for (Path document : documents()) {
            for (String target : links(document)) {
                links++;
                toHeadings += target.contains("#") ? 1 : 0;
                if (!leadsSomewhere(document, target)) {
                    broken.add(Reactor.root().relativize(document) + " -> " + target);
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links > toHeadings && toHeadings > 0, "no links are found, or none to headings");
    }

    @Test
    void anchorsAreThoseOfGitHub() {
        String document =
                """
                # One `two` *three*: the "end", (4) _five_

                ## A [link](https://example.org/x_y) here

                ### Again
                ## Again
                # snake_case
                ```
                # no heading
                ```
                """;
        assertEquals(
                Set.of(
                        "one-two-three-the-end-4-five",
                        "a-link-here",
                        "again",
                        "again-1",
                        "snake_case"),
                anchors(document));
    }

    @Test
    void moduleHasAReadme() {
        assertEquals(
                List.of(),
                Reactor.folders().stream()
                        .filter(folder ->
                                !Files.exists(Reactor.root().resolve(folder).resolve("README.md")))
                        .toList());
    }

    private static boolean leadsSomewhere(Path document, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        return parts.length == 1 || anchors(Files.readString(file)).contains(parts[1]);
    }

    private static List<String> links(Path document) throws IOException {
        return LINK.matcher(withoutCode(Files.readString(document)))
                .results()
                .map(link -> link.group(1))
                .filter(target -> !target.matches("[a-z]+:.*"))
                .toList();
    }

    /** {@return the anchors that GitHub gives the headings of a document} */
    private static Set<String> anchors(String document) {
        Map<String, Integer> occurrences = new HashMap<>();
        return HEADING.matcher(withoutCode(document))
                .results()
                .map(heading -> anchor(heading.group(1)))
                .map(anchor -> {
                    int before = occurrences.merge(anchor, 1, Integer::sum) - 1;
                    return before == 0 ? anchor : anchor + "-" + before;
                })
                .collect(Collectors.toSet());
    }

    /** {@return the text of a heading, lowercase, without markup and punctuation} */
    private static String anchor(String heading) {
        String text = TEXT_OF_LINK.matcher(heading).replaceAll("$1");
        return EMPHASIS.matcher(text)
                .replaceAll("$1")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                .replace(' ', '-');
    }

    private static String withoutCode(String document) {
        return CODE.matcher(document).replaceAll("");
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(Reactor.root())) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !isBelowAFolderOfResults(file))
                    .toList();
        }
    }

    private static boolean isBelowAFolderOfResults(Path file) {
        for (Path part : Reactor.root().relativize(file)) {
            if (NOT_READ.contains(part.toString())) {
                return true;
            }
        }
        return false;
    }
}
