package org.gradwire.spi.scheduler;

import java.util.Optional;
import java.util.function.Function;

/**
 * The schedulers and launchers whose variables are read, in this order: a launcher that runs inside
 * the allocation of another scheduler precedes it, since its processes inherit the variables of
 * both.
 *
 * <p>Another one is a constant here with its reader, a row of {@code AssignmentTest}, and a row of
 * {@code docs/schedulers.md}.
 */
enum Scheduler {
    TORCHRUN("torchrun", "", TorchVariables::torchrun),
    KUBEFLOW_TRAINER("Kubeflow Trainer", "PET_", TorchVariables::kubeflowTrainer),
    OPEN_MPI("Open MPI", "OMPI_", MpiVariables::openMpi),
    SLURM("Slurm", "SLURM_", SlurmVariables::slurm),
    PMIX("PMIx", "PMIX_", MpiVariables::pmix),
    LEADER_WORKER_SET("LeaderWorkerSet", "LWS_", KubernetesVariables::leaderWorkerSet),
    INDEXED_JOB("Kubernetes Job", "JOB_", KubernetesVariables::indexedJob);

    private final String label;
    private final String prefix;
    private final Function<Variables, Place> reader;

    /**
     * Create a scheduler.
     *
     * @param prefix of the variables that only this one sets
     * @param reader a pure function of the variables
     */
    Scheduler(String label, String prefix, Function<Variables, Place> reader) {
        this.label = label;
        this.prefix = prefix;
        this.reader = reader;
    }

    /** {@return its name in messages} */
    String label() {
        return label;
    }

    /** Read the variables; {@return the assignment, empty if some are missing} */
    Optional<Assignment> read(Variables variables) {
        Place place = reader.apply(variables);
        return variables.complete(label, place);
    }

    /** {@return whether a variable was read that only this scheduler sets} */
    boolean isSeen(Variables variables) {
        return variables.hasPrefix(prefix);
    }
}
