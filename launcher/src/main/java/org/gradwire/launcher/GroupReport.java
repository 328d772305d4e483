package org.gradwire.launcher;

import org.gradwire.launcher.restart.RestartDecision;
import org.gradwire.launcher.restart.RestartPolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The launcher's report on a group that did not succeed. */
final class GroupReport {
    private static final String OURS = "gradwire: ";
    private static final int SHOWN_OUTPUT = 5;
    private static final Pattern MISSING_MODULE =
            Pattern.compile("FindException: Module (\\S+) not found");

    private GroupReport() {}

    /** {@return a message to print before the other workers are ended, which may take a while} */
    static Optional<String> announcement(GroupOutcome end, int running) {
        return cause(end).map(cause -> OURS + cause + "; ending the " + running + " still running");
    }

    /** {@return a message on a worker that is restarted} */
    static String restart(
            WorkerProcess failed, RestartPolicy policy, RestartDecision.Restart restart) {
        String delay = restart.delay().isZero() ? "" : " in " + seconds(restart.delay());
        return OURS
                + "%s; %s restarted%s (restart %d of %d%s)"
                        .formatted(
                                failure(failed),
                                policy.isElastic() ? "it is" : "all workers are",
                                delay,
                                restart.number(),
                                policy.most(),
                                policy.window()
                                        .map(time -> " in each " + seconds(time))
                                        .orElse(""));
    }

    /** {@return a message on a worker without which the run continues} */
    static String continues(WorkerProcess failed, String reason, int left) {
        return OURS
                + "%s; it is not restarted, as %s; the run continues with %d"
                        .formatted(failure(failed), reason, left);
    }

    private static String failure(WorkerProcess failed) {
        return "%s (process %d) failed: %s, %s after its start"
                .formatted(
                        failed.name(),
                        failed.pid(),
                        failed.status().description(),
                        seconds(failed.age()));
    }

    /** {@return a message on the restarts of a run that succeeded; empty without any} */
    static Optional<String> success(GroupOutcome end, int restarts) {
        return end instanceof GroupOutcome.Finished && restarts > 0
                ? Optional.of(OURS + "finished after " + restarts + " restarts")
                : Optional.empty();
    }

    /**
     * {@return the full report, line by line, after all workers have ended; empty after a success}
     */
    static List<String> lines(GroupOutcome end, List<WorkerProcess> workers) {
        if (end instanceof GroupOutcome.WorkerFailed(WorkerProcess failed, String reason)) {
            return failure(failed, reason, workers);
        }
        String fates = fates(workers);
        return cause(end)
                .map(cause -> OURS + cause + (fates.isEmpty() ? "" : ": ") + fates)
                .stream()
                .toList();
    }

    private static Optional<String> cause(GroupOutcome end) {
        return switch (end) {
            case GroupOutcome.Finished _ -> Optional.empty();
            case GroupOutcome.WorkerFailed(WorkerProcess worker, String _) ->
                    Optional.of(worker.name() + " failed (" + worker.status().description() + ")");
            case GroupOutcome.TimedOut(Duration limit) ->
                    Optional.of("not finished after --timeout " + seconds(limit));
            case GroupOutcome.Signalled _ -> Optional.of("stopped by a signal");
            case GroupOutcome.OutputClosed _ -> Optional.of("the reader of the output closed it");
            case GroupOutcome.InputEnded _ -> Optional.of("stopped, since its input ended");
            case GroupOutcome.NotStarted(String reason) ->
                    Optional.of("cannot start a worker: " + reason);
        };
    }

    private static List<String> failure(
            WorkerProcess failed, String reason, List<WorkerProcess> workers) {
        List<String> lines = new ArrayList<>();
        lines.add(
                OURS
                        + "%s (process %d) failed %s: %s, %s after its start"
                                .formatted(
                                        failed.name(),
                                        failed.pid(),
                                        failed.restart() == 0 ? "first" : "again",
                                        failed.status().description(),
                                        seconds(failed.age())));
        if (!reason.isEmpty()) {
            lines.add(OURS + "it is not restarted: " + reason);
        }
        List<String> words = lastWords(failed);
        lines.addAll(words);
        missingModule(words).map(OURS::concat).ifPresent(lines::add);
        if (workers.size() > 1) {
            lines.add(OURS + fates(workers.stream().filter(other -> other != failed).toList()));
        }
        return lines;
    }

    /**
     * {@return the last lines of a worker; a JVM that cannot start explains it on standard output
     * only}
     */
    private static List<String> lastWords(WorkerProcess failed) {
        List<String> errors = failed.lastErrors();
        if (!errors.isEmpty()) {
            return under("its last lines on standard error:", errors);
        }
        List<String> output = failed.lastOutput();
        if (output.isEmpty()) {
            return under("it printed nothing", output);
        }
        int from = Math.max(0, output.size() - SHOWN_OUTPUT);
        return under(
                "it printed nothing on standard error; its last lines on standard output:",
                output.subList(from, output.size()));
    }

    private static List<String> under(String title, List<String> lines) {
        return Stream.concat(Stream.of(OURS + title), lines.stream().map("    "::concat)).toList();
    }

    private static Optional<String> missingModule(List<String> lines) {
        return lines.stream()
                .map(MISSING_MODULE::matcher)
                .filter(Matcher::find)
                .findFirst()
                .map(found ->
                        "name the folder or jar that holds module %s, before the program: -p PATH"
                                .formatted(found.group(1)));
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
