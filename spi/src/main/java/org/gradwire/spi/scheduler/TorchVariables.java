package org.gradwire.spi.scheduler;

import java.util.Optional;
import java.util.OptionalInt;

/** Readers of the variables of PyTorch's launchers, and of operators that follow them. */
final class TorchVariables {
    private TorchVariables() {}

    /**
     * torchrun, Kubeflow's PyTorchJob, and scripts that set the same variables.
     *
     * <p>An agent of torchrun may itself serve a store at {@code MASTER_PORT}; Gradwire then takes
     * the next port.
     */
    static Place torchrun(Variables variables) {
        OptionalInt rank = variables.rank("RANK");
        OptionalInt size = variables.size("WORLD_SIZE");
        variables.find("LOCAL_RANK");
        OptionalInt here = variables.number("LOCAL_WORLD_SIZE");
        Optional<String> host = variables.find("MASTER_ADDR");
        Optional<String> port = variables.find("MASTER_PORT");
        boolean isOneHost = here.isPresent() && here.equals(size);
        variables.requireRendezvous(isOneHost || host.isPresent(), "MASTER_ADDR");
        variables.requireRendezvous(port.isPresent(), "MASTER_PORT");
        OptionalInt number = variables.port("MASTER_PORT", port);
        boolean isTaken = variables.find("TORCHELASTIC_USE_AGENT_STORE").orElse("").equals("True");
        return new Place(rank, size, host, isTaken ? next(variables, number) : number, isOneHost);
    }

    private static OptionalInt next(Variables variables, OptionalInt port) {
        return port.isEmpty()
                ? port
                : variables.port("MASTER_PORT", Optional.of(Integer.toString(port.getAsInt() + 1)));
    }

    /** A TrainJob of Kubeflow Trainer, whose nodes run one process each. */
    static Place kubeflowTrainer(Variables variables) {
        OptionalInt rank = variables.rank("PET_NODE_RANK");
        OptionalInt size = variables.size("PET_NNODES");
        Optional<String> host = variables.find("PET_MASTER_ADDR");
        Optional<String> port = variables.find("PET_MASTER_PORT");
        variables.requireRendezvous(host.isPresent(), "PET_MASTER_ADDR");
        variables.requireRendezvous(port.isPresent(), "PET_MASTER_PORT");
        return new Place(rank, size, host, variables.port("PET_MASTER_PORT", port), false);
    }
}
