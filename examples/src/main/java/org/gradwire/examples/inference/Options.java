package org.gradwire.examples.inference;

import org.gradwire.examples.Arguments.Count;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@link Inference}. */
@Command(
        name = "inference",
        mixinStandardHelpOptions = true,
        description = "Have requests answered by replicas of a model, one of which is lost.")
final class Options {
    @Option(
            names = "--requests",
            converter = Count.class,
            defaultValue = "2000",
            description = "Of each run. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--replicas",
            converter = Count.class,
            defaultValue = "3",
            description = "Workers beside the first; start as many. Default: ${DEFAULT-VALUE}.")
    private int replicas;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Of the model and the requests. Default: ${DEFAULT-VALUE}.")
    private long seed;

    int requests() {
        return requests;
    }

    int replicas() {
        return replicas;
    }

    long seed() {
        return seed;
    }
}
