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
            defaultValue = "15",
            description = "How often the agent learns. Default: ${DEFAULT-VALUE}.")
    private int episodes;

    @Option(
            names = "--steps",
            converter = Count.class,
            defaultValue = "200",
            description = "Steps of an observer in an episode. Default: ${DEFAULT-VALUE}.")
    private int steps;

    @Option(
            names = "--hidden",
            converter = Count.class,
            defaultValue = "64",
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

    int hidden() {
        return hidden;
    }

    long seed() {
        return seed;
    }
}
