package org.gradwire.launcher;

import org.gradwire.launcher.console.LinePrefix;
import org.gradwire.launcher.restart.RestartPolicy;
import org.gradwire.launcher.secure.CertificateSource;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of a group of workers.
 *
 * @param world ranks, names and rendezvous of the workers
 * @param environment variables of all workers, added to those of the launcher and of each worker
 * @param prefixed whether each line of output begins with its worker's name
 * @param grace time from SIGTERM to SIGKILL of a worker
 * @param timeout limit of the whole run; empty for no limit
 * @param restarts what follows the failure of a worker
 * @param runId id in the environment of all processes of this run
 * @param token token of the group
 * @param certificates the source of the workers' certificates
 */
record GroupPlan(
        World world,
        WorkerCommand command,
        Map<String, String> environment,
        boolean prefixed,
        Duration grace,
        Optional<Duration> timeout,
        RestartPolicy restarts,
        String runId,
        GroupToken token,
        CertificateSource certificates) {

    GroupPlan {
        environment = Map.copyOf(environment);
    }

    LinePrefix prefix(int rank) {
        return prefixed
                ? LinePrefix.of(world.name(rank), world.nameWidth(), rank - world.rankOffset())
                : LinePrefix.none();
    }
}
