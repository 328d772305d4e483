package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares the list of request types in {@code docs/testing-with-faults.md} with the types that can
 * have faults; {@code -Drewrite.descriptors=true} writes it again.
 */
class FaultsPageTest {
    private static final Path PAGE = Path.of("../docs/testing-with-faults.md");
    private static final boolean REWRITE = Boolean.getBoolean("rewrite.descriptors");
    private static final Pattern LIST =
            Pattern.compile("(?s)(<!-- types of requests -->\n)(.*?)(\n\n|$)");

    @Test
    void pageHasTheNameOfEveryRequest() throws Exception {
        String names =
                MessageTypes.requests().stream()
                        .map(MessageTypes::name)
                        .sorted()
                        .map(name -> "* `" + name + "`")
                        .collect(Collectors.joining("\n"));
        String page = Files.readString(PAGE);
        Matcher list = LIST.matcher(page);
        assertTrue(list.find(), "the page has no list");
        if (REWRITE) {
            Files.writeString(
                    PAGE, page.substring(0, list.start(2)) + names + page.substring(list.end(2)));
        } else {
            assertEquals(names, list.group(2), "see the comment of the test");
        }
    }
}
