package org.gradwire.runtime.simulation;

import org.gradwire.rpc.RpcConfigurationException;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The simulations that workers are still joining, by rendezvous address. Thread-safe. */
public final class Simulations {

    /** A simulation and its workers. */
    private record Meeting(Simulation simulation, Set<Integer> ranks) {}

    private final Map<String, Meeting> meetings = new HashMap<>();

    /** Create an empty table. */
    public Simulations() {}

    /**
     * Return the simulation of a worker.
     *
     * @throws RpcConfigurationException if others of its group have another seed
     */
    public synchronized Simulation enter(String address, long seed, int rank, int worldSize) {
        Meeting meeting = meetings.get(address);
        if (meeting == null || meeting.ranks.contains(rank)) {
            meeting = new Meeting(new Simulation(seed), new HashSet<>());
            meetings.put(address, meeting);
        }
        Simulation simulation = meeting.simulation;
        if (simulation.seed() != seed) {
            throw new RpcConfigurationException(
                    "gradwire.simulation.seed=%d, but others of the group at %s have %d; give all workers the same seed"
                            .formatted(seed, address, simulation.seed()));
        }
        meeting.ranks.add(rank);
        if (meeting.ranks.size() == worldSize) {
            meetings.remove(address);
        }
        return simulation;
    }
}
