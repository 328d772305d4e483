package org.gradwire.examples.batchrpc;

import org.gradwire.examples.Arguments.Count;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@link BatchRpc}. */
@Command(
        name = "batch-rpc",
        mixinStandardHelpOptions = true,
        description = "Teach an agent that answers several observers with one batch.")
final class Options {
    @Option(
            names = "--episodes",
            converter = Count.class,
            defaultValue = "8",
            description = "How often the agent learns. Default: ${DEFAULT-VALUE}.")
    private int episodes;

    @Option(
            names = "--steps",
            converter = Count.class,
            defaultValue = "30",
            description = "Steps of an observer in an episode. Default: ${DEFAULT-VALUE}.")
    private int steps;

    @Option(
            names = "--observers",
            converter = Count.class,
            defaultValue = "8",
            description = "Observers on each worker but the first. Default: ${DEFAULT-VALUE}.")
    private int observers;

    @Option(
            names = "--hidden",
            converter = Count.class,
            defaultValue = "1024",
            description = "Size of the agent's hidden layers. Default: ${DEFAULT-VALUE}.")
    private int hidden;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Of the agent and the worlds. Default: ${DEFAULT-VALUE}.")
    private long seed;

    int episodes() {
        return episodes;
    }

    int steps() {
        return steps;
    }

    /** {@return how many observers each worker has but the first} */
    int observers() {
        return observers;
    }

    int hidden() {
        return hidden;
    }

    long seed() {
        return seed;
    }
}
