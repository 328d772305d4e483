package org.gradwire.launcher.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

class WorkerOutputTest {
    private static final String DRAWN = "\r\u001b[?7l%s\u001b[0m\u001b[K\u001b[?7h";
    private static final String ERASED = "\r\u001b[K";

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final AtomicLong clock = new AtomicLong();

    private Console console(boolean terminal, boolean colored) {
        var target = new OutputTarget(screen, terminal, colored);
        return new Console(target, target);
    }

    private WorkerOutput worker(Console console, int rank) {
        return new WorkerOutput(
                console,
                console.out(),
                LinePrefix.of("w" + rank, 2, rank),
                new RecordingSink(),
                clock::get);
    }

    private static void line(WorkerOutput output, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.line(bytes, bytes.length);
        output.flush();
    }

    private static void progress(WorkerOutput output, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.progress(bytes, bytes.length);
        output.flush();
    }

    private void assertPrinted(String expected) {
        assertEquals(expected, screen.toString(StandardCharsets.UTF_8));
        screen.reset();
    }

    @Test
    void progressStaysBelowTheLinesOfOthersOnATerminal() {
        Console console = console(true, false);
        WorkerOutput bar = worker(console, 0);
        WorkerOutput other = worker(console, 1);
        progress(bar, "10%");
        assertPrinted(DRAWN.formatted("w0 | 10%"));
        progress(bar, "20%");
        assertPrinted(ERASED + DRAWN.formatted("w0 | 20%"));
        line(other, "hello");
        assertPrinted(ERASED + "w1 | hello\n" + DRAWN.formatted("w0 | 20%"));
        line(bar, "done");
        assertPrinted(ERASED + "w0 | done\n");
        line(other, "bye");
        assertPrinted("w1 | bye\n");
    }

    @Test
    void progressIsErasedWithItsStream() {
        Console console = console(true, false);
        WorkerOutput bar = worker(console, 0);
        progress(bar, "10%");
        screen.reset();
        bar.finish();
        assertPrinted(ERASED);
    }

    @Test
    void progressBecomesALineEveryFiveSecondsWithoutATerminal() {
        WorkerOutput bar = worker(console(false, false), 0);
        progress(bar, "1%");
        assertPrinted("w0 | 1%\n");
        clock.addAndGet(Duration.ofSeconds(5).toNanos() - 1);
        progress(bar, "2%");
        assertPrinted("");
        clock.addAndGet(1);
        progress(bar, "3%");
        assertPrinted("w0 | 3%\n");
        progress(bar, "4%");
        bar.finish();
        assertPrinted("w0 | 4%\n");
    }

    @Test
    void lineReplacesTheProgressThatWasHeldBack() {
        WorkerOutput bar = worker(console(false, false), 0);
        progress(bar, "1%");
        progress(bar, "99%");
        line(bar, "done");
        bar.finish();
        assertPrinted("w0 | 1%\nw0 | done\n");
    }

    @Test
    void namesAreColoredByRankAndColorsEndWithTheirLine() {
        Console console = console(true, true);
        line(worker(console, 0), "plain");
        assertPrinted("\u001b[36mw0 | \u001b[0mplain\n");
        line(worker(console, 1), "\u001b[31mred");
        assertPrinted("\u001b[33mw1 | \u001b[0m\u001b[31mred\u001b[0m\n");
    }

    @Test
    void colorNeedsATerminalThatSupportsItAndNoOptOut() {
        assertTrue(Console.ofProcess("out,err", Map.of("TERM", "xterm")).out().colored());
        for (var environment :
                List.of(
                        Map.of("TERM", "xterm", "NO_COLOR", "1"),
                        Map.of("TERM", "dumb"),
                        Map.<String, String>of())) {
            assertEquals(false, Console.ofProcess("out,err", environment).out().colored());
        }
        Console oneTerminal = Console.ofProcess("err", Map.of("TERM", "xterm"));
        assertEquals(false, oneTerminal.out().colored());
        assertEquals(true, oneTerminal.err().terminal());
    }
}
