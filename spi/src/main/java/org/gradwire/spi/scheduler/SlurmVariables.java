package org.gradwire.spi.scheduler;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reader of the variables of Slurm. */
final class SlurmVariables {
    private static final String STEP_NODES = "SLURM_STEP_NODELIST";
    private static final String JOB_NODES = "SLURM_JOB_NODELIST";

    private SlurmVariables() {}

    /**
     * A task of a step, which {@code srun} starts. Rank 0 is on the first host of the step.
     *
     * <p>A script of {@code sbatch} has the same variables, except the number of its step, and runs
     * once; a worker that it starts itself is complete only if the job has one task.
     */
    static Place slurm(Variables variables) {
        OptionalInt rank = variables.rank("SLURM_PROCID");
        OptionalInt size = variables.size("SLURM_NTASKS");
        OptionalInt job = variables.number("SLURM_JOB_ID");
        OptionalInt step = variables.number("SLURM_STEP_ID");
        if (step.isEmpty() && size.orElse(1) > 1) {
            variables.require("SLURM_STEP_ID (start the workers with srun)");
        }
        List<String> hosts = hosts(variables);
        Optional<String> host = variables.find("MASTER_ADDR").or(() -> hosts.stream().findFirst());
        OptionalInt port = Ports.of(variables, job, step.orElse(0));
        boolean isOneHost = hosts.size() == 1;
        variables.requireRendezvous(host.isPresent(), STEP_NODES);
        variables.requireRendezvous(port.isPresent(), "SLURM_JOB_ID");
        return new Place(rank, size, host, port, isOneHost);
    }

    private static List<String> hosts(Variables variables) {
        Optional<String> step = variables.find(STEP_NODES);
        Optional<String> list = step.or(() -> variables.find(JOB_NODES));
        try {
            return list.map(HostList::expand).orElse(List.of());
        } catch (IllegalArgumentException e) {
            variables.reject(
                    step.isPresent() ? STEP_NODES : JOB_NODES, String.valueOf(e.getMessage()));
            return List.of();
        }
    }
}
