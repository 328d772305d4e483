package org.gradwire.examples.inference;

import org.gradwire.examples.Arguments.Count;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@link Inference}. */
@Command(
        name = "inference",
        mixinStandardHelpOptions = true,
        description = "Serve requests by replicas of a model, one of which is lost.")
final class Options {
    @Option(
            names = "--requests",
            converter = Count.class,
            defaultValue = "2000",
            description = "Requests of each run. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--replicas",
            converter = Count.class,
            description = "Replicas to wait for. Default: the started workers minus one.")
    private int replicas = startedWorkers() - 1;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the model and the requests. Default: ${DEFAULT-VALUE}.")
    private long seed;

    /** {@return the number of workers from the launcher; a dynamic group has no size} */
    private static int startedWorkers() {
        return Integer.parseInt(System.getenv().getOrDefault("GRADWIRE_WORLD_SIZE", "4"));
    }

    int requests() {
        return requests;
    }

    int replicas() {
        return Math.max(1, replicas);
    }

    long seed() {
        return seed;
    }
}
