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
        if (end instanceof GroupEnd.WorkerFailed(WorkerProcess failed)) {
            return failure(failed, workers);
        }
        String fates = fates(workers);
        return cause(end)
                .map(cause -> OURS + cause + (fates.isEmpty() ? "" : ": ") + fates)
                .stream()
                .toList();
    }

    private static Optional<String> cause(GroupEnd end) {
        return switch (end) {
            case GroupEnd.Finished _ -> Optional.empty();
            case GroupEnd.WorkerFailed(WorkerProcess worker) ->
                    Optional.of(worker.name() + " failed (" + worker.status().description() + ")");
            case GroupEnd.TimedOut(Duration limit) ->
                    Optional.of("not finished after --timeout " + seconds(limit));
            case GroupEnd.Signalled _ -> Optional.of("told to end by a signal");
            case GroupEnd.OutputClosed _ -> Optional.of("nobody reads the output any more");
            case GroupEnd.NotStarted(String reason) ->
                    Optional.of("cannot start a worker: " + reason);
        };
    }

    private static List<String> failure(WorkerProcess failed, List<WorkerProcess> workers) {
        List<String> lines = new ArrayList<>();
        lines.add(
                OURS
                        + "%s (process %d) failed first: %s, %s after its start"
                                .formatted(
                                        failed.name(),
                                        failed.pid(),
                                        failed.status().description(),
                                        seconds(failed.age())));
        List<String> errors = failed.lastErrors();
        lines.add(
                OURS
                        + (errors.isEmpty() ? "it printed nothing" : "its last lines")
                        + " on standard error"
                        + (errors.isEmpty() ? "" : ":"));
        errors.forEach(line -> lines.add("    " + line));
        if (workers.size() > 1) {
            lines.add(OURS + fates(workers.stream().filter(other -> other != failed).toList()));
        }
        return lines;
    }

    private static String fates(List<WorkerProcess> workers) {
        return workers.stream()
                .map(worker -> worker.name() + " " + worker.fate())
                .collect(Collectors.joining("; "));
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
