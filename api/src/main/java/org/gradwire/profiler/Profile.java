package org.gradwire.profiler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The events of a profiler, up to the moment when it was asked. It is a value and does not change.
 *
 * @param events those that have ended, by their start
 * @param dropped how many more there were than the profiler was to keep
 */
public record Profile(List<ProfilerEvent> events, long dropped) {
    private static final Comparator<ProfilerEvent> ORDER =
            Comparator.comparing(ProfilerEvent::start).thenComparingLong(ProfilerEvent::id);

    public Profile {
        events = events.stream().sorted(ORDER).toList();
    }

    /** {@return the event within which one began; none when that has not ended yet} */
    public Optional<ProfilerEvent> parent(ProfilerEvent event) {
        return events.stream().filter(other -> other.id() == event.parent()).findFirst();
    }

    /** {@return the events that began within one, but not within another one in it, by start} */
    public List<ProfilerEvent> children(ProfilerEvent event) {
        return events.stream().filter(other -> other.parent() == event.id()).toList();
    }

    /** {@return the events of a name, by start} */
    public List<ProfilerEvent> named(String name) {
        return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    /**
     * {@return a table for people: a line for each name, the one that took longest first; {@code
     * own} is without the time of children}
     */
    public String table() {
        return SummaryTable.of(this);
    }

    /**
     * {@return the profile in Chrome's trace event format, which {@code chrome://tracing} and <a
     * href="https://ui.perfetto.dev">Perfetto</a> show: a process for each worker}
     */
    public String chromeTrace() {
        return ChromeTrace.of(events);
    }

    /**
     * Write {@link #chromeTrace} into a file, in UTF-8.
     *
     * @throws UncheckedIOException when that is not possible
     */
    public void writeChromeTrace(Path file) {
        try {
            Files.writeString(file, chromeTrace());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + file, e);
        }
    }
}
