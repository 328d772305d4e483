package org.gradwire.spi.scheduler;

import java.util.Optional;
import java.util.OptionalInt;

/** Readers of the variables of {@code mpirun} and of other launchers with PMIx. */
final class MpiVariables {
    private static final String NAMESPACE = "PMIX_NAMESPACE";

    private MpiVariables() {}

    /**
     * A process of {@code mpirun}. It names no host of rank 0: {@code MASTER_ADDR} does, or all
     * processes are on one host.
     */
    static Place openMpi(Variables variables) {
        OptionalInt rank = variables.rank("OMPI_COMM_WORLD_RANK");
        OptionalInt size = variables.size("OMPI_COMM_WORLD_SIZE");
        OptionalInt here = variables.number("OMPI_COMM_WORLD_LOCAL_SIZE");
        boolean isOneHost = here.isPresent() && here.equals(size);
        return placed(variables, rank, size, "Open MPI", isOneHost);
    }

    /** A process of another launcher with PMIx, which also omits the number of processes. */
    static Place pmix(Variables variables) {
        OptionalInt rank = variables.rank("PMIX_RANK");
        OptionalInt size = variables.size("WORLD_SIZE");
        return placed(variables, rank, size, "PMIx", false);
    }

    private static Place placed(
            Variables variables,
            OptionalInt rank,
            OptionalInt size,
            String launcher,
            boolean isOneHost) {
        Optional<String> host = variables.find("MASTER_ADDR");
        OptionalInt job = variables.find(NAMESPACE).stream().mapToInt(String::hashCode).findFirst();
        OptionalInt port = Ports.of(variables, job, 0);
        variables.requireRendezvous(
                isOneHost || host.isPresent(),
                "MASTER_ADDR (the host of rank 0, which " + launcher + " does not name)");
        variables.requireRendezvous(port.isPresent(), "MASTER_PORT");
        return new Place(rank, size, host, port, isOneHost);
    }
}
