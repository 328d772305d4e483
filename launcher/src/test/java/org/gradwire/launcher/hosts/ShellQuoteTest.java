package org.gradwire.launcher.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class ShellQuoteTest {

    @Test
    void plainWordsStayAsTheyAre() {
        assertEquals(
                "run --workers 2 /a/b_c.d:e",
                ShellQuote.join(List.of("run", "--workers", "2", "/a/b_c.d:e")));
    }

    @Test
    void shellReadsTheSameWords() throws Exception {
        List<String> words =
                List.of(
                        "",
                        " ",
                        "a b",
                        "'",
                        "''",
                        "a'b",
                        "\"",
                        "$HOME",
                        "`id`",
                        "\\",
                        "\\'",
                        "line\nbreak\n",
                        "\t",
                        "*",
                        "~",
                        "#",
                        "!x",
                        "a;b|c&d",
                        "(x)",
                        "{a,b}",
                        "-n",
                        "--",
                        "ünï",
                        "%s\\n");
        List<String> expected = new ArrayList<>();
        words.forEach(word -> expected.add("<" + word + ">"));
        var process =
                new ProcessBuilder("/bin/sh", "-c", "printf '<%s>\\0' " + ShellQuote.join(words))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertEquals(String.join("\0", expected) + "\0", output);
    }
}
