package org.gradwire.launcher.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class LineSplitterTest {
    private final RecordingSink sink = new RecordingSink();
    private final LineSplitter splitter = new LineSplitter(sink);

    private void accept(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        splitter.accept(bytes, bytes.length);
    }

    @Test
    void lineEndsWithLineFeedOrBothCharacters() {
        accept("a\nb\r\n\nc\r");
        accept("\nd");
        assertEquals(List.of("a", "b", "", "c"), sink.lines);
        splitter.finish();
        assertEquals(List.of("a", "b", "", "c", "d"), sink.lines);
    }

    @Test
    void textBeforeCarriageReturnIsProgressAndShownImmediately() {
        accept("10%\r");
        assertEquals(List.of("10%"), sink.progress);
        accept("20%\r30%\r");
        assertEquals(List.of("10%", "20%", "30%"), sink.progress);
        accept("done\n");
        assertEquals(List.of("done"), sink.lines);
    }

    @Test
    void textAfterCarriageReturnIsProgressAndShownImmediately() {
        accept("\r10%");
        accept("\r20%");
        assertEquals(List.of("10%", "20%"), sink.progress);
        assertEquals(List.of(), sink.lines);
        accept("\n");
        assertEquals(List.of("20%"), sink.lines);
    }

    @Test
    void barWithoutLineEndIsKeptAsTheLastLine() {
        accept("99%\r100%\r");
        splitter.finish();
        assertEquals(List.of("100%"), sink.lines);
    }

    @Test
    void lineAboveTheLimitIsSplit() {
        accept("x".repeat(LineSplitter.MAX_LINE_BYTES + 1) + "\n");
        assertEquals(2, sink.lines.size());
        assertEquals(LineSplitter.MAX_LINE_BYTES, sink.lines.getFirst().length());
        assertEquals("x", sink.lines.getLast());
    }

    @Property
    void linesAreTheSameHoweverTheBytesAreCut(
            @ForAll("texts") List<String> texts, @ForAll("cuts") List<Integer> cuts) {
        byte[] bytes = (String.join("\n", texts) + "\n").getBytes(StandardCharsets.UTF_8);
        var own = new RecordingSink();
        var cutting = new LineSplitter(own);
        int from = 0;
        for (int i = 0; from < bytes.length; i++) {
            int count = Math.min(cuts.get(i % cuts.size()), bytes.length - from);
            cutting.accept(Arrays.copyOfRange(bytes, from, from + count), count);
            from += count;
        }
        cutting.finish();
        List<String> expected = new ArrayList<>();
        for (String text : texts) {
            expected.add(afterLastReturn(text));
        }
        assertEquals(expected, own.lines);
    }

    /**
     * {@return the text that a terminal would show of a line} A return right before the line feed
     * is part of its end.
     */
    private static String afterLastReturn(String text) {
        String body = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        return body.substring(body.lastIndexOf('\r') + 1);
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.strings()
                .withChars("abé ß✓\r")
                .ofMaxLength(12)
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return Arbitraries.integers().between(1, 7).list().ofMinSize(1).ofMaxSize(8);
    }
}
