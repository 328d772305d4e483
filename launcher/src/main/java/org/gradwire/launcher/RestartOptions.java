package org.gradwire.launcher;

import org.gradwire.launcher.restart.OnFailure;
import org.gradwire.launcher.restart.RestartPolicy;
import org.gradwire.launcher.restart.WorkerRange;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options for the restart of workers. */
final class RestartOptions {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,6})(?:/(\\S+))?");

    @Option(
            names = "--restarts",
            paramLabel = "N[/TIME]",
            description =
                    "Start failed workers again, at most N times in the run, or in each TIME: 10, 10/1h. Default: 0.")
    private Optional<String> restarts = Optional.empty();

    @Option(
            names = "--on-failure",
            paramLabel = "ACTION",
            description =
                    "When a worker fails: restart-worker (the others continue, in a dynamic group), restart-all, or end."
                            + " Default: restart-worker with --restarts or --workers MIN..MAX, else end.")
    private Optional<String> onFailure = Optional.empty();

    @Option(
            names = "--standbys",
            paramLabel = "N",
            description =
                    "Keep N started JVMs, one of which replaces a failed worker at once. Default: ${DEFAULT-VALUE}.")
    private int standbys = 0;

    /** Validate the options; {@return the policy for a number of workers of which some may fail} */
    RestartPolicy policy(World world, WorkerRange workers) {
        int most = restarts.map(RestartOptions::number).orElse(0);
        Optional<Duration> window = restarts.flatMap(RestartOptions::window);
        boolean isElastic = most > 0 || workers.least() < workers.most();
        OnFailure action =
                onFailure
                        .map(RestartOptions::action)
                        .orElse(isElastic ? OnFailure.RESTART_WORKER : OnFailure.END);
        var policy = new RestartPolicy(action, most, window, standbys, workers.least());
        requireRestarts(policy);
        requireStore(world, policy);
        return policy;
    }

    private static int number(String text) {
        Matcher matcher = matcher(text);
        return Integer.parseInt(matcher.group(1));
    }

    private static Optional<Duration> window(String text) {
        return Optional.ofNullable(matcher(text).group(2))
                .map(time -> new DurationConverter().convert(time));
    }

    private static Matcher matcher(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new LauncherException(
                    "--restarts %s must be a number, or a number in a time such as 10/1h"
                            .formatted(text));
        }
        return matcher;
    }

    private static OnFailure action(String text) {
        return switch (text) {
            case "restart-worker" -> OnFailure.RESTART_WORKER;
            case "restart-all" -> OnFailure.RESTART_ALL;
            case "end" -> OnFailure.END;
            default ->
                    throw new LauncherException(
                            "--on-failure %s must be restart-worker, restart-all or end"
                                    .formatted(text));
        };
    }

    private static void requireRestarts(RestartPolicy policy) {
        int standbys = policy.standbys();
        if (standbys < 0 || (standbys > 0 && (!policy.isElastic() || policy.most() == 0))) {
            throw new LauncherException(
                    "--standbys %d must be 0, or a number of processes with --restarts N and --on-failure restart-worker"
                            .formatted(standbys));
        }
    }

    /** A store that a worker serves ends with that worker. */
    private static void requireStore(World world, RestartPolicy policy) {
        boolean isServedByWorker =
                world.rendezvous().filter(uri -> uri.startsWith("tcp:")).isPresent();
        if (policy.isElastic() && isServedByWorker) {
            throw new LauncherException(
                    "workers that are restarted need a rendezvous that outlives rank 0, unlike %s: use etcd://HOST:PORT/JOB or file:///PATH, or --on-failure restart-all"
                            .formatted(world.rendezvous().orElse("")));
        }
        if (policy.onFailure() == OnFailure.RESTART_ALL && !world.isComplete()) {
            throw new LauncherException(
                    "--on-failure restart-all needs all workers of the group in one launcher, which has %d of %d"
                            .formatted(world.workers(), world.worldSize()));
        }
    }
}
