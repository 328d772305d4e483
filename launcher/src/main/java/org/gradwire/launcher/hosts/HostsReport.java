package org.gradwire.launcher.hosts;

import org.gradwire.launcher.console.ExitStatus;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The messages on the end of a group on several hosts. */
final class HostsReport {
    private static final String OURS = "gradwire: ";

    private HostsReport() {}

    /** {@return a message to print before the other hosts are ended, which may take a while} */
    static Optional<String> announcement(HostsOutcome end, List<HostProcess> running) {
        String names = running.stream().map(HostProcess::name).collect(Collectors.joining(", "));
        return cause(end)
                .filter(_ -> !running.isEmpty())
                .map(cause -> OURS + cause + "; ending the workers on " + names);
    }

    /** {@return the report after all have ended; empty after a success} */
    static Optional<String> report(HostsOutcome end, List<HostProcess> hosts) {
        String fates =
                hosts.stream()
                        .filter(host -> host != failed(end))
                        .map(host -> "; " + host.name() + " " + host.fate())
                        .collect(Collectors.joining());
        return cause(end).map(cause -> OURS + cause + fates);
    }

    private static Object failed(HostsOutcome end) {
        return switch (end) {
            case HostsOutcome.WorkerFailed(HostProcess host, String _, ExitStatus _) -> host;
            case HostsOutcome.HostFailed(HostProcess host) -> host;
            default -> end;
        };
    }

    private static Optional<String> cause(HostsOutcome end) {
        return switch (end) {
            case HostsOutcome.Finished _ -> Optional.empty();
            case HostsOutcome.WorkerFailed(HostProcess host, String worker, ExitStatus status) ->
                    Optional.of(
                            "%s on %s failed first: %s"
                                    .formatted(worker, host.name(), status.description()));
            case HostsOutcome.HostFailed(HostProcess host) -> Optional.of(hostFailed(host));
            case HostsOutcome.TimedOut(Duration limit) ->
                    Optional.of(
                            String.format(
                                    Locale.ROOT,
                                    "not finished after --timeout %.1f s",
                                    limit.toMillis() / 1000.0));
            case HostsOutcome.Signalled _ -> Optional.of("stopped by a signal");
            case HostsOutcome.OutputClosed _ -> Optional.of("the reader of the output closed it");
            case HostsOutcome.NotStarted(String reason) -> Optional.of(reason);
        };
    }

    private static String hostFailed(HostProcess host) {
        String last = host.beforeStart().isEmpty() ? "" : ": " + host.beforeStart().getLast();
        if (host.started()) {
            return host.lost()
                    ? "the connection to %s or the launcher there has ended".formatted(host.name())
                    : "the launcher on %s failed: %s"
                            .formatted(host.name(), host.status().description());
        }
        return host.lost()
                ? "%s cannot be reached%s".formatted(host.name(), last)
                : "the launcher on %s cannot start%s (%s)"
                        .formatted(host.name(), last, host.status().description());
    }
}
