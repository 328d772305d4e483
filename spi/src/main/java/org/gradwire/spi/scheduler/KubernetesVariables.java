package org.gradwire.spi.scheduler;

import java.util.Optional;
import java.util.OptionalInt;

/** Readers of the variables of pods. A pod has its own ports, so the default is a fixed one. */
final class KubernetesVariables {
    private static final String DEFAULT_PORT = "29500";

    private KubernetesVariables() {}

    /** A pod of a LeaderWorkerSet, which sets all. */
    static Place leaderWorkerSet(Variables variables) {
        OptionalInt rank = variables.rank("LWS_WORKER_INDEX");
        OptionalInt size = variables.size("LWS_GROUP_SIZE");
        return placed(variables, rank, size, "LWS_LEADER_ADDRESS");
    }

    /** A pod of an Indexed Job, or of a JobSet's job; its manifest sets the rest. */
    static Place indexedJob(Variables variables) {
        OptionalInt rank = variables.rank("JOB_COMPLETION_INDEX");
        OptionalInt size = variables.size("WORLD_SIZE");
        return placed(variables, rank, size, "MASTER_ADDR");
    }

    private static Place placed(
            Variables variables, OptionalInt rank, OptionalInt size, String hostName) {
        Optional<String> host = variables.find(hostName);
        variables.requireRendezvous(host.isPresent(), hostName);
        Optional<String> port = variables.find("MASTER_PORT").or(() -> Optional.of(DEFAULT_PORT));
        return new Place(rank, size, host, variables.port("MASTER_PORT", port), false);
    }
}
