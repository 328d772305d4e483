package org.gradwire.bench;

import java.util.Locale;

/**
 * The subject of the bench. Each mode but {@link #COMPARISON} has an option, which excludes the
 * options of the others.
 */
enum Mode {
    COMPARISON(Workers.ALL, ""),
    GATE(
            Workers.ALL,
            "Measure only metrics with a limit of the machine, and fail if a ratio to it is"
                    + " less than half of its baseline."),
    GROWTH(
            Workers.ALL,
            "Measure instead how metrics grow with workers, references, contexts, graphs and"
                    + " payloads, for some minutes, and fail if one grows by more than its bound."),
    NETWORK(
            Workers.FIRST,
            "Measure calls and an echo between two network namespaces of this machine"
                    + " instead: over UDP without encryption, with a token (sealed) and with"
                    + " certificates (certified), over TCP with certificates (netty-mtls),"
                    + " with PyTorch's uv, and with gRPC over mutual TLS (grpc-mtls). Needs"
                    + " root."),
    RECOVERY(
            Workers.FIRST,
            "Measure instead the time from the kill -9 of a worker to the first new step of all workers"
                    + " after it, of an exchange (recovery) and of a training with checkpoints"
                    + " (training), with the launcher and with torchrun, and fail if a group leaves"
                    + " anything behind."),
    COLLECTIVES(
            Workers.FIRST,
            "Measure collective operations among processes of this machine instead, in turns with"
                    + " PyTorch's backend gloo."),
    CHECKPOINT(
            Workers.FIRST,
            "Measure instead how long saves of a checkpoint stop a training, in turns with the"
                    + " training without saves, and with PyTorch's torch.save."),
    COLD(
            Workers.FIRST,
            "Measure instead a fresh pair of processes: the time to the first answered call, the calls"
                    + " and the distributed backward passes after it, in turns with PyTorch and gRPC."),
    SOAK(
            Workers.FIRST,
            "Work instead with calls, tensors, references and distributed passes between two workers for"
                    + " this number of seconds, and fail if memory, file handles, threads, /dev/shm or the"
                    + " tail of small calls grows by more than its bound."),
    MEMORY(
            Workers.FIRST,
            "Measure instead the memory of idle workers, in turns with PyTorch and gRPC, and that of a"
                    + " training step compared with PyTorch's tensors."),
    PACED(
            Workers.FIRST,
            "Measure instead the processor time of 10,000 calls a second, of all processes, in turns"
                    + " with PyTorch and gRPC."),
    LOCAL(
            Workers.FIRST,
            "Measure operators and their backward passes on one thread of one process instead, in turns"
                    + " with PyTorch."),
    DEVICE(
            Workers.ALL,
            "Measure operators, training steps and an echo between two processes on a device"
                    + " instead, such as cuda:0, and with PyTorch there."),
    JMH(
            Workers.FIRST,
            "Run the JMH benchmarks of parts instead; later arguments are passed to JMH, such as a"
                    + " regular expression of names.");

    /** The workers of the bench that take part; those that do not end immediately. */
    private enum Workers {
        FIRST,
        ALL
    }

    private final Workers workers;
    private final String description;

    Mode(Workers workers, String description) {
        this.workers = workers;
        this.description = description;
    }

    /** {@return the name of its option} */
    String option() {
        return "--" + name().toLowerCase(Locale.ROOT);
    }

    String description() {
        return description;
    }

    /** {@return whether its option has a parameter} */
    boolean hasParameter() {
        return this == DEVICE || this == SOAK;
    }

    /** {@return the name of the parameter in the help} */
    String parameterLabel() {
        return this == SOAK ? "SECONDS" : name();
    }

    /** {@return whether only the first worker of the bench takes part} */
    boolean isOfFirstWorker() {
        return workers == Workers.FIRST;
    }
}
