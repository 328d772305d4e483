package org.gradwire.launcher;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the launcher says of a group that did not simply succeed. */
final class GroupReport {
    private static final String OURS = "gradwire: ";

    private GroupReport() {}

    /** {@return what is said before the others are asked to end, for that may take a while} */
    static Optional<String> announcement(GroupEnd end, int running) {
        return cause(end).map(cause -> OURS + cause + "; ending the " + running + " still running");
    }

    /**
     * {@return the whole story, line by line, after all workers have ended; empty when there is
     * nothing to tell}
     */
    static List<String> lines(GroupEnd end, List<WorkerProcess> workers) {
        List<String> lines = new ArrayList<>();
        cause(end).ifPresent(cause -> lines.add(OURS + cause));
        if (end instanceof GroupEnd.WorkerFailed(WorkerProcess failed)) {
            addLastErrors(lines, failed);
        }
        if (!lines.isEmpty()) {
            addFates(lines, end, workers);
        }
        return lines;
    }

    private static Optional<String> cause(GroupEnd end) {
        return switch (end) {
            case GroupEnd.Finished _ -> Optional.empty();
            case GroupEnd.WorkerFailed(WorkerProcess worker) ->
                    Optional.of(
                            "%s (process %d) failed first: %s, %s after its start"
                                    .formatted(
                                            worker.name(),
                                            worker.pid(),
                                            worker.status().description(),
                                            seconds(worker.age())));
            case GroupEnd.TimedOut(Duration limit) ->
                    Optional.of("not finished after --timeout " + seconds(limit));
            case GroupEnd.Signalled _ -> Optional.of("told to end by a signal");
            case GroupEnd.OutputClosed _ -> Optional.of("nobody reads the output any more");
            case GroupEnd.NotStarted(String reason) ->
                    Optional.of("cannot start a worker: " + reason);
        };
    }

    private static void addLastErrors(List<String> lines, WorkerProcess failed) {
        List<String> errors = failed.lastErrors();
        if (errors.isEmpty()) {
            lines.add(OURS + failed.name() + " printed nothing on standard error");
            return;
        }
        lines.add(OURS + "the last lines of " + failed.name() + " on standard error:");
        errors.forEach(line -> lines.add("    " + line));
    }

    private static void addFates(List<String> lines, GroupEnd end, List<WorkerProcess> workers) {
        String fates =
                workers.stream()
                        .filter(worker ->
                                !(end instanceof GroupEnd.WorkerFailed(var failed)
                                        && failed == worker))
                        .map(worker -> worker.name() + " " + worker.fate())
                        .collect(Collectors.joining("; "));
        if (!fates.isEmpty()) {
            lines.add(OURS + fates);
        }
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
