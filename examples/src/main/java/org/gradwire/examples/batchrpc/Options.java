package org.gradwire.examples.batchrpc;

import org.gradwire.examples.Arguments.Count;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@link BatchRpc}. */
@Command(
        name = "batch-rpc",
        mixinStandardHelpOptions = true,
        description = "Train an agent that chooses the actions of several observers in one batch.")
final class Options {
    @Option(
            names = "--episodes",
            converter = Count.class,
            defaultValue = "8",
            description = "Number of updates of the agent. Default: ${DEFAULT-VALUE}.")
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
            description = "Observers on each worker except the first. Default: ${DEFAULT-VALUE}.")
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
            description = "Seed of the agent and the environments. Default: ${DEFAULT-VALUE}.")
    private long seed;

    int episodes() {
        return episodes;
    }

    int steps() {
        return steps;
    }

    /** {@return the number of observers on each worker except the first} */
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
