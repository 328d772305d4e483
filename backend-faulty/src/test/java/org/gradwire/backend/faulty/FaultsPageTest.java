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
 * {@code docs/testing-with-faults.md} has the types of requests that faults can be given to. With
 * {@code -Drewrite.descriptors=true} its list is written anew.
 */
class FaultsPageTest {
    private static final Path PAGE = Path.of("../docs/testing-with-faults.md");
    private static final boolean REWRITE = Boolean.getBoolean("rewrite.descriptors");
    private static final Pattern LIST =
            Pattern.compile("(?s)(<!-- types of requests -->\n)(.*?)(\n\n|$)");

    @Test
    void thePageHasTheNameOfEveryRequest() throws Exception {
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
