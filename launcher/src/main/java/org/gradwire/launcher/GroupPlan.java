package org.gradwire.launcher;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group of workers as the user asked for it.
 *
 * @param world the workers' ranks and names, and where they meet
 * @param command the command line, the same for each of them
 * @param environment variables that all of them get, besides their own and the launcher's
 * @param prefixed whether their lines get their names in front
 * @param grace how long a worker that was asked to end may take
 * @param timeout how long the whole group may run; empty for no limit
 * @param runId the id in the environment of all processes of this run
 * @param token the secret that the workers share
 */
record GroupPlan(
        World world,
        List<String> command,
        Map<String, String> environment,
        boolean prefixed,
        Duration grace,
        Optional<Duration> timeout,
        String runId,
        GroupToken token) {

    GroupPlan {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    Prefix prefix(int rank) {
        return prefixed
                ? Prefix.of(world.name(rank), world.nameWidth(), rank - world.rankOffset())
                : Prefix.none();
    }
}
