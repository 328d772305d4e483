package org.gradwire.profiler;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes profiles in Chrome's trace event format.
 *
 * @see <a href="https://chromium.googlesource.com/catapult/+/HEAD/tracing/README.md">Trace
 *     viewer</a>
 */
final class ChromeTrace {
    private static final int NANOS_DIGITS = 3;

    private ChromeTrace() {}

    static String of(List<ProfilerEvent> events) {
        List<String> lines = new ArrayList<>();
        events.stream()
                .map(ProfilerEvent::nodeId)
                .distinct()
                .sorted()
                .forEach(node -> lines.add(process(node)));
        Instant start = events.isEmpty() ? Instant.EPOCH : events.getFirst().start();
        for (ProfilerEvent event : events) {
            write(event, Duration.between(start, event.start()), lines);
        }
        return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
                + String.join(",\n", lines)
                + "\n]}\n";
    }

    private static String process(int node) {
        return "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"args\": {\"name\": \"worker %d\"}}"
                .formatted(node, node);
    }

    /**
     * An event that may overlap others of its thread is a pair of marks, which get a separate row:
     * viewers draw the plain form as a stack and would show it wrongly.
     */
    private static void write(ProfilerEvent event, Duration at, List<String> lines) {
        if (event.detached()) {
            lines.add(line(event, "b", at, ", \"id\": %d".formatted(event.id())));
            lines.add(
                    line(
                            event,
                            "e",
                            at.plus(event.duration()),
                            ", \"id\": %d".formatted(event.id())));
        } else {
            lines.add(line(event, "X", at, ", \"dur\": " + micros(event.duration())));
        }
    }

    private static String line(ProfilerEvent event, String phase, Duration at, String rest) {
        return "{\"ph\": \"%s\", \"name\": %s, \"cat\": \"%s\", \"pid\": %d, \"tid\": %d, \"ts\": %s%s, \"args\": %s}"
                .formatted(
                        phase,
                        quoted(event.name()),
                        event.remote() ? "remote" : "local",
                        event.nodeId(),
                        event.threadId(),
                        micros(at),
                        rest,
                        details(event));
    }

    private static String details(ProfilerEvent event) {
        var text = new StringBuilder("{\"id\": ").append(event.id());
        text.append(", \"parent\": ").append(event.parent());
        if (!event.shapes().isEmpty()) {
            text.append(", \"shapes\": ").append(event.shapes());
        }
        if (event.allocatedBytes() > 0) {
            text.append(", \"allocated bytes\": ").append(event.allocatedBytes());
        }
        return text.append('}').toString();
    }

    private static String micros(Duration time) {
        return BigDecimal.valueOf(time.toNanos(), NANOS_DIGITS).toPlainString();
    }

    /** Surrogates are escaped, since a name may contain unpaired ones. */
    private static String quoted(String text) {
        var json = new StringBuilder(text.length() + 2).append('"');
        text.chars().forEach(c -> json.append(escaped((char) c)));
        return json.append('"').toString();
    }

    private static String escaped(char c) {
        if (c == '"' || c == '\\') {
            return "\\" + c;
        }
        return c < ' ' || Character.isSurrogate(c)
                ? "\\u%04x".formatted((int) c)
                : Character.toString(c);
    }
}
