package org.gradwire.launcher;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.scheduler.Assignment;
import org.gradwire.spi.scheduler.Assignment.Part;

import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

/**
 * The workers of a launcher that a scheduler starts, one launcher for each task or pod: the
 * launcher's place among the others determines the ranks of its workers.
 */
final class SchedulerWorld {
    private SchedulerWorld() {}

    /**
     * {@return the workers of this launcher}
     *
     * @param workers number of workers of each launcher
     * @param environment of the launcher
     * @throws LauncherException when the variables of a scheduler are missing or incomplete
     */
    static World of(int workers, String namePrefix, Map<String, String> environment) {
        Assignment place = place(environment);
        int launchers = place.worldSize().orElseThrow();
        long worldSize = (long) launchers * workers;
        if (worldSize > Short.MAX_VALUE) {
            throw new LauncherException(
                    "%d launchers of %s with --workers %d are %d workers; a group has at most %d"
                            .formatted(
                                    launchers,
                                    place.scheduler(),
                                    workers,
                                    worldSize,
                                    Short.MAX_VALUE));
        }
        Optional<String> rendezvous = launchers == 1 ? Optional.empty() : place.rendezvous();
        return new World(workers, place.rank() * workers, (int) worldSize, namePrefix, rendezvous);
    }

    private static Assignment place(Map<String, String> environment) {
        try {
            return Assignment.find(environment, EnumSet.allOf(Part.class))
                    .orElseThrow(() ->
                            new LauncherException(
                                    "--scheduler: no scheduler has set variables; start this command with srun, mpirun or torchrun, or in a pod, as docs/schedulers.md describes"));
        } catch (RpcConfigurationException e) {
            throw new LauncherException("--scheduler: " + e.getMessage());
        }
    }
}
