package org.gradwire.processor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Compares the page's list of checks with the processor's. */
class DocumentsTest {
    private static final Path PAGE =
            Path.of(System.getProperty("basedir", "."), "..", "docs", "compile-time-check.md");

    @Test
    void pageListsEveryProblemWithItsSentence() throws IOException {
        List<String> listed =
                Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();
        assertEquals(Stream.of(Problem.values()).map(DocumentsTest::row).toList(), cells(listed));
    }

    /** {@return the first of two cells; the second one has the reason} */
    private static List<String> cells(List<String> rows) {
        return rows.stream().map(row -> row.substring(2, row.indexOf("` | ") + 1)).toList();
    }

    private static String row(Problem problem) {
        return "`" + problem.text().replace("%s", "...") + "`";
    }
}
