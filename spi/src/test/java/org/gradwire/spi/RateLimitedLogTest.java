package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of lines of many events. */
class RateLimitedLogTest {
    private final List<String> lines = new ArrayList<>(); // guarded by itself
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // the clock may overflow
    private final RateLimitedLog log =
            new RateLimitedLog(new Collecting(), Duration.ofNanos(10), now::get);

    private final class Collecting implements System.Logger {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.DEBUG;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            throw new AssertionError("not used");
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            synchronized (lines) {
                lines.add(level + " " + format);
            }
        }
    }

    @Test
    void oneLineInAnIntervalCountsTheOthers() {
        for (int i = 0; i < 25; i++) {
            String text = "event " + i;
            log.log(Level.WARNING, () -> text);
            now.incrementAndGet();
        }
        now.addAndGet(10);
        log.log(Level.INFO, () -> "last {0}");
        now.addAndGet(10);
        log.log(Level.INFO, () -> "alone");
        assertEquals(
                List.of(
                        "WARNING event 0",
                        "WARNING event 10 (9 similar not logged)",
                        "WARNING event 20 (9 similar not logged)",
                        "INFO last {0} (4 similar not logged)",
                        "INFO alone"),
                lines);
    }

    @Test
    void whatIsNotLoggedAnywayIsNeitherBuiltNorCounted() {
        log.log(
                Level.DEBUG,
                () -> {
                    throw new AssertionError("built");
                });
        log.log(Level.INFO, () -> "first");
        assertEquals(List.of("INFO first"), lines);
    }

    @Test
    void noEventIsLostBetweenThreads() throws Exception {
        List<Future<?>> events = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 1_000; i++) {
                events.add(threads.submit(() -> log.log(Level.INFO, () -> "event")));
            }
        }
        for (Future<?> event : events) {
            event.get();
        }
        now.addAndGet(10);
        log.log(Level.INFO, () -> "last");
        assertEquals(2, lines.size(), lines.toString());
        assertTrue(lines.getFirst().startsWith("INFO event"), lines.toString());
        assertTrue(lines.getLast().startsWith("INFO last"), lines.toString());
        // The thread that writes the first line may count some of the others.
        assertEquals(999, lines.stream().mapToInt(RateLimitedLogTest::suppressed).sum());
    }

    private static int suppressed(String line) {
        Matcher count = Pattern.compile("\\((\\d+) similar not logged\\)$").matcher(line);
        return count.find() ? Integer.parseInt(count.group(1)) : 0;
    }
}
