package org.gradwire.profiler;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The events that a profiler had recorded when {@link Profiler#profile} was called. Immutable.
 *
 * @param events the ended events, sorted by start
 * @param dropped number of events above {@link ProfilerOptions#maxEvents}, which were not kept
 */
public record Profile(List<ProfilerEvent> events, long dropped) {
    private static final Comparator<ProfilerEvent> ORDER =
            Comparator.comparing(ProfilerEvent::start).thenComparingLong(ProfilerEvent::id);

    public Profile {
        events = events.stream().sorted(ORDER).toList();
    }

    /**
     * {@return the parent of an event; empty if it has none, or if the parent has not ended yet}
     */
    public Optional<ProfilerEvent> parent(ProfilerEvent event) {
        return events.stream().filter(other -> other.id() == event.parent()).findFirst();
    }

    /** {@return the direct children of an event, sorted by start} */
    public List<ProfilerEvent> children(ProfilerEvent event) {
        return events.stream().filter(other -> other.parent() == event.id()).toList();
    }

    /** {@return the events with a name, sorted by start} */
    public List<ProfilerEvent> named(String name) {
        return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    /**
     * {@return a table with one line per name, the longest total time first; {@code own} excludes
     * the time of children}
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
     * @throws UncheckedIOException when the file cannot be written
     */
    public void writeChromeTrace(Path file) {
        try {
            Files.writeString(file, chromeTrace());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace " + file, e);
        }
    }
}
