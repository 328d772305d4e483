package org.gradwire.spi.scheduler;

import org.gradwire.rpc.RpcConfigurationException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The place of a process in its group, as a scheduler assigned it.
 *
 * @param scheduler its name, for messages, such as {@code Slurm}
 * @param rank of the process, from 0
 * @param worldSize number of processes in the group; empty if no variable holds it, and it was not
 *     required
 * @param rendezvous {@code tcp://host:port}, at which the group meets; empty if no variable names a
 *     host, and it was not required. Rank 0 of a group on several hosts gets the address {@code
 *     0.0.0.0}: it needs no name service, and the name of its host may be one of loopback there
 */
public record Assignment(
        String scheduler, int rank, OptionalInt worldSize, Optional<String> rendezvous) {

    /** A part of an assignment that may be known from elsewhere, as from a setting. */
    public enum Part {
        /** The number of processes. */
        WORLD_SIZE,
        /** The address at which they meet. */
        RENDEZVOUS
    }

    /**
     * Read the assignment of the first scheduler whose variables are complete.
     *
     * @param environment the environment variables of the process
     * @param required the parts that a scheduler must assign, in addition to the rank
     * @return empty if there are variables of no scheduler
     * @throws RpcConfigurationException when the first complete variables have an invalid value, or
     *     there are variables of schedulers, and none are complete; the text lists those that are
     *     set and those that are missing
     */
    public static Optional<Assignment> find(Map<String, String> environment, Set<Part> required) {
        List<String> incomplete = new ArrayList<>();
        for (Scheduler scheduler : Scheduler.values()) {
            var variables = new Variables(environment, required);
            Optional<Assignment> assignment = scheduler.read(variables);
            if (assignment.isPresent()) {
                return assignment;
            }
            if (scheduler.isSeen(variables)) {
                incomplete.add(scheduler.label() + " set " + variables.description());
            }
        }
        if (!incomplete.isEmpty()) {
            throw new RpcConfigurationException(
                    "the rank of this worker is not set, and no scheduler assigned one completely: "
                            + String.join("; ", incomplete)
                            + ". Set the missing variables, or gradwire.rank, gradwire.world-size and gradwire.rendezvous; docs/schedulers.md lists the variables of each scheduler");
        }
        return Optional.empty();
    }
}
